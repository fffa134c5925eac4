package clientlab.server.evidence

import clientlab.server.answer.*
import java.nio.file.Files
import java.nio.file.Path
import kotlin.jvm.optionals.getOrNull

/** The counters since one reset, as [Evidence] explains them; times are `System.nanoTime()`. Not thread-safe: for the one event loop. */
internal class Counters(val resetAt: Long, inFlight: Int, connectionsOpen: Int) {
    val epochNanosAtReset: Long = epochNanos()
    val inFlightAtReset: Int = inFlight
    private val queuesAtReset = ListenQueues.read()
    private val cpuMsAtReset = processCpuMs()

    var arrived: Long = 0
    val arrivedBy: LongArray = LongArray(Protocol.entries.size)
    var firstArrivalAt: Long = 0
    var peakInFlight: Int = inFlight
    var answered: Long = 0
    var answeredEarly: Long = 0
    var answeredOk: Long = 0
    var lastAnswerAt: Long = 0
    var rejected: Long = 0
    var abandoned: Long = 0
    val onPurpose: LongArray = LongArray(Fault.entries.size) // requests abandoned, by the fault asked for; NONE if their client went
    val behind: LongArray = LongArray(Fault.entries.size) // connections ended behind a full answer, by fault
    var statusAsked: Long = 0
    var connectionsOpened: Long = 0
    var peakConnections: Int = connectionsOpen
    var connectionsRefused: Long = 0
    var connectionsTimedOut: Long = 0
    var acceptsFailed: Long = 0
    var tlsHandshakes: Long = 0
    var streamErrors: Long = 0
    var connectionErrors: Long = 0
    var bytesSent: Long = 0
    var bytesReceived: Long = 0

    fun byProtocol(): Map<String, Long> =
        Protocol.entries.filter { arrivedBy[it.ordinal] > 0 }.associate { it.key to arrivedBy[it.ordinal] }

    fun onPurpose(): OnPurpose = OnPurpose(
        closed = onPurpose[Fault.CLOSE.ordinal],
        reset = onPurpose[Fault.RESET.ordinal],
        stalled = onPurpose[Fault.STALL.ordinal],
        closedBehindAnswer = behind[Fault.CLOSE.ordinal],
        resetBehindAnswer = behind[Fault.RESET.ordinal],
        otherStatus = statusAsked,
    )

    /** Null if the system does not say; so is [cpuMsSinceReset]. */
    fun queuesSinceReset(): ListenQueues? = queuesAtReset?.let { before -> ListenQueues.read()?.minus(before) }

    fun cpuMsSinceReset(): Long? = cpuMsAtReset?.let { before -> processCpuMs()?.minus(before) }

    private fun processCpuMs(): Long? {
        val spent = ProcessHandle.current().info().totalCpuDuration()
        return spent.getOrNull()?.toMillis()
    }
}

/** How a request came; [key] is its name in the evidence. */
internal enum class Protocol(val key: String) {
    HTTP_1_0("http/1.0"),
    HTTP_1_1("http/1.1"),
    H2C_UPGRADE_ASKED("h2c-upgrade-asked"), // answered in HTTP/1.1
    H2C("h2c"), // in cleartext, with prior knowledge or by an upgrade
    H2("h2"), // over TLS
    H3("h3"), // over QUIC
    OTHER("other"),
    MALFORMED("malformed"),
}

/** How often Linux found an accept queue full; the client then sends its SYN again one second later, so such a burst measures nothing. */
internal data class ListenQueues(val overflows: Long, val drops: Long) {
    operator fun minus(other: ListenQueues): ListenQueues = ListenQueues(overflows - other.overflows, drops - other.drops)

    companion object {
        /** Null if the system does not say. */
        fun read(): ListenQueues? = runCatching {
            // Two lines with one prefix: the names, then the numbers.
            val lines = Files.readAllLines(Path.of("/proc/net/netstat")).filter { it.startsWith("TcpExt:") }
            val (names, numbers) = lines.map { it.split(' ') }

            fun value(name: String): Long = numbers[names.indexOf(name)].toLong()
            ListenQueues(value("ListenOverflows"), value("ListenDrops"))
        }.getOrNull()
    }
}

internal const val BACKLOG_ASKED: Int = 4096 // length of the accept queue

/** The length that Linux grants: at most `net.core.somaxconn`. */
internal fun grantedBacklog(limit: Path = Path.of("/proc/sys/net/core/somaxconn")): Int = runCatching {
    // In one read: the kernel returns nothing to a second one, and Files.readString begins with a single byte.
    val text = Files.newInputStream(limit).use { it.readNBytes(32) }.decodeToString()
    text.trim().toInt().coerceAtMost(BACKLOG_ASKED)
}.getOrDefault(BACKLOG_ASKED)
