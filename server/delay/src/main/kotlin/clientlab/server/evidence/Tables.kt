package clientlab.server.evidence

/** What the server saw of one connection since the last reset; a request changes plain fields and allocates nothing. */
internal class ConnectionRecord(val number: Int, val openedAt: Long) {
    var closedAt: Long = OPEN
    var protocol: Protocol? = null // of the last request; null before the first
    var requests: Int = 0
    var atOnce: Int = 0 // requests that arrived and are not over: in HTTP/1.1 pipelined, in HTTP/2 on streams
    var mostAtOnce: Int = 0
    var isUsed: Boolean = false // it has carried a request; a reset keeps this, because a warmed-up pool is reused
    var countedIn: Int = 0 // one bit for each protocol under which it has been counted

    fun reset() {
        requests = 0
        mostAtOnce = atOnce
        countedIn = 0
    }

    fun row(): String {
        val key = protocol?.let { "\"${it.key}\"" }
        return "[$number,$key,$requests,$mostAtOnce,$openedAt,${closedAt.takeIf { it != OPEN }}]"
    }

    private companion object {
        const val OPEN = Long.MIN_VALUE
    }
}

/** Numbers per protocol since the last reset, and a row per connection. Not thread-safe. A request takes no memory. */
internal class ConnectionTable {
    private var uses = newUses()
    private val open = LinkedHashSet<ConnectionRecord>()
    private val closed = ArrayDeque<ConnectionRecord>()
    private var dropped = 0L

    fun opened(connection: ConnectionRecord) {
        open += connection
    }

    fun closed(connection: ConnectionRecord, now: Long) {
        connection.closedAt = now
        open -= connection
        if (closed.size == CAPACITY) {
            closed.removeFirst()
            dropped++
        }
        closed.addLast(connection)
    }

    /** A request has arrived on [connection]; a call of [ended] follows each call. */
    fun arrived(connection: ConnectionRecord, protocol: Protocol) {
        val use = uses[protocol.ordinal]
        use.requests++
        if (connection.isUsed) use.reused++ else connection.isUsed = true
        val bit = 1 shl protocol.ordinal
        if (connection.countedIn and bit == 0) {
            connection.countedIn = connection.countedIn or bit
            use.connections++
        }
        connection.protocol = protocol
        if (++connection.requests > use.mostPerConnection) use.mostPerConnection = connection.requests
        if (++connection.atOnce > connection.mostAtOnce) connection.mostAtOnce = connection.atOnce
        if (connection.atOnce > use.mostAtOnce) use.mostAtOnce = connection.atOnce
    }

    fun ended(connection: ConnectionRecord) {
        connection.atOnce--
    }

    fun byProtocol(): Map<String, ProtocolUse> = Protocol.entries
        .filter { uses[it.ordinal].requests > 0 }
        .associate { it.key to uses[it.ordinal].told() }

    /** Forgets the closed connections and the counts; requests that are under way on open connections still count as at once. */
    fun reset() {
        uses = newUses()
        closed.clear()
        dropped = 0
        for (connection in open) {
            connection.reset()
            val use = uses[connection.protocol?.ordinal ?: continue]
            if (connection.atOnce > use.mostAtOnce) use.mostAtOnce = connection.atOnce
        }
    }

    /** The rows (closed connections in the order in which they closed, then the open ones), and how many rows were dropped. */
    fun json(): String = buildString((closed.size + open.size + 3) * ROW_LENGTH) {
        append("""{"schemaVersion":1,"columns":["connection","protocol","requests","mostAtOnce","openedNanos","closedNanos"],"rows":[""")
        (closed.asSequence() + open).joinTo(this, ",") { it.row() }
        append("""],"dropped":$dropped}""")
    }

    private class Use {
        var connections = 0L
        var requests = 0L
        var reused = 0L
        var mostPerConnection = 0
        var mostAtOnce = 0

        fun told() = ProtocolUse(connections, requests, reused, mostPerConnection, mostAtOnce)
    }

    internal companion object {
        const val CAPACITY: Int = 20_000 // rows of closed connections; open connections all keep theirs
        private const val ROW_LENGTH = 64

        private fun newUses() = Array(Protocol.entries.size) { Use() }
    }
}

/**
 * When each numbered request (`a=<number>`) arrived and was answered, in `System.nanoTime()`: a ring of [CAPACITY] rows, in which the
 * newest replace the oldest. Recording allocates nothing. Not thread-safe: for the one event loop.
 */
internal class RequestTable {
    private val numbers = IntArray(CAPACITY)
    private val connections = IntArray(CAPACITY)
    private val arrivedAt = LongArray(CAPACITY)
    private val answeredAt = LongArray(CAPACITY)
    private var next = 0L // rows are counted from the server's start, so that an answer from before a reset touches no other row
    private var first = 0L
    private var droppedFrom = 0L // when the requests of the first and the last dropped row arrived; valid only if rows were dropped
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
