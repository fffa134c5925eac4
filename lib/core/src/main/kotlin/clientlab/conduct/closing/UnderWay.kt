package clientlab.conduct.closing

import clientlab.conduct.scene.*

internal val underWay = Situation("closing.under-way", "The caller closes the session while a request waits for its answer.") {
    val server = server { receive() }
    val session = open(server)
    val call = session.start()
    server.awaitRequests(1)
    val before = call.ms
    val closed = closeOf(session)
    val ending = call.end(within = SOON)
    val blocks = !closed.await(within = SOON)
    Observed("the request ${ending.words}" + if (blocks) ", close waits" else "", ending.ms - before)
        .concern("The request outlives its client.", ending.pending && !blocks)
}
