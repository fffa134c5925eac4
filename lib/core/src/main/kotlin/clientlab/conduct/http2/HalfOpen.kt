package clientlab.conduct.http2

import clientlab.conduct.scene.*

internal val http2HalfOpen = Situation(
    "http2.half-open",
    "A kept connection is dead, and nobody has told the client. The caller sends two more requests, one after the other.",
) {
    val server = http2 {
        answer(receive())
        while (true) {
            val stream = receive()
            if (number > 1) answer(stream)
        }
    }
    val session = openHttp2(server)
    session.ask("/first")
    val second = session.ask("/second")
    val third = session.ask("/third")
    when {
        second.isAnswer() -> Observed("not testable: it opens a connection for each request")
        third.isAnswer() -> Observed("${second.words}, the next one has a new connection", second.ms)
        else -> Observed("${second.words}, and so does the next one", third.ms, "The dead connection is used again and again.")
    }
}
