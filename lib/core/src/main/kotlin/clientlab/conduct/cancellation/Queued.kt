package clientlab.conduct.cancellation

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

internal val queued = Situation(
    "cancellation.queued",
    "A client for one request at a time gets two. The caller cancels the second while it waits; then the first is answered.",
) {
    val server = server {
        while (true) {
            val request = receive()
            if (request.target == "/first") pause(FIRST_TAKES)
            answer()
        }
    }
    val session = open(server, inFlight = 1)
    val first = session.start("/first")
    server.awaitRequests(1)
    val second = session.start("/second")
    pause(LET_QUEUE)
    if (server.requests.size > 1) {
        Observed("sends both at once")
    } else {
        val cancelled = Cancelled.of(second)
        first.end()
        val sent = server.awaitRequests(2, within = SOON)
        Observed("${cancelled.words}, the second is ${if (sent) "sent all the same" else "never sent"}", cancelled.freeMs)
            .concern("A cancelled request reaches the server.", sent)
            .concern(Cancelled.NOT_FREE, !cancelled.isFree)
    }
}

private val LET_QUEUE = 60.milliseconds
private val FIRST_TAKES = 250.milliseconds
