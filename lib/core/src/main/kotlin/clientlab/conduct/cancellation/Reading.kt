package clientlab.conduct.cancellation

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

internal val reading = Situation("cancellation.reading", "The caller cancels when half of a body has come.") {
    val server = server {
        receive()
        send("HTTP/1.1 200 Made\r\nContent-Length: 10\r\n\r\n12345")
    }
    val call = open(server, inFlight = 1).start()
    server.awaitRequests(1)
    pause(LET_READ)
    val cancelled = Cancelled.of(call)
    val left = server.awaitEnd() == null
    Observed("${cancelled.words}, the connection ${if (left) "stays open" else "is closed"}", cancelled.freeMs)
        .concern(Cancelled.NOT_FREE, !cancelled.isFree)
        .concern("The rest of the body would be read as the next answer, so the connection has no use.", left)
}

private val LET_READ = 100.milliseconds
