package clientlab.server.evidence

/**
 * What the server saw of one connection of the data port since the last reset; a request changes plain fields and allocates nothing.
 *
 * @property number counts the connections from the server's start.
 * @property openedAt `System.nanoTime()` when the connection was accepted; [closedAt] when it had gone, or [OPEN].
 */
internal class ConnectionRecord(val number: Int, val openedAt: Long) {
    var closedAt: Long = OPEN

    /** The protocol of the last request, or null before the first. */
    var protocol: Protocol? = null

    /** Requests arrived. */
    var requests: Int = 0

    /** Requests that arrived and are not over: in HTTP/1.1 pipelined, in HTTP/2 on streams. */
    var atOnce: Int = 0
    var mostAtOnce: Int = 0

    /** Whether it ever carried a request; a reset keeps this, because a warmed-up pool is reused. */
    var isUsed: Boolean = false

    /** One bit for each protocol under which it has been counted. */
    var countedIn: Int = 0

    fun reset() {
        requests = 0
        mostAtOnce = atOnce
        countedIn = 0
    }

    companion object {
        const val OPEN: Long = Long.MIN_VALUE
    }
}
