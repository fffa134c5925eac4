package clientlab.conduct.http2

import clientlab.conduct.scene.*

internal val http2Cut = unwhole("http2.cut", "The server declares ten bytes, sends five of them, and resets the stream.") { stream ->
    data(stream, "01234", end = false)
    reset(stream, Http2Connection.INTERNAL_ERROR)
}
internal val http2Short = unwhole("http2.short", "The server declares ten bytes and ends the stream behind five of them.") { stream ->
    data(stream, "01234", end = true)
}

private fun unwhole(id: String, story: String, script: Http2Connection.(Int) -> Unit) = Situation(id, story) {
    val server = http2 {
        while (true) {
            val stream = receive()
            head(stream, length = 10)
            script(stream)
        }
    }
    val ending = openHttp2(server).ask()
    Observed(if (ending.isAnswer()) "takes it for a whole answer" else ending.words, ending.ms)
        .concern("RFC 9113, 8.1.1: the answer is malformed, and the caller has a part of it.", ending.isAnswer())
        .concern("The caller does not learn of it.", ending.pending)
}
