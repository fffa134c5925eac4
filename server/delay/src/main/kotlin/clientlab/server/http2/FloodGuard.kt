package clientlab.server.http2

/**
 * Counts the frames of a client that make the server work without asking for an answer, and says when there are too many.
 *
 * It allows [MOST] in a window of [WINDOW_NANOS] that begins with the first of them, which is ten times what the busiest client here
 * sends. It counts pings, settings, priorities, streams with errors, and streams reset within [RAPID_NANOS] of their beginning. A reset
 * of a stream that waited longer does not count: giving up thousands of waiting requests at once is a measurement, not an attack.
 */
internal class FloodGuard {
    private var begunAt = 0L
    private var count = 0

    /** Counts one more; false if it is one too many. */
    fun allows(now: Long): Boolean {
        if (count == 0 || now - begunAt >= WINDOW_NANOS) {
            begunAt = now
            count = 0
        }
        return ++count <= MOST
    }

    companion object {
        const val MOST: Int = 1_000
        const val WINDOW_NANOS: Long = 10_000_000_000
        const val RAPID_NANOS: Long = 10_000_000
    }
}
