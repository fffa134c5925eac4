package clientlab.conduct.http2

import clientlab.conduct.scene.*

internal val http2Reuse = Situation("http2.reuse", "The server answers in HTTP/2. The caller sends another request.") {
    val server = http2 {
        while (true) answer(receive())
    }
    val session = openHttp2(server)
    session.ask("/first")
    val ending = session.ask("/second")
    server.second(ending, elsewhere = "Each request pays for a handshake.")
}

/** On which connection the second request comes, which has this [ending]; why it should not be on the [same] one, or on another one. */
internal fun ScriptedServer.second(ending: Ending, same: String = "", elsewhere: String = ""): Observed {
    val on = requests.map { it.first }
    return when {
        on.size < 2 -> Observed("the second request does not come: ${ending.words}", ending.ms, "The caller has no answer.")
        on[1] == on[0] -> Observed("uses the connection again", concern = same)
        else -> Observed("opens another connection", concern = elsewhere)
    }
}
