package clientlab.server.net

import clientlab.server.evidence.*
import clientlab.server.request.*

/** What all connections of the data port and the TLS port share; belongs to their one event loop. */
internal class DataPort(val admission: Admission, private val settings: PortSettings) {
    val evidence: ServerEvidence get() = admission.evidence
    val maxInFlight: Int get() = settings.maxInFlight
    val takesUpgrades: Boolean get() = settings.takesUpgrades

    /** Most streams at once that an HTTP/2 client is told it may open on one connection. */
    val maxStreams: Int = settings.maxStreams ?: (settings.maxInFlight + SPARE_STREAMS)

    /** Streams that are open on all connections together; their requests need not have been read to their end. */
    var openStreams: Int = 0

    /** Most open streams on all connections together. One more is refused without an answer, because even the answer 503 takes a stream. */
    val mostOpenStreams: Int = settings.maxInFlight + SPARE_STREAMS

    /** All connections, of every protocol. */
    val connections: ConnectionWatch = ConnectionWatch()

    /** How long the head of a first request may take, in nanoseconds. */
    val headNanos: Long = settings.headTimeout.inWholeNanoseconds

    /** How long a connection may lie unused, in nanoseconds. */
    val idleNanos: Long = settings.idleTimeout.inWholeNanoseconds

    /** How long a client may take to send a request, if [bodyBytes] of its body have come. */
    fun patienceNanos(bodyBytes: Long): Long = headNanos + bodyBytes * NANOS_PER_BYTE

    /** Whether a connection that has just been added is one too many; its first request is then answered 503. */
    fun hasTooManyConnections(): Boolean = settings.maxConnections in 1..<connections.size

    private companion object {
        const val SPARE_STREAMS = 1_000

        /** 500 bytes per second: slower than any line. A client that only wants to hold a connection must send this fast. */
        const val NANOS_PER_BYTE = 2_000_000L
    }
}

/** Longest request line of HTTP/1, in bytes. */
internal const val MAX_LINE_BYTES: Int = 8_192

/** All headers of an HTTP/1 request together, in bytes. */
internal const val MAX_HEADER_BYTES: Int = 16_384

/** What is read at once from a connection that uploads. */
internal const val MAX_READ_BYTES: Int = 65_536
