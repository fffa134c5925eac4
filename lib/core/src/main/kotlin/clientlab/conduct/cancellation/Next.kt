package clientlab.conduct.cancellation

import clientlab.conduct.scene.*

internal val next = Situation("cancellation.next", "After a cancelled request the same session sends another one.") {
    val server = server {
        while (true) if (receive().target != "/cancelled") answer()
    }
    val session = open(server, inFlight = 1)
    val call = session.start("/cancelled")
    server.awaitRequests(1)
    call.cancel()
    val ending = session.ask("/next")
    Observed("the next request: ${ending.words}", ending.ms)
        .concern("A cancelled request stops those that come after it.", !ending.isAnswer())
}
