package clientlab.conduct.cancellation

import clientlab.conduct.scene.*

internal val waiting = Situation("cancellation.waiting", "The caller cancels while the request waits for its answer.") {
    val server = server { receive() }
    val call = open(server, inFlight = 1).start()
    server.awaitRequests(1)
    val cancelled = Cancelled.of(call)
    val left = server.awaitEnd() == null
    Observed("${cancelled.words}, the connection ${if (left) "stays open" else "is closed"}", cancelled.freeMs)
        .concern(Cancelled.NOT_FREE, !cancelled.isFree)
        .concern("The server goes on working for nobody.", left)
}
