package clientlab.server.evidence

import clientlab.server.answer.*
import java.time.Instant
import java.time.temporal.ChronoUnit

/** The counters since one reset, as [Evidence] explains them; times are `System.nanoTime()`. Not thread-safe: for the one event loop. */
internal class Counters(val resetAt: Long, inFlight: Int, connectionsOpen: Int) {
    val epochNanosAtReset: Long = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now())
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

    /** Requests abandoned, by the fault that they asked for; [Fault.NONE] if their client went. */
    val onPurpose: LongArray = LongArray(Fault.entries.size)

    /** Connections ended behind a full answer, by fault. */
    val behind: LongArray = LongArray(Fault.entries.size)
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

    fun byProtocol(): Map<String, Long> = Protocol.entries
        .filter {
            arrivedBy[it.ordinal] > 0
        }.associate { it.key to arrivedBy[it.ordinal] }

    fun onPurpose(): OnPurpose = OnPurpose(
        closed = onPurpose[Fault.CLOSE.ordinal],
        reset = onPurpose[Fault.RESET.ordinal],
        stalled = onPurpose[Fault.STALL.ordinal],
        closedBehindAnswer = behind[Fault.CLOSE.ordinal],
        resetBehindAnswer = behind[Fault.RESET.ordinal],
        otherStatus = statusAsked,
    )

    /** What Linux counted of accept queues since the reset; null if the system does not say. */
    fun queuesSinceReset(): ListenQueues? = queuesAtReset?.let { before -> ListenQueues.read()?.minus(before) }

    /** Processor time of this process since the reset, in milliseconds; null if the system does not say. */
    fun cpuMsSinceReset(): Long? = cpuMsAtReset?.let { before -> processCpuMs()?.minus(before) }

    private companion object {
        fun processCpuMs(): Long? {
            val spent = ProcessHandle.current().info().totalCpuDuration()
            return spent.map { it.toMillis() }.orElse(null)
        }
    }
}
