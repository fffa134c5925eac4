package clientlab.probe

import clientlab.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.contentOrNull
import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Where a delay server listens: requests on [port], evidence on [controlPort].
 *
 * @property token the token of the control port, or null for none; it is kept in no file.
 * @property tlsPort the port for HTTP/2 and HTTP/1.1 over TLS; [certificate] is what to trust there, in PEM.
 * @property http3Port the port for HTTP/3, of UDP, with the same [certificate].
 * @property remote whether another program started it, perhaps elsewhere. Then its clock, processors and accept queues are not ours.
 * @property relayControlPort what changes the relay before [port]; null where none stands before [port], [tlsPort] and [http3Port]. Connections
 *   wait in the relay's accept queue and not in the server's.
 * @property hosts the number of its loopback addresses, from 127.0.0.1 on. Each is a separate host to a client.
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
    val relayControlPort: Int? = null,
    val http3Port: Int? = null,
) {
    public val baseUrl: URI get() = URI("http://$host:$port")

    /** The same server as host number [number] of [hosts], from 0. */
    public fun url(number: Int): URI = if (number == 0) baseUrl else URI("http://${host.substringBeforeLast('.')}.${number + 1}:$port")

    public val tlsUrl: URI? get() = tlsPort?.let { URI("https://$host:$it") }

    /** The address for requests of [protocol]. Throws [IllegalArgumentException] with one sentence if the server does not speak it. */
    public fun url(protocol: Protocol): URI {
        if (protocol == Protocol.Http3) {
            requireNotNull(http3Port) { "The delay server has no port for HTTP/3: start it with --http3-port 0." }
            return URI("https://$host:$http3Port")
        }
        if (!protocol.tls) return baseUrl
        return requireNotNull(tlsUrl) { "The delay server has no port for TLS, which $protocol needs: start it with --tls-port 0." }
    }
}

/** The delay server does not answer on its control port, or refuses us. */
public class ServerGone(cause: Throwable, message: String = "The delay server ended, or stopped answering, during the trial.") :
    LabException(message, cause)

/**
 * The connection on which a trial asks the delay server for its evidence: one plain socket, because a library's HTTP client would add its
 * own threads and connections to the counts. One call at a time; every call throws [ServerGone] if the server does not answer.
 */
public class ServerProbe(address: ServerAddress) : AutoCloseable {
    private val relayed = address.relayControlPort != null
    private val host = "${address.host}:${address.controlPort}"
    private val authorization = address.token?.let { "Authorization: Bearer $it\r\n" }.orEmpty()
    private val socket =
        asking { Socket().apply { connect(InetSocketAddress(address.host, address.controlPort), PATIENCE.inWholeMilliseconds.toInt()) } }
    private val input = socket.getInputStream().buffered()

    init {
        socket.tcpNoDelay = true
    }

    /** The server's description of itself: its ports and limits, its transport, Java and system, by name. */
    public fun about(): Map<String, String> =
        get<JsonObject>("/server").mapNotNull { (name, value) -> (value as? JsonPrimitive)?.contentOrNull?.let { name to it } }.toMap()

    /** What the server has seen since the last [reset]. Behind a relay its own accept queue says nothing of the client's connections. */
    public fun evidence(): Evidence = get<Evidence>("/evidence").let { if (relayed) it.copy(ownListenDrops = null) else it }

    /** Sets the counters to zero. Open connections and requests in flight stay counted. */
    public fun reset() {
        ask("POST", "/evidence/reset", PATIENCE)
    }

    /** Waits until [inFlight] requests are in flight, or until [timeout] has passed. */
    public fun await(inFlight: Int, timeout: Duration): Awaited =
        get("/evidence/await?inFlight=$inFlight&timeoutMs=${timeout.inWholeMilliseconds}", timeout + PATIENCE)

    /** When each request that carried `a=<number>` arrived and was answered since the last [reset], in order of arrival. */
    public fun requests(): SeenRequests = get("/evidence/requests")

    /** The server's clock. On Linux it is ours; on other systems, subtract what it is ahead from the server's times. */
    public fun clock(): ServerClock = ServerClock.read(ROUND_TRIPS) { get<ClockReading>("/evidence/clock").nanoTime }

    override fun close(): Unit = socket.close()

    private inline fun <reified T> get(path: String, patience: Duration = PATIENCE): T =
        LabJson.decodeFromString(ask("GET", path, patience))

    private fun ask(method: String, path: String, patience: Duration): String = asking {
        socket.soTimeout = patience.inWholeMilliseconds.toInt()
        val head = "$method $path HTTP/1.1\r\nHost: $host\r\n${authorization}Content-Length: 0\r\n\r\n"
        socket.getOutputStream().write(head.toByteArray(Charsets.US_ASCII))
        val status = line()
        val headers = generateSequence { line().ifEmpty { null } }.toList()
        val length = headers.firstOrNull { it.startsWith("content-length:", ignoreCase = true) }?.substringAfter(':') ?: "0"
        val body = input.readNBytes(length.trim().toInt()).toString(Charsets.UTF_8)
        if (" 401 " in "$status ") throw ServerGone(IOException("$method $path: $status. $body"), LOCKED)
        if (" 200 " !in "$status ") throw IOException("$method $path: $status. $body")
        body
    }

    private fun line(): String = buildString {
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
}

private val PATIENCE = 5.seconds
private const val ROUND_TRIPS = 20
private const val LOCKED =
    "The delay server's control port wants its token, which it printed at start: give it as ServerAddress.token."
