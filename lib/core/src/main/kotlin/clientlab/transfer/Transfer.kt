package clientlab.transfer

import clientlab.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/** The operation of a transfer; [label] is its spelling in the factor `operation`. */
@Serializable
public enum class Operation(public val label: String) {
    /** A file is read to its end. */
    @SerialName("file-read")
    FileRead("file-read"),

    /** A file is written anew, into the page cache: the write does not wait for the disk. */
    @SerialName("file-write")
    FileWrite("file-write"),

    /** Bytes are written to a socket until the other end confirms all of them. */
    @SerialName("socket-write")
    SocketWrite("socket-write"),

    /** A file is sent through a socket until the other end confirms all of it. */
    @SerialName("pipeline")
    Pipeline("pipeline"),

    /** Connections carry bytes once, and this end closes them; then all sockets are inspected. */
    @SerialName("close")
    Close("close"),

    /** The same, but the other end closes first. */
    @SerialName("peer-close")
    PeerClose("peer-close"),

    /** Bodies of answers are read over HTTP. */
    @SerialName("download")
    Download("download"),

    /** Bodies of requests are sent over HTTP. */
    @SerialName("upload")
    Upload("upload"),
    ;

    /** Whether clients do it instead of I/O APIs. */
    public val overHttp: Boolean get() = this == Download || this == Upload

    override fun toString(): String = label
}

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
 * Bytes moved from one place to another: the workload of source 001.
 *
 * A trial moves [bytes] bytes [iterations] times over, each iteration timed alone and kept, the first ones too; then once more, untimed,
 * with a checksum at both ends and with the probes that count threads.
 *
 * @property operations levels of what is done, by each of [ioApis] that can do it, or over HTTP by each of [clients].
 * @property bytes levels of the bytes of one transfer.
 * @property inFlight levels of concurrent transfers over HTTP.
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
        refuseUnless(
            operations.isNotEmpty(),
        ) { "A transfer needs an operation, as in Transfer(listOf(Operation.FileRead), ioApis(\"stream\"))." }
        refuseUnlessDistinct("transfer", listOf(Factor.OPERATION to operations, Factor.BYTES to bytes, Factor.IN_FLIGHT to inFlight))
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
        refuseUnless(
            idle == null,
        ) { "The I/O API $idle does none of ${operations.joinToString()}; it does ${idle?.operations?.joinToString()}." }
        // One of the two may be empty: files need no clients, and downloads no I/O API.
        listOf(Factor.IO_API to ioApis.map { it.id }, Factor.CLIENT to clients.map { it.id })
            .filter { it.second.isNotEmpty() }
            .let { refuseUnlessDistinct("transfer", it) }
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
        clients.firstOrNull { it.id == treatment.client }?.jvmArgs.orEmpty().map {
            it.replace("{inFlight}", treatment[Factor.IN_FLIGHT].orEmpty())
        }

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

/** So many MiB, in bytes: `128.mebibytes`. */
public val Int.mebibytes: Long get() = this * (1L shl 20)
