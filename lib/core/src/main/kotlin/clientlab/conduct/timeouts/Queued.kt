package clientlab.conduct.timeouts

import clientlab.conduct.scene.*

/** The client is opened for one request in flight. Each answer takes less than the time-out, both together take more. */
internal val queued = Situation("timeouts.queued", "A client for one request at a time gets two, each answered after 300 ms.") {
    val server = server {
        while (true) {
            receive()
            pause(TIMEOUT * 0.75)
            answer()
        }
    }
    val session = open(server, inFlight = 1)
    val calls = List(2) { session.start("/$it") }
    val endings = calls.map { it.end() }
    val late = endings.maxOf { it.ms }
    when {
        endings.any { it.failed } -> Observed("one ${endings.first { it.failed }.words}: the wait for a place counts", late)
        endings.all { it.isAnswer() } && late < TIMEOUT.inWholeMilliseconds -> Observed("sends both at once", late)
        endings.all { it.isAnswer() } -> Observed("both are answered: the wait for a place does not count", late)
        else -> Observed(endings.joinToString(" and ") { it.words })
    }
}
