package clientlab.storm

import clientlab.*
import java.util.PriorityQueue

/**
 * A storm without a client: one server with a queue, and callers who wait, give up and ask again. It goes from event to event (A. Law,
 * *Simulation Modeling and Analysis*). Returns when each request had its answer, in nanoseconds, or -1.
 */
internal fun simulated(storm: Storm, retries: Retries, seed: Long): LongArray {
    class Event(val atNanos: Long, val request: Int, val number: Int, val givenUp: Boolean = false)

    val share = Schedule.shares(seed)
    val budget = retries.Budget()
    val plan = storm.plan
    val done = LongArray(plan.size) { -1 }
    val events = PriorityQueue<Event>(compareBy { it.atNanos })
    plan.forEachIndexed { request, at -> events += Event(at, request, 0) }
    var freeAt = 0L
    while (true) {
        val event = events.poll() ?: return done
        if (event.givenUp) {
            if (event.number < retries.attempts && budget.pay()) {
                val pause = retries.pauseBefore(event.number, share).inWholeNanoseconds
                events += Event(event.atNanos + pause, event.request, event.number + 1)
            }
            continue
        }
        if (event.number == 0) budget.earn()
        freeAt = maxOf(freeAt, event.atNanos) + storm.service.inWholeNanoseconds
        val patientUntil = event.atNanos + storm.timeout.inWholeNanoseconds
        if (freeAt <= patientUntil) done[event.request] = freeAt else events += Event(patientUntil, event.request, event.number, true)
    }
}
