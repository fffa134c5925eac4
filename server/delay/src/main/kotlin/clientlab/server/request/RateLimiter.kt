package clientlab.server.request

import clientlab.server.answer.*
import kotlin.math.ceil

/**
 * Limits requests per second, as metered services do: a bucket that holds [perSecond] requests, is full at first, and fills again
 * evenly. So [perSecond] requests may come at once, and then one every 1 ÷ [perSecond] seconds.
 *
 * Not thread-safe: for the one event loop.
 */
internal class RateLimiter(private val perSecond: Int, now: Long = System.nanoTime()) {
    private var left = perSecond.toDouble()
    private var filledAt = now

    /** Whether one more request may come at [now]. */
    fun takes(now: Long): Boolean {
        left = minOf(perSecond.toDouble(), left + (now - filledAt) * perSecond / NANOS)
        filledAt = now
        if (left < 1) return false
        left--
        return true
    }

    /** The answer to a request that comes too soon. */
    fun refusal(): Answer {
        val seconds = ceil((1 - left) / perSecond).toInt().coerceAtLeast(1)
        return Answer(
            429,
            "This server takes $perSecond requests a second, and more have come: send fewer, or start it with a larger --max-rate.",
            headers = mapOf("retry-after" to "$seconds"),
        )
    }

    private companion object {
        const val NANOS = 1e9
    }
}
