package clientlab.server.evidence

/**
 * When each numbered request (`a=<number>`) arrived and was answered: the server's part of its timeline.
 *
 * A ring of [CAPACITY] rows, in which the newest replace the oldest; plain arrays, so that recording allocates nothing. Not thread-safe:
 * for the one event loop. Times are `System.nanoTime()`, which on Linux is one clock for all processes of a machine.
 */
internal class RequestTable {
    private val numbers = IntArray(CAPACITY)
    private val connections = IntArray(CAPACITY)
    private val arrivedAt = LongArray(CAPACITY)
    private val answeredAt = LongArray(CAPACITY)

    // Rows are counted from the server's start, so that an answer to a request from before a reset does not touch another's row.
    private var next = 0L
    private var first = 0L

    // When the requests of the first and the last dropped row arrived; valid only if rows were dropped.
    private var droppedFrom = 0L
    private var droppedTo = 0L

    private val oldest: Long get() = maxOf(first, next - CAPACITY)

    /** Records that request [number] of connection [connection] has arrived, and returns the row to give to [answered]. */
    fun arrived(number: Int, connection: Int, now: Long): Long {
        val place = place(next)
        if (next - first >= CAPACITY) {
            if (next - first == CAPACITY.toLong()) droppedFrom = arrivedAt[place]
            droppedTo = arrivedAt[place]
        }
        numbers[place] = number
        connections[place] = connection
        arrivedAt[place] = now
        answeredAt[place] = NOT_ANSWERED
        return next++
    }

    /** The answer to the request of [row] has been written; does nothing if that row has been dropped, or is [NO_ROW]. */
    fun answered(row: Long, now: Long) {
        if (row >= oldest) answeredAt[place(row)] = now
    }

    fun reset() {
        first = next
    }

    /** The rows in order of arrival, how many older rows were dropped, and when the first and the last of those arrived. */
    fun json(): String = buildString((next - oldest + 3).toInt() * ROW_LENGTH) {
        append("""{"schemaVersion":1,"columns":["a","connection","arrivedNanos","answeredNanos"],"rows":[""")
        (oldest until next).joinTo(this, ",") { row ->
            val place = place(row)
            val answered = answeredAt[place].takeIf { it != NOT_ANSWERED }
            "[${numbers[place]},${connections[place]},${arrivedAt[place]},$answered]"
        }
        val dropped = oldest - first
        val span = if (dropped == 0L) null else "[$droppedFrom,$droppedTo]"
        append("""],"dropped":$dropped,"droppedArrivedNanos":$span}""")
    }

    private fun place(row: Long): Int = (row % CAPACITY).toInt()

    internal companion object {
        const val CAPACITY: Int = 20_000
        const val NO_ROW: Long = -1 // of a request that has no number
        private const val NOT_ANSWERED = Long.MIN_VALUE
        private const val ROW_LENGTH = 48
    }
}
