package clientlab.transfer

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import java.io.IOException
import java.net.Socket
import java.util.Locale
import java.util.zip.CRC32
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/** Downloads and uploads by a client: the timed iterations, then one with checksums at both ends. */
internal class HttpTransfers(scope: TrialScope, private val workload: Transfer, operation: Operation, private val bytes: Long) {
    private val address = scope.spec.server
    private val server = scope.server
    private val isDownload = operation == Operation.Download
    private val atOnce = scope.number(Factor.IN_FLIGHT)
    private val path =
        when {
            !isDownload -> "/sink"
            workload.fault == Fault.Cut -> "/bytes/$bytes?cut=${bytes / 2}"
            workload.fault == Fault.Flip -> "/bytes/$bytes?flip=1"
            else -> "/bytes/$bytes"
        }
    private val upload = Request(path, method = "POST", bodyBytes = bytes)

    fun measure(client: Client): TransferResult {
        val sent = sentChecksum()
        server.reset()
        val threads = threadsNow()
        val result = client.open(Conditions(address.baseUrl, atOnce)).use { measure(it, sent, threads) }
        return result.copy(numbers = result.numbers + socketsLeft())
    }

    private fun measure(session: Session, sent: Long, threadsBefore: Int): TransferResult {
        val cpuBefore = server.evidence().cpuMs ?: 0.0
        val iterations = Iterations.run<List<Reply>>(workload.iterations, ::wrong) { send(session, checksum = false) to null }
        val serverCpuSeconds = ((server.evidence().cpuMs ?: 0.0) - cpuBefore) / 1000
        val (wrong, threads) =
            checkedPass(iterations, threadsBefore) {
                val replies = send(session, checksum = true)
                wrong(replies) ?: replies.firstNotNullOfOrNull { wrongChecksum(sent, it.checksum) }
            }
        val evidence = server.evidence()
        val numbers =
            buildMap {
                putAll(iterations.metrics(bytes * atOnce, peerCpuSeconds = serverCpuSeconds))
                putAll(threads)
                tell(CommonMetrics.inFlightPeak, evidence.peakInFlight)
                tellConnections(evidence)
            }
        val fewer = "Only ${evidence.peakInFlight} of $atOnce were in flight at once.".takeIf { evidence.peakInFlight < atOnce }
        return TransferResult(
            numbers = numbers,
            reasons = listOfNotNull(wrong),
            warnings = listOfNotNull(fewer),
            curves = mapOf("iterationMs" to iterations.curve()),
            evidence = evidence,
        )
    }

    private fun send(session: Session, checksum: Boolean): List<Reply> {
        val request = if (isDownload) Request(path, checksum = checksum, large = true) else upload.copy(checksum = checksum)
        return runBlocking { List(atOnce) { async { session.send(request) } }.awaitAll() }
    }

    private fun wrong(replies: List<Reply>): String? =
        replies.firstNotNullOfOrNull {
            if (it.status != OK) "The server answered with status ${it.status}." else wrongLength(bytes, it.bytes.takeIf { isDownload })
        }

    /**
     * The checksum that a reply must have. For a download it is the server's own, from a header. For an upload it is that of the server's
     * answer, which depends on every byte that arrived.
     */
    private fun sentChecksum(): Long {
        if (isDownload) return header("/bytes/$bytes", "x-crc32").toLong(HEX)
        val zeros = Content.checksum(ByteArray(Content.BLOCK), bytes)
        val answer = "{\"bytes\":$bytes,\"crc32\":\"%08x\"}\n".format(Locale.ROOT, zeros)
        return CRC32().apply { update(answer.encodeToByteArray()) }.value
    }

    /** The header [name] of the answer to a GET of [path], read on a plain socket and without the body. */
    private fun header(path: String, name: String): String =
        Socket(address.host, address.port).use { socket ->
            val request = "GET $path HTTP/1.1\r\nHost: ${address.host}\r\nConnection: close\r\n\r\n"
            socket.getOutputStream().write(request.encodeToByteArray())
            val lines = socket.getInputStream().bufferedReader().lineSequence()
            val head = lines.takeWhile { it.isNotEmpty() }.toList()
            val line = head.firstOrNull { it.startsWith("$name:", ignoreCase = true) }
            if (line == null) throw IOException("The server's answer to $path has no header $name: ${head.firstOrNull()}.")
            line.substringAfter(':').trim()
        }

    /** Sockets to the server that are there after close. It looks for a moment only: another workload looks at what is left longer. */
    private fun socketsLeft(): Numbers {
        val until = TimeSource.Monotonic.markNow() + LOOKING
        while (true) {
            val left = SocketStates.of(address.port)?.left ?: return emptyMap()
            if (left == 0 || until.hasPassedNow()) return mapOf(TransferMetrics.socketsLeft to left.toDouble())
            Thread.sleep(LOOK.inWholeMilliseconds)
        }
    }

    private companion object {
        private val LOOKING = 250.milliseconds
        private val LOOK = 10.milliseconds
        private const val OK = 200
        private const val HEX = 16
    }
}
