package clientlab.transfer

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/** The operation of a transfer; [label] is its spelling in the factor `operation`. */
@Serializable(with = OperationByLabel::class)
public enum class Operation(override val label: String) : Labelled {
    FileRead("file-read"),

    /** A file is written anew, into the page cache: the write does not wait for the disk. */
    FileWrite("file-write"),

    /** Bytes are written to a socket until the other end confirms all of them. */
    SocketWrite("socket-write"),

    /** A file is sent through a socket until the other end confirms all of it. */
    Pipeline("pipeline"),

    /** Connections carry bytes once, and this end closes them; then all sockets are inspected. */
    Close("close"),

    /** As [Close], but the other end closes first. */
    PeerClose("peer-close"),

    /** Bodies of answers are read, or bodies of requests are sent, over HTTP. */
    Download("download"),
    Upload("upload"),
    ;

    /** Whether clients do it instead of I/O APIs. */
    internal val overHttp: Boolean get() = this == Download || this == Upload

    override fun toString(): String = label
}

internal object OperationByLabel : ByLabel<Operation>("Operation", Operation.entries)

/** How a transfer is damaged on purpose, to see that the lab notices. */
@Serializable
public enum class Fault {
    /** It ends in the middle. */
    @SerialName("cut")
    Cut,

    /** One of its bytes is altered. */
    @SerialName("flip")
    Flip,
}

/**
 * Bytes moved from one place to another: the workload of source 001. A trial moves [bytes] bytes [iterations] times and keeps the time of
 * each; then once more, untimed, with a checksum at both ends and with the probes that count threads.
 *
 * @property operations levels of what is done, by each of [ioApis] that can do it, or over HTTP by each of [clients].
 * @property iterations how often each trial repeats the transfer; with `close`, how many connections it closes. The source has 20.
 * @property fault how every transfer is damaged on purpose, or null.
 */
@Serializable
@SerialName("transfer")
public data class Transfer(
    val operations: List<Operation>,
    @SerialName("means") val ioApis: List<IoApiInfo> = emptyList(),
    override val clients: List<ClientInfo> = emptyList(),
    val bytes: List<Long> = listOf(128.mebibytes),
    val inFlight: List<Int> = listOf(1),
    val iterations: Int = 20,
    val fault: Fault? = null,
) : Workload {
    init {
        refuseUnless(operations.isNotEmpty()) {
            "A transfer needs an operation, as in Transfer(listOf(Operation.FileRead), ioApis(\"stream\"))."
        }
        refuseUnlessDistinct("Transfer", listOf(Factor.OPERATION to operations, Factor.BYTES to bytes, Factor.IN_FLIGHT to inFlight))
        bytes.forEach { refuseUnless(it in 1..MOST_BYTES) { "A transfer of $it bytes is impossible: it has 1 byte to 1 GiB." } }
        inFlight.forEach { refuseUnless(it >= 1) { "$it transfers at once are impossible: there is 1 at least." } }
        refuseUnless(iterations in 1..MOST_ITERATIONS) { "$iterations iterations are impossible: a trial has 1 to $MOST_ITERATIONS." }
        refuseUnless(fault == null || operations.all { it in SPOILT }) {
            "A fault is made for ${SPOILT.joinToString()} alone, not for ${operations.first { it !in SPOILT }}."
        }
        operations.forEach { operation ->
            if (operation.overHttp) {
                refuseUnless(clients.isNotEmpty()) { "The operation $operation is done by clients: add clients = clients(\"retrofit\")." }
            } else {
                refuseUnless(ioApis.any { operation in it.operations }) {
                    "None of the I/O APIs ${ioApis.joinToString { it.id }} does $operation: ioApis() lists which does what."
                }
            }
        }
        val idle = ioApis.firstOrNull { one -> one.operations.none { it in operations } }
        refuseUnless(idle == null) {
            "The I/O API $idle does none of ${operations.joinToString()}; it does ${idle?.operations?.joinToString()}."
        }
        // One of the two may be empty: files need no clients, and downloads no I/O API.
        val movers = listOf(Factor.IO_API to ioApis.map { it.id }, Factor.CLIENT to clients.map { it.id })
        refuseUnlessDistinct("Transfer", movers.filter { it.second.isNotEmpty() })
    }

    override val metrics: List<Metric> get() = TransferMetrics.list

    override val mainMetric: Metric get() = TransferMetrics.iterationMedianMs

    override val treatments: List<Treatment>
        get() =
            operations.flatMap { operation ->
                bytes.flatMap { size ->
                    if (operation.overHttp) {
                        clients.flatMap { client -> inFlight.map { overHttp(operation, client, it, size) } }
                    } else {
                        ioApis.filter { operation in it.operations }.map { local(operation, it, size) }
                    }
                }
            }

    override fun withClients(clients: List<ClientInfo>): Transfer = copy(clients = clients)

    override fun smoke(): Transfer =
        copy(bytes = bytes.map { minOf(it, SMOKE_BYTES) }.distinct(), iterations = minOf(iterations, SMOKE_ITERATIONS))

    override fun expected(treatment: Treatment): Duration {
        val atOnce = treatment[Factor.IN_FLIGHT]?.toLong() ?: 1
        return (treatment.number(Factor.BYTES) * atOnce * (iterations + 1) / BYTES_PER_MS).milliseconds + AROUND
    }

    override fun jvmArgs(treatment: Treatment): List<String> =
        clients.firstOrNull { it.id == treatment.client }?.jvmArgs(treatment[Factor.IN_FLIGHT]).orEmpty()

    override val mostConnections: Int get() = maxOf(iterations, inFlight.max())

    /** The I/O API of [treatment]. */
    public fun ioApi(treatment: Treatment): IoApiInfo = ioApis.first { it.id == treatment[Factor.IO_API] }

    private fun local(operation: Operation, one: IoApiInfo, size: Long) =
        Treatment(Factor.OPERATION to operation.label, Factor.IO_API to one.id, Factor.BYTES to size)

    private fun overHttp(operation: Operation, client: ClientInfo, atOnce: Int, size: Long) =
        Treatment(Factor.CLIENT to client.id, Factor.OPERATION to operation.label, Factor.IN_FLIGHT to atOnce, Factor.BYTES to size)

    internal companion object {
        private val SPOILT = setOf(Operation.FileRead, Operation.SocketWrite, Operation.Pipeline, Operation.Download)
        private val MOST_BYTES = 1024.mebibytes
        private val SMOKE_BYTES = 4.mebibytes
        private val AROUND = 500.milliseconds
        private const val MOST_ITERATIONS = 1000
        private const val SMOKE_ITERATIONS = 5

        /** About 600 MiB per second: slower than most APIs, and possible on a busy machine. */
        private const val BYTES_PER_MS = 600_000L
    }
}

