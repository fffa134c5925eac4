package clientlab.storm

import clientlab.*
import java.util.PriorityQueue
import kotlin.time.Duration

/**
 * A storm without a client: one server with a queue, and callers who wait, give up and ask again. It goes from event to event (A. Law,
 * *Simulation Modeling and Analysis*). Returns when each request had its answer, in nanoseconds, or -1.
 */
internal fun simulated(storm: Storm, retries: Retries, seed: Long): LongArray {
    class Attempt(val atNanos: Long, val request: Int, val number: Int)

    val share = Schedule.shares(seed)
    val plan = storm.plan
    val done = LongArray(plan.size) { -1 }
    val attempts = PriorityQueue<Attempt>(compareBy { it.atNanos })
    plan.forEachIndexed { request, at -> attempts += Attempt(at, request, 0) }
    var freeAt = 0L
    while (true) {
        val attempt = attempts.poll() ?: return done
        freeAt = maxOf(freeAt, attempt.atNanos) + storm.service.inWholeNanoseconds
        val waits = freeAt - attempt.atNanos
        if (waits <= storm.timeout.inWholeNanoseconds) {
            done[attempt.request] = freeAt
        } else if (attempt.number < retries.attempts) {
            val pause: Duration = retries.pauseBefore(attempt.number, share)
            attempts += Attempt(attempt.atNanos + (storm.timeout + pause).inWholeNanoseconds, attempt.request, attempt.number + 1)
        }
    }
}
