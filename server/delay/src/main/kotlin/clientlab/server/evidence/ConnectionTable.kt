package clientlab.server.evidence

/**
 * What the server saw of one connection of the data port since the last reset; a request changes plain fields and allocates nothing.
 *
 * @property number counts the connections from the server's start.
 * @property openedAt `System.nanoTime()` when the connection was accepted; [closedAt] when it had gone, or the least number.
 */
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

/**
 * How connections were used since the last reset: a few numbers per protocol, which stay exact if rows are dropped, and a row per
 * connection. Not thread-safe: for the one event loop. A request takes no memory.
 */
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

    /** That request has been answered or abandoned. */
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
