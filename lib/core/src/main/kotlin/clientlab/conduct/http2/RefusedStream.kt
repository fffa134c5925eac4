package clientlab.conduct.http2

import clientlab.conduct.scene.*
import java.util.concurrent.atomic.AtomicBoolean

internal val refusedGet = refused("http2.refused-get", "GET")
internal val refusedPost = refused("http2.refused-post", "POST", bodyBytes = 1_000)

private fun refused(id: String, method: String, bodyBytes: Long = 0) =
    Situation(id, "The server refuses the stream of a $method (REFUSED_STREAM), so it has done nothing with it.") {
        val refused = AtomicBoolean()
        val server = http2 {
            while (true) {
                val stream = receive()
                if (refused.compareAndSet(false, true)) reset(stream, Http2Connection.REFUSED_STREAM) else answer(stream)
            }
        }
        val ending = openHttp2(server).ask(method = method, bodyBytes = bodyBytes)
        val times = if (server.requests.size > 1) "again" else "once"
        Observed("sends it $times: ${ending.words}", ending.ms).concern("The caller does not learn that it was refused.", ending.pending)
    }
