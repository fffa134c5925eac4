package clientlab.server.evidence

/**
 * When each numbered request (`a=<number>`) arrived and was answered: the server's part of its timeline.
 *
 * A ring of [CAPACITY] rows, in which the newest replace the oldest; plain arrays, so that recording allocates nothing. Not
 * thread-safe: one event loop writes and reads it. Times are `System.nanoTime()` of this process, which on Linux is one clock
 * (`CLOCK_MONOTONIC`) for all processes of a machine.
 */
internal class RequestTable {
    private val numbers = IntArray(CAPACITY)
    private val connections = IntArray(CAPACITY)
    private val arrivedAt = LongArray(CAPACITY)
    private val answeredAt = LongArray(CAPACITY)

    /** Rows are counted from the server's start, so that an answer to a request from before a reset does not touch another's row. */
    private var next = 0L
    private var first = 0L

    /** When the requests of the first and the last dropped row arrived; valid only if rows were dropped. */
    private var droppedFrom = 0L
    private var droppedTo = 0L

    private val oldest: Long get() = maxOf(first, next - CAPACITY)

    /** Records that request [number] of connection [connection] has arrived, and returns the row to give to [answered]. */
    fun arrived(number: Int, connection: Int, now: Long): Long {
        val place = place(next)
        if (next - first >= CAPACITY) drop(place)
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

    /**
     * The rows in order of arrival, how many older rows were dropped, and when the requests of the first and the last of those arrived;
     * null if none was dropped.
     */
    fun json(): String = buildString((next - oldest).toInt() * ROW_LENGTH + HEAD_LENGTH) {
        append("""{"schemaVersion":1,"columns":["a","connection","arrivedNanos","answeredNanos"],"rows":[""")
        for (row in oldest until next) {
            val place = place(row)
            if (row > oldest) append(',')
            append('[')
                .append(numbers[place])
                .append(',')
                .append(connections[place])
                .append(',')
                .append(arrivedAt[place])
                .append(',')
            if (answeredAt[place] == NOT_ANSWERED) append("null") else append(answeredAt[place])
            append(']')
        }
        val dropped = oldest - first
        append("""],"dropped":""").append(dropped).append(""","droppedArrivedNanos":""")
        if (dropped == 0L) {
            append("null")
        } else {
            append("[")
                .append(droppedFrom)
                .append(',')
                .append(droppedTo)
                .append(']')
        }
        append('}')
    }

    private fun drop(place: Int) {
        if (next - first == CAPACITY.toLong()) droppedFrom = arrivedAt[place]
        droppedTo = arrivedAt[place]
    }

    private fun place(row: Long): Int = (row % CAPACITY).toInt()

    internal companion object {
        const val CAPACITY: Int = 20_000

        /** The row of a request that has no number. */
        const val NO_ROW: Long = -1
        private const val NOT_ANSWERED = Long.MIN_VALUE
        private const val ROW_LENGTH = 48
        private const val HEAD_LENGTH = 128
    }
}
