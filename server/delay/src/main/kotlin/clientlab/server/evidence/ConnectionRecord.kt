package clientlab.server.evidence

/**
 * What was seen of one connection of the data port since the last reset, in plain fields: a request changes them and allocates nothing.
 *
 * @property number counted from the server's start.
 * @property openedAt `System.nanoTime()` when it was accepted, and [closedAt] when it had gone, or [OPEN].
 */
internal class ConnectionRecord(val number: Int, val openedAt: Long) {
    var closedAt: Long = OPEN

    /** How the last request came, or null before the first. */
    var protocol: Protocol? = null

    /** Requests arrived. */
    var requests: Int = 0

    /** Requests arrived and neither answered nor abandoned: what HTTP/1.1 pipelines and HTTP/2 has in streams. */
    var atOnce: Int = 0
    var mostAtOnce: Int = 0

    /** Whether it has carried a request at all; a reset does not forget that, for a pool that was warmed up is reused. */
    var isUsed: Boolean = false

    /** One bit for each protocol in which it has been counted. */
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
