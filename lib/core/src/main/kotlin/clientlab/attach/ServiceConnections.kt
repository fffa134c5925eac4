package clientlab.attach

import clientlab.probe.*
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readLines
import kotlin.io.path.readSymbolicLink

/** A TCP connection of a process from [localPort] to [peer], and for how long nothing has come or gone, if the system says so. */
public data class ServiceConnection(val localPort: Int, val peer: String, val state: String, val idleMs: Long?) {
    /** What tells it from the others. */
    public val id: String get() = "$localPort $peer"
}

/** The outgoing TCP connections of a process, from Linux's tables; none where there are no such tables. */
public object ServiceConnections {
    public fun of(pid: Long, proc: Path = Path.of("/proc")): List<ServiceConnection> {
        val own = sockets(proc.resolve("$pid/fd"))
        if (own.isEmpty()) return emptyList()
        val ends = listOf("tcp", "tcp6").flatMap { table -> lines(proc.resolve("$pid/net/$table")).mapNotNull(::end) }
        val listening = ends.filter { it.state == "LISTEN" }.map { it.localPort }.toSet()
        val idle = idle()
        return ends
            .filter { it.inode in own && it.state != "LISTEN" && it.localPort !in listening }
            .map { ServiceConnection(it.localPort, it.remote, it.state, idle["${it.localPort} ${it.remotePort}"]) }
    }

    private class End(val localPort: Int, val remote: String, val remotePort: Int, val state: String, val inode: String)

    private fun sockets(folder: Path): Set<String> = try {
        folder
            .listDirectoryEntries()
            .mapNotNull {
                SOCKET.matchEntire(runCatching { it.readSymbolicLink().toString() }.getOrDefault(""))?.groupValues?.get(1)
            }.toSet()
    } catch (_: IOException) {
        emptySet()
    }

    private fun lines(file: Path): List<String> = if (Files.isReadable(file)) {
        runCatching {
            file.readLines()
        }.getOrDefault(emptyList())
    } else {
        emptyList()
    }

    /** `0: 0100007F:1F90 0100007F:C350 01 … 0 0 12345`: number, both ends, state, and in the tenth place the inode. */
    private fun end(line: String): End? {
        val cells = line.trim().split(BLANKS)
        if (cells.size < INODE + 1 || ':' !in cells[1] || ':' !in cells[2]) return null
        val state = tcpState(cells[STATE]) ?: return null
        val (address, port) = cells[2].split(':')
        return End(cells[1].substringAfter(':').toInt(HEX), "${host(address)}:${port.toInt(HEX)}", port.toInt(HEX), state, cells[INODE])
    }

    /** Four bytes, the last one first; of sixteen, such as a mapped address of four, each group of four is turned around. */
    private fun host(hex: String): String {
        val bytes = hex.chunked(GROUP).flatMap { group -> group.chunked(2).map { it.toInt(HEX) }.reversed() }
        val four = if (bytes.size == FOUR) bytes else bytes.takeLast(FOUR).takeIf { bytes.take(MAPPED).all { it == 0 } }
        return four?.joinToString(".") ?: bytes.chunked(2) { (a, b) -> (a * BYTE + b).toString(HEX) }.joinToString(":", "[", "]")
    }

    /** How long each connection has been idle, by its ports, as the system's `ss` tells; empty where there is none. */
    private fun idle(): Map<String, Long> = try {
        val asked = ProcessBuilder("ss", "-tniH").redirectError(ProcessBuilder.Redirect.DISCARD).start()
        val said = asked.inputReader().readLines()
        asked.waitFor(1, TimeUnit.SECONDS)
        said.zipWithNext().mapNotNull { (head, more) -> idleOf(head, more) }.toMap()
    } catch (_: IOException) {
        emptyMap()
    }

    internal fun idleOf(head: String, more: String): Pair<String, Long>? {
        val ends = head.trim().split(BLANKS).filter { PORT.containsMatchIn(it) }.takeIf { it.size == 2 } ?: return null
        val since = LAST.findAll(more).map { it.groupValues[1].toLong() }.toList().ifEmpty { return null }
        return ends.joinToString(" ") { it.substringAfterLast(':') } to since.min()
    }

    private val SOCKET = Regex("socket:\\[(\\d+)]")
    private val BLANKS = Regex("\\s+")
    private val PORT = Regex(":\\d+$")
    private val LAST = Regex("last(?:snd|rcv):(\\d+)")
    private const val STATE = 3
    private const val INODE = 9
    private const val HEX = 16
    private const val GROUP = 8
    private const val FOUR = 4
    private const val MAPPED = 10
    private const val BYTE = 256
}
