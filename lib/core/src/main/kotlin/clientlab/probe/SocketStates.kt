package clientlab.probe

import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.useLines

/** One end of a TCP connection in the system's table: its ports, and its [state] as RFC 9293 names it. */
public data class SocketEnd(
    val localPort: Int,
    val remotePort: Int,
    val state: String,
)

/**
 * The states of all sockets of one listening port, from both ends; the system's table has both if both are on this machine.
 *
 * @property own the ends that connected to the port.
 * @property peer the ends of the process that listens there, without the listening socket itself.
 */
public class SocketStates(public val own: List<SocketEnd>, public val peer: List<SocketEnd>) {
    /** Connections that are in ESTABLISHED or CLOSE_WAIT at one end or the other: that end has not closed. */
    public val left: Int
        get() = (own.filter { it.state in OPEN }.map { it.localPort } + peer.filter { it.state in OPEN }.map { it.remotePort })
            .distinct()
            .size

    /** Counts by state, for metrics whose names begin with `own` or `peer`. */
    public fun counts(): Map<String, Double> = counts("own", own) + counts("peer", peer)

    private fun counts(end: String, sockets: List<SocketEnd>): Map<String, Double> {
        val named = SHOWN.associate { (state, name) -> "$end$name" to sockets.count { it.state == state }.toDouble() }
        return named + ("${end}Other" to sockets.count { socket -> SHOWN.none { it.first == socket.state } }.toDouble())
    }

    public companion object {
        private val TABLES = listOf("/proc/net/tcp", "/proc/net/tcp6").map(Path::of)
        private val OPEN = setOf("ESTABLISHED", "CLOSE_WAIT")
        private val SHOWN = listOf("ESTABLISHED" to "Established", "CLOSE_WAIT" to "CloseWait", "TIME_WAIT" to "TimeWait")

        /** In the order of Linux's `include/net/tcp_states.h`, from 1. */
        private val STATES =
            listOf(
                "ESTABLISHED",
                "SYN_SENT",
                "SYN_RECV",
                "FIN_WAIT1",
                "FIN_WAIT2",
                "TIME_WAIT",
                "CLOSE",
                "CLOSE_WAIT",
                "LAST_ACK",
                "LISTEN",
                "CLOSING",
                "NEW_SYN_RECV",
            )
        private const val HEX = 16
        private val BLANKS = Regex("\\s+")

        /** Reads the sockets of [port] now; null if the system has no such table. */
        public fun of(port: Int): SocketStates? {
            val tables = TABLES.filter { it.exists() }
            if (tables.isEmpty()) return null
            return of(port, tables.flatMap { table -> table.useLines { it.toList() } })
        }

        /** Reads the sockets of [port] from the [lines] of such tables. */
        internal fun of(port: Int, lines: List<String>): SocketStates {
            val ends = lines.mapNotNull(::end).filter { it.state != "LISTEN" }
            return SocketStates(ends.filter { it.remotePort == port }, ends.filter { it.localPort == port })
        }

        /** `  0: 0100007F:1F90 0100007F:C350 01 …`: number, local and remote address with their ports, state, all in hexadecimal. */
        private fun end(line: String): SocketEnd? {
            val cells = line.trim().split(BLANKS)
            if (cells.size < 4 || ':' !in cells[1] || ':' !in cells[2]) return null
            val state = cells[3].toIntOrNull(HEX) ?: return null
            return SocketEnd(port(cells[1]), port(cells[2]), STATES.getOrElse(state - 1) { "UNKNOWN" })
        }

        private fun port(address: String) = address.substringAfterLast(':').toInt(HEX)
    }
}
