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

    /** Streams open on all connections together. One too many is refused without an answer, because even the answer 503 takes a stream. */
    var openStreams: Int = 0
    val mostOpenStreams: Int = settings.maxInFlight + SPARE_STREAMS

    val connections: ConnectionWatch = ConnectionWatch()
    val headNanos: Long = settings.headTimeout.inWholeNanoseconds
    val idleNanos: Long = settings.idleTimeout.inWholeNanoseconds

    /** How long a client may take to send a request, if [bodyBytes] of its body have come. */
    fun patienceNanos(bodyBytes: Long): Long = headNanos + bodyBytes * NANOS_PER_BYTE

    fun hasTooManyConnections(): Boolean = settings.maxConnections in 1..<connections.size

    private companion object {
        const val SPARE_STREAMS = 1_000

        /** 500 bytes per second: slower than any line. A client that only wants to hold a connection must send this fast. */
        const val NANOS_PER_BYTE = 2_000_000L
    }
}

internal const val MAX_LINE_BYTES: Int = 8_192 // of a request line of HTTP/1
internal const val MAX_HEADER_BYTES: Int = 16_384 // of all headers of a request
internal const val MAX_READ_BYTES: Int = 65_536 // at once, from a connection that uploads
