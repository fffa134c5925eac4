package clientlab.probe

/** One end of a TCP connection in the system's table: its ports, and its [state] as RFC 9293 names it. */
internal data class SocketEnd(val localPort: Int, val remotePort: Int, val state: String)

/** The state of a TCP connection as RFC 9293 names it, from the [hex] number in Linux's tables; null if it is no number. */
public fun tcpState(hex: String): String? = hex.toIntOrNull(HEX)?.let { STATES.getOrElse(it - 1) { "UNKNOWN" } }

/** In the order of Linux's `include/net/tcp_states.h`, from 1. */
private val STATES =
    "ESTABLISHED SYN_SENT SYN_RECV FIN_WAIT1 FIN_WAIT2 TIME_WAIT CLOSE CLOSE_WAIT LAST_ACK LISTEN CLOSING NEW_SYN_RECV".split(' ')
private const val HEX = 16

/** The sockets of one listening port on this machine: the [own] ends, which connected to it, and the [peer] ends, without the listener. */
internal class SocketStates(val own: List<SocketEnd>, val peer: List<SocketEnd>) {
    /** Connections that are in ESTABLISHED or CLOSE_WAIT at one end or the other: that end has not closed. */
    val left: Int
        get() = (own.filter { it.state in OPEN }.map { it.localPort } + peer.filter { it.state in OPEN }.map { it.remotePort }).toSet().size

    /** Counts by state, under names that begin with `own` or `peer`. */
    fun counts(): Map<String, Double> = counts("own", own) + counts("peer", peer)

    private fun counts(end: String, sockets: List<SocketEnd>): Map<String, Double> {
        val named = SHOWN.entries.associate { (state, name) -> "$end$name" to sockets.count { it.state == state }.toDouble() }
        return named + ("${end}Other" to sockets.count { it.state !in SHOWN }.toDouble())
    }

    companion object {
        private val TABLES = listOf("proc/net/tcp", "proc/net/tcp6")
        private val OPEN = setOf("ESTABLISHED", "CLOSE_WAIT")
        private val SHOWN = mapOf("ESTABLISHED" to "Established", "CLOSE_WAIT" to "CloseWait", "TIME_WAIT" to "TimeWait")

        private val BLANKS = Regex("\\s+")

        /** Reads the sockets of [port] now; null if the system has no such table. */
        fun of(port: Int): SocketStates? = TABLES.flatMap(SystemFiles.here::lines).ifEmpty { null }?.let { of(port, it) }

        /** Reads the sockets of [port] from the [lines] of such tables. */
        fun of(port: Int, lines: List<String>): SocketStates {
            val ends = lines.mapNotNull(::end).filter { it.state != "LISTEN" }
            return SocketStates(ends.filter { it.remotePort == port }, ends.filter { it.localPort == port })
        }

        /** `  0: 0100007F:1F90 0100007F:C350 01 …`: number, local and remote address with their ports, state, all in hexadecimal. */
        private fun end(line: String): SocketEnd? {
            val cells = line.trim().split(BLANKS)
            if (cells.size < 4 || ':' !in cells[1] || ':' !in cells[2]) return null
            return SocketEnd(port(cells[1]), port(cells[2]), tcpState(cells[3]) ?: return null)
        }

        private fun port(address: String) = address.substringAfterLast(':').toInt(HEX)
    }
}
