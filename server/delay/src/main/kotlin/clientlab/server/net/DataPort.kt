package clientlab.server.net

import clientlab.server.ServerSettings
import clientlab.server.answer.Answer
import clientlab.server.answer.Content
import clientlab.server.evidence.ServerEvidence
import clientlab.server.http1.Http1Encoder
import clientlab.server.http2.Http2Handler
import clientlab.server.http2.Http2HeadEncoder
import clientlab.server.request.DataRoutes
import clientlab.server.request.RateLimiter

/** What all connections of the data port and the TLS port share, and what they may take of it; belongs to their one event loop. */
internal class DataPort(
    val routes: DataRoutes,
    val evidence: ServerEvidence,
    private val settings: ServerSettings,
    val bytes: Http1Encoder = Http1Encoder(),
    val heads: Http2HeadEncoder = Http2HeadEncoder(),
) {
    private val rate = if (settings.maxRate > 0) RateLimiter(settings.maxRate) else null

    val maxInFlight: Int get() = settings.maxInFlight
    val takesUpgrades: Boolean get() = settings.takesUpgrades

    /** Most streams at once that an HTTP/2 client is told it may open on one connection. */
    val maxStreams: Int = settings.maxStreams ?: (settings.maxInFlight + SPARE_STREAMS)

    /** The connections that are to be told when the server leaves. */
    val httpTwo: MutableSet<Http2Handler> = LinkedHashSet()

    /** Streams open on all connections together, whose requests need not have been read to their end. */
    var openStreams: Int = 0

    /** One more is refused without an answer: to be told 503 takes a stream, too. */
    val mostOpenStreams: Int = settings.maxInFlight + SPARE_STREAMS

    /** All connections, of every protocol. */
    val connections: ConnectionWatch = ConnectionWatch()

    /** How long the head of a first request may take, and how long a connection may lie unused, in nanoseconds. */
    val headNanos: Long = settings.headTimeout.inWholeNanoseconds
    val idleNanos: Long = settings.idleTimeout.inWholeNanoseconds

    /** How long a request may take to be sent of whose body [bodyBytes] have come. */
    fun patienceNanos(bodyBytes: Long): Long = headNanos + bodyBytes * NANOS_A_BYTE

    /** Whether a connection that has just been added is one too many: its first request is then answered by [tooManyConnections]. */
    fun hasTooManyConnections(): Boolean = settings.maxConnections in 1..<connections.size

    fun tooManyConnections(): Answer {
        evidence.connectionRefused()
        return Answer(
            503,
            "${settings.maxConnections} connections are open already: open fewer, or start the server with a larger --max-connections.",
            headers = RETRY,
        )
    }

    /** What is said to a good request of which there are too many, at [now]; or null where it may be held. */
    fun refusal(now: Long): Answer? = when {
        rate != null && !rate.takes(now) -> rate.refusal()
        evidence.inFlight >= maxInFlight -> overloaded()
        else -> null
    }

    fun overloaded(): Answer = Answer(
        503,
        "$maxInFlight requests are in flight already: ask for fewer, or start the server with a larger --max-in-flight.",
        headers = RETRY,
    )

    fun mostBodyBytes(answer: Answer): Long = if (answer.content == Content.UploadReceipt) MOST_SUNK_BYTES else MOST_BODY_BYTES

    fun tooLarge(answer: Answer): Answer = Answer(413, "The body is longer than ${mostBodyBytes(answer)} bytes: send less.")

    private companion object {
        const val SPARE_STREAMS = 1_000

        /** 500 bytes a second: slower than any line, and as fast as whoever wants to hold a connection for nothing need be. */
        const val NANOS_A_BYTE = 2_000_000L
        const val MOST_BODY_BYTES = 1_048_576L
        const val MOST_SUNK_BYTES = 2_147_483_648L
        val RETRY = mapOf("retry-after" to "1")
    }
}
