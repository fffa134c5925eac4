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
import java.util.zip.CRC32
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/** Downloads and uploads by a client: the timed iterations, then one with checksums at both ends. */
internal class HttpTransfers(
    scope: TrialScope,
    private val workload: Transfer,
    private val operation: Operation,
    private val bytes: Long,
) {
    private val spec = scope.spec
    private val server = scope.server
    private val atOnce = scope.number(Factor.IN_FLIGHT)

    fun measure(client: Client): TransferResult {
        val sent = sentChecksum()
        server.reset()
        val threads = threadsNow()
        val session = client.open(Conditions(spec.server.baseUrl, atOnce))
        return session.use { measure(it, sent, threads) }.let { result ->
            result.copy(result.numbers + stay(spec.server.port))
        }
    }

    private fun measure(session: Session, sent: Long, threadsBefore: Int): TransferResult {
        val cpuBefore = server.evidence().cpuMs ?: 0.0
        val iterations =
            Iterations.run<List<Reply>>(workload.iterations, { replies -> replies.firstNotNullOfOrNull(::wrong) }) {
                send(session, checksum = false) to null
            }
        val cpu = ((server.evidence().cpuMs ?: 0.0) - cpuBefore) / 1000
        val metrics = iterations.metrics(bytes * atOnce) + iterations.peerMetrics(bytes * atOnce, cpu)
        val checked = if (iterations.broken == null) check(session, sent, threadsBefore) else null
        val evidence = server.evidence()
        return TransferResult(
            numbers =
                metrics + checked?.second.orEmpty() +
                    mapOf(
                        CommonMetrics.inFlightPeak to evidence.peakInFlight.toDouble(),
                        CommonMetrics.connectionsOpened to evidence.connectionsOpened.toDouble(),
                    ),
            reasons = listOfNotNull(iterations.broken, checked?.first),
            warnings =
                listOfNotNull(
                    "Only ${evidence.peakInFlight} of $atOnce were in flight at once.".takeIf { evidence.peakInFlight < atOnce },
                ),
            curves = mapOf("iterationMs" to iterations.curve()),
            evidence = evidence,
        )
    }

    private fun send(session: Session, checksum: Boolean): List<Reply> {
        val path =
            when {
                operation == Operation.Upload -> "/sink"
                workload.fault == Fault.Cut -> "/bytes/$bytes?cut=${bytes / 2}"
                workload.fault == Fault.Flip -> "/bytes/$bytes?flip=1"
                else -> "/bytes/$bytes"
            }
        val request =
            if (operation == Operation.Upload) {
                Request(path, method = "POST", bodyBytes = bytes, checksum = checksum)
            } else {
                Request(path, checksum = checksum, large = true)
            }
        return runBlocking { List(atOnce) { async { session.send(request) } }.awaitAll() }
    }

    private fun wrong(reply: Reply): String? =
        when {
            reply.status != OK -> "The server answered with status ${reply.status}."
            operation == Operation.Download -> wrongLength(bytes, reply.bytes)
            else -> null
        }

    private fun check(session: Session, sent: Long, threadsBefore: Int): Pair<String?, Numbers> =
        ThreadFollower(FOLLOWING).use { follower ->
            val began = TimeSource.Monotonic.markNow()
            var wrong: String?
            do {
                wrong =
                    try {
                        val replies = send(session, checksum = true)
                        replies.firstNotNullOfOrNull(::wrong) ?: replies.firstNotNullOfOrNull { wrongChecksum(sent, it.checksum) }
                    } catch (e: Exception) {
                        "It broke off: ${said(e)}"
                    }?.let { "The pass that checks: $it" }
            } while (wrong == null && began.elapsedNow() < WATCHED)
            follower.stop()
            wrong to
                mapOf(
                    CommonMetrics.threadsPeak to follower.peak.toDouble(),
                    TransferMetrics.threadsAdded to (follower.peak - threadsBefore).coerceAtLeast(0).toDouble(),
                )
        }

    /**
     * The checksum that a reply must have. For a download it is the server's own, from a header. For an upload it is that of the server's
     * answer, which depends on every byte that arrived.
     */
    private fun sentChecksum(): Long =
        if (operation == Operation.Download) {
            headerOf(spec.server, "/bytes/$bytes", "x-crc32").toLong(HEX)
        } else {
            val zeros = Content.checksum(ByteArray(Content.BLOCK), bytes)
            CRC32()
                .apply {
                    update("{\"bytes\":$bytes,\"crc32\":\"%08x\"}\n".format(java.util.Locale.ROOT, zeros).encodeToByteArray())
                }.value
        }

    /**
     * Sockets to the server that are there after close; it looks for a moment only, because another workload looks at what is left
     * longer.
     */
    private fun stay(port: Int): Numbers {
        val began = TimeSource.Monotonic.markNow()
        while (true) {
            val left = SocketStates.of(port)?.left ?: return emptyMap()
            if (left == 0 || began.elapsedNow() > LOOKING) return mapOf(TransferMetrics.socketsLeft to left.toDouble())
            Thread.sleep(LOOK.inWholeMilliseconds)
        }
    }

    private fun TransferResult.copy(numbers: Numbers) = TransferResult(numbers, reasons, warnings, curves, evidence)

    private companion object {
        private val FOLLOWING = 5.milliseconds
        private val WATCHED = 100.milliseconds
        private val LOOKING = 250.milliseconds
        private val LOOK = 10.milliseconds
        private const val OK = 200
        private const val HEX = 16

        /** The header [name] of the answer to a GET of [path], read on a plain socket and without the body. */
        fun headerOf(address: ServerAddress, path: String, name: String): String =
            Socket(address.host, address.port).use { socket ->
                socket.getOutputStream().write(
                    "GET $path HTTP/1.1\r\nHost: ${address.host}\r\nConnection: close\r\n\r\n".encodeToByteArray(),
                )
                val head = socket
                    .getInputStream()
                    .bufferedReader()
                    .lineSequence()
                    .takeWhile { it.isNotEmpty() }
                    .toList()
                val line = head.firstOrNull { it.startsWith("$name:", ignoreCase = true) }
                line?.substringAfter(':')?.trim()
                    ?: throw IOException("The server's answer to $path has no header $name: ${head.firstOrNull()}.")
            }
    }
}
