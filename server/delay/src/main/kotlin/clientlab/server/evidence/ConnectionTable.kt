package clientlab.server.evidence

/**
 * How connections were used since the last reset: a few numbers per protocol, and a row per connection.
 *
 * The numbers stay exact if rows are dropped. Not thread-safe: one event loop writes and reads it. It takes memory per connection, and
 * none per request.
 */
internal class ConnectionTable {
    private val uses = Array(Protocol.entries.size) { Use() }
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

    /** That request has been answered or abandoned. */
    fun ended(connection: ConnectionRecord) {
        connection.atOnce--
    }

    fun byProtocol(): Map<String, ProtocolUse> = Protocol.entries
        .filter { uses[it.ordinal].requests > 0 }
        .associate { it.key to uses[it.ordinal].told() }

    /** Forgets the closed connections and the counts; requests that are under way on open connections still count as at once. */
    fun reset() {
        uses.forEach { it.reset() }
        closed.clear()
        dropped = 0
        for (connection in open) {
            connection.reset()
            val use = uses[connection.protocol?.ordinal ?: continue]
            if (connection.atOnce > use.mostAtOnce) use.mostAtOnce = connection.atOnce
        }
    }

    /** The rows (closed connections in the order in which they closed, then the open ones), and how many rows were dropped. */
    fun json(): String = buildString((closed.size + open.size) * ROW_LENGTH + HEAD_LENGTH) {
        append("""{"schemaVersion":1,"columns":["connection","protocol","requests","mostAtOnce","openedNanos","closedNanos"],"rows":[""")
        var separator = ""
        for (connection in closed.asSequence() + open.asSequence()) {
            append(separator).append('[').append(connection.number).append(',')
            connection.protocol?.let { append('"').append(it.key).append('"') } ?: append("null")
            append(',')
                .append(connection.requests)
                .append(',')
                .append(connection.mostAtOnce)
                .append(',')
            append(connection.openedAt).append(',')
            if (connection.closedAt == ConnectionRecord.OPEN) append("null") else append(connection.closedAt)
            append(']')
            separator = ","
        }
        append("""],"dropped":""").append(dropped).append('}')
    }

    private class Use {
        var connections = 0L
        var requests = 0L
        var reused = 0L
        var mostPerConnection = 0
        var mostAtOnce = 0

        fun told() = ProtocolUse(connections, requests, reused, mostPerConnection, mostAtOnce)

        fun reset() {
            connections = 0
            requests = 0
            reused = 0
            mostPerConnection = 0
            mostAtOnce = 0
        }
    }

    internal companion object {
        /** Most rows of closed connections; open connections all keep theirs. */
        const val CAPACITY: Int = 20_000
        private const val ROW_LENGTH = 64
        private const val HEAD_LENGTH = 160
    }
}
