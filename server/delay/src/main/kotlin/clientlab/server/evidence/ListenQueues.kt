package clientlab.server.evidence

import java.nio.file.Files
import java.nio.file.Path

/**
 * How often Linux found an accept queue full, since the machine started, over all its listeners.
 *
 * An overflow makes the client send its SYN again one second later, so a burst with an overflow measures nothing.
 */
internal data class ListenQueues(val overflows: Long, val drops: Long) {
    operator fun minus(other: ListenQueues): ListenQueues = ListenQueues(overflows - other.overflows, drops - other.drops)

    companion object {
        /** Null if the system does not say. */
        fun read(netstat: Path = Path.of("/proc/net/netstat")): ListenQueues? = runCatching {
            // Two lines with one prefix: the names, then the numbers.
            val (names, numbers) = Files.readAllLines(netstat).filter { it.startsWith("TcpExt:") }.map { it.split(' ') }

            fun value(name: String): Long = numbers[names.indexOf(name)].toLong()
            ListenQueues(value("ListenOverflows"), value("ListenDrops"))
        }.getOrNull()
    }
}

/** The length of accept queue that the server asks for; Linux grants at most `net.core.somaxconn`. */
internal const val BACKLOG_ASKED: Int = 4096

/** The length that the system grants, at most [BACKLOG_ASKED]. */
internal fun grantedBacklog(limit: Path = Path.of("/proc/sys/net/core/somaxconn")): Int = runCatching {
    // In one read: the kernel returns nothing to a second one, and Files.readString begins with a single byte.
    val text = Files.newInputStream(limit).use { it.readNBytes(32) }.decodeToString()
    text.trim().toInt().coerceAtMost(BACKLOG_ASKED)
}.getOrDefault(BACKLOG_ASKED)
