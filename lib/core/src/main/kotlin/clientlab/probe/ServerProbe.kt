package clientlab.probe

import clientlab.Evidence
import clientlab.LabException
import clientlab.LabJson
import clientlab.Protocol
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.io.BufferedInputStream
import java.io.IOException
import java.io.InputStream
import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Where a delay server listens: requests on [port], evidence on [controlPort].
 *
 * @property tlsPort where it speaks HTTP/2 and HTTP/1.1 over TLS, or null.
 * @property certificate what has to be trusted there, in PEM; or null.
 * @property hosts how many addresses of loopback it is at, 127.0.0.1 first, each a host of its own to a client; see [url].
 * @property remote whether somebody else started it, be it on another machine: its clock, its processors and its accept queues are then
 *   not taken for those of this one.
 * @property token what the control port wants to be told, or null for nothing; kept in no file.
 */
@Serializable
public data class ServerAddress(
    val host: String,
    val port: Int,
    val controlPort: Int,
    val token: String? = null,
    val tlsPort: Int? = null,
    val certificate: String? = null,
    @SerialName("elsewhere") val remote: Boolean = false,
    val hosts: Int = 1,
) {
    public val baseUrl: URI get() = URI("http://$host:$port")

    /** The same server as host number [number] of [hosts], from 0. */
    public fun url(number: Int): URI = if (number == 0) baseUrl else URI("http://${host.substringBeforeLast('.')}.${number + 1}:$port")

    /** Where requests go over TLS, or null. */
    public val tlsUrl: URI? get() = tlsPort?.let { URI("https://$host:$it") }

    /** Where requests of [protocol] go; throws [IllegalArgumentException] in one sentence where the server does not speak it. */
    public fun url(protocol: Protocol): URI =
        if (protocol.tls) {
            requireNotNull(tlsUrl) {
                "The delay server has no port for TLS, which $protocol needs: start it with --tls-port 0."
            }
        } else {
            baseUrl
        }
}

/** The delay server does not answer on its control port, or not to us. */
public class ServerGone(cause: Throwable, message: String = "The delay server ended, or stopped answering, during the trial.") :
    LabException(message, cause)

/**
 * The connection on which a trial asks the delay server for its evidence.
 *
 * It is one plain socket, opened before the baseline: a library's HTTP client would bring threads and connections of its own into the
 * very counts that are taken here. One call at a time; every call throws [ServerGone] where the server does not answer.
 */
public class ServerProbe(address: ServerAddress) : AutoCloseable {
    private val host = "${address.host}:${address.controlPort}"
    private val authorization = address.token?.let { "Authorization: Bearer $it\r\n" }.orEmpty()
    private val socket: Socket =
        asking { Socket().apply { connect(InetSocketAddress(address.host, address.controlPort), PATIENCE.inWholeMilliseconds.toInt()) } }
    private val input: InputStream = BufferedInputStream(socket.getInputStream())

    init {
        socket.tcpNoDelay = true
    }

    /** What the server says of itself: its ports and limits, its transport, Java and system, by name. */
    public fun about(): Map<String, String> =
        LabJson
            .decodeFromString<JsonObject>(ask("GET", "/server", PATIENCE))
            .filterValues { it is JsonPrimitive && it !is JsonNull }
            .mapValues { (_, value) -> (value as JsonPrimitive).content }

    /** What the server has seen since the last [reset]. */
    public fun evidence(): Evidence = LabJson.decodeFromString(ask("GET", "/evidence", PATIENCE))

    /** Sets the counters to zero; what is open or in flight stays counted. */
    public fun reset() {
        ask("POST", "/evidence/reset", PATIENCE)
    }

    /** Waits until [inFlight] requests are in flight, or until [timeout] has passed. */
    public fun await(inFlight: Int, timeout: Duration): Awaited =
        LabJson.decodeFromString(
            ask("GET", "/evidence/await?inFlight=$inFlight&timeoutMs=${timeout.inWholeMilliseconds}", timeout + PATIENCE),
        )

    /** When each request that carried `a=<number>` arrived and was answered since the last [reset], in order of arrival. */
    public fun requests(): SeenRequests = LabJson.decodeFromString(ask("GET", "/evidence/requests", PATIENCE))

    /**
     * How far the server's `System.nanoTime()` is ahead of ours, from the quickest of [ROUND_TRIPS] questions.
     *
     * On Linux both read one clock, and what comes out is nothing within its error; elsewhere it is to be taken off the server's times.
     */
    public fun clock(): ServerClock =
        (1..ROUND_TRIPS)
            .map {
                val before = System.nanoTime()
                val told: ClockReading = LabJson.decodeFromString(ask("GET", "/evidence/clock", PATIENCE))
                val after = System.nanoTime()
                ServerClock(aheadNanos = told.nanoTime - (before + (after - before) / 2), errorNanos = (after - before + 1) / 2)
            }.minBy { it.errorNanos }

    override fun close(): Unit = socket.close()

    private fun ask(method: String, path: String, patience: Duration): String =
        asking {
            socket.soTimeout = patience.inWholeMilliseconds.toInt()
            val head = "$method $path HTTP/1.1\r\nHost: $host\r\n${authorization}Content-Length: 0\r\n\r\n"
            socket.getOutputStream().write(head.toByteArray(Charsets.US_ASCII))
            val status = line()
            var length = 0
            while (true) {
                val header = line().ifEmpty { break }
                if (header.startsWith("content-length:", ignoreCase = true)) length = header.substringAfter(':').trim().toInt()
            }
            val body = input.readNBytes(length).toString(Charsets.UTF_8)
            if (" 401 " in "$status ") throw ServerGone(IOException("$method $path: $status. $body"), LOCKED)
            if (" 200 " !in "$status ") throw IOException("$method $path: $status. $body")
            body
        }

    private fun line(): String =
        buildString {
            while (true) {
                val byte = input.read()
                if (byte < 0) throw IOException("The control connection was closed.")
                if (byte == '\n'.code) return@buildString
                if (byte != '\r'.code) append(byte.toChar())
            }
        }

    private fun <T> asking(block: () -> T): T =
        try {
            block()
        } catch (e: IOException) {
            throw ServerGone(e)
        }

    private companion object {
        private val PATIENCE = 5.seconds
        private const val ROUND_TRIPS = 20
        private const val LOCKED =
            "The delay server's control port wants its token, which it printed at start: give it as ServerAddress.token."
    }
}

/** The server's word on a level of requests in flight: whether it was [reached], how many there are now and were at most. */
@Serializable
public data class Awaited(
    val reached: Boolean,
    val inFlight: Long = 0,
    val peak: Long = 0,
)
