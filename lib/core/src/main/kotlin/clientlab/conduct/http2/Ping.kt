package clientlab.conduct.http2

import clientlab.conduct.scene.*

internal val ping = Situation("http2.ping", "The server sends PING behind its answer.") {
    val server = http2 {
        answer(receive())
        ping()
        while (true) receive()
    }
    openHttp2(server).ask()
    if (server.await(SOON) { it.what is Seen.What.Pong } != null) {
        Observed("answers it")
    } else {
        Observed("does not answer it", concern = "RFC 9113, 6.7: a PING is answered. A server may take the client for dead.")
    }
}