internal object TransferMetrics : MetricList({
    listOf(durationMs, inFlightPeak, connectionsOpened, connectionsPerRequest, closeMs, trialMs, cpuSeconds, allocatedBytes, threadsPeak) +
        cpuByKind.values
}) {
    val iterations by count("transfers that were timed, the first ones among them")
    val iterationMedianMs by ms("time of one transfer: median of the trial's iterations")
    val iterationMeanMs by ms("time of one transfer: mean of all iterations, as source 001 reports it")
    val iterationMinMs by ms("time of one transfer: the shortest")
    val iterationMaxMs by ms("time of one transfer: the longest")
    val iterationFirstMs by ms("time of the first transfer: nothing is compiled yet")
    val iterationSteadyMs by ms("time of one transfer: median of the last half of the iterations")
    val throughputMiBs by metric("MiB/s", "bytes of one transfer, or of all that go on at once, by the median time")
    val cpuSecondsPerMiB by metric("s/MiB", "processor time of the fork for each MiB, all timed iterations together")
    val allocatedBytesPerMiB by
        metric("bytes/MiB", "bytes that Java threads allocated for each MiB, all timed iterations together; not off the heap")
    val peerCpuSecondsPerMiB by metric("s/MiB", "processor time of the process at the other end, for each MiB")
    val peerBusy by count("processor time of the process at the other end, by the time of the timed iterations")
    val threadsAdded by count("platform threads more than before the transfer was opened, at most")
    val fileThreads by count("threads that were ever seen inside a read or write of a file")
    val fileThreadsBehind by
        count("threads that were ever seen inside a read or write of a file, without the one that asked for the transfer")
    val connectionsClosed by count("connections that were closed before the sockets were looked at")
    val socketsLeft by count("closed connections that are still ESTABLISHED or in CLOSE_WAIT at either end, a second after close")
    val ownEstablished by count("sockets of the fork in ESTABLISHED, a second after close")
    val ownCloseWait by count("sockets of the fork in CLOSE_WAIT, a second after close")
    val ownTimeWait by count("sockets of the fork in TIME_WAIT, the regular end of the side that closes first, a second after close")
    val ownOther by count("sockets of the fork in any other state, a second after close")
    val peerEstablished by count("sockets at the other end in ESTABLISHED, a second after close")
    val peerCloseWait by count("sockets at the other end in CLOSE_WAIT, a second after close")
    val peerTimeWait by count("sockets at the other end in TIME_WAIT, a second after close")
    val peerOther by count("sockets at the other end in any other state, a second after close")
}

/** So many MiB, in bytes: `128.mebibytes`. */
public val Int.mebibytes: Long get() = this * (1L shl 20)
