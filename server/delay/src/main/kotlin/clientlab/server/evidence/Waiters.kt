package clientlab.server.evidence

/** Waits until [inFlight] requests are in flight; [onReached] is called once, on the event loop. */
internal class Waiter(val inFlight: Int, val onReached: (Awaited) -> Unit)

/** All waiters for a number of requests in flight. Not thread-safe: for the one event loop. */
internal class Waiters {
    private val waiters = ArrayList<Waiter>()

    /** The lowest number that a waiter waits for. */
    private var next = Int.MAX_VALUE

    fun add(waiter: Waiter) {
        waiters += waiter
        next = minOf(next, waiter.inFlight)
    }

    fun remove(waiter: Waiter) {
        waiters -= waiter
        next = waiters.minOfOrNull { it.inFlight } ?: Int.MAX_VALUE
    }

    /** Calls each waiter whose number [inFlight] has reached, with what [awaited] gives. */
    inline fun tell(inFlight: Int, awaited: () -> Awaited) {
        if (inFlight >= next) tellAll(inFlight, awaited())
    }

    private fun tellAll(inFlight: Int, awaited: Awaited) {
        val told = waiters.filter { inFlight >= it.inFlight }
        waiters.removeAll(told)
        next = waiters.minOfOrNull { it.inFlight } ?: Int.MAX_VALUE
        told.forEach { it.onReached(awaited) }
    }
}
