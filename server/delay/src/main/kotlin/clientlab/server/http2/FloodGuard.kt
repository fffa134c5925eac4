package clientlab.server.http2

/**
 * Counts what a client makes its server do without asking for an answer, and says when it is too much.
 *
 * At most [MOST] in any window of [WINDOW_NANOS] that begins with the first of them: pings, settings, priorities, streams that were
 * wrong, and streams reset within [RAPID_NANOS] of their beginning. Ten times what the busiest client here sends. A stream that had
 * waited longer is not counted, for to give up thousands of waiting requests at once is a measurement, and not an attack.
 */
internal class FloodGuard {
    private var begunAt = 0L
    private var count = 0

    /** Takes one more down; false where it is one too many. */
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
