package clientlab

import kotlinx.serialization.Serializable

/**
 * What the delay server saw since its last reset. Every trial is judged by it.
 *
 * @property arrived requests read to their end, or, for an upload, to the end of their head.
 * @property inFlight requests arrived and not yet answered, now; [peakInFlight] the most there were at once.
 * @property answered answers written; [answeredOk] those with status 200; [answeredEarly] those before their delay, which must be 0.
 * @property abandoned requests whose connection was closed before the end of the answer, also where they asked for a cut.
 * @property connectionsOpened connections accepted; [connectionsOpen] those open now.
 * @property requestsByProtocol requests by the version they spoke; [connectionsByProtocol] how connections were used for each.
 * @property tlsHandshakes connections on which TLS was agreed upon.
 * @property streamErrors HTTP/2 streams that the server reset because of what the client sent or failed to; [connectionErrors] HTTP/2
 *   connections that it ended for such a reason. Both must be 0.
 * @property bytesSent bytes of answers' bodies written, and [bytesReceived] of requests' bodies read; heads are not counted.
 * @property overshootMs how late answers were written after they were due.
 * @property inFlightCurve at most 200 points `[ms since the first arrival, in flight]`.
 * @property listenOverflows overflows of accept queues on the server's machine, or null if the system does not give it.
 */
@Serializable
public data class Evidence(
    val arrived: Long = 0,
    val inFlight: Long = 0,
    val peakInFlight: Long = 0,
    val answered: Long = 0,
    val answeredOk: Long = 0,
    val answeredEarly: Long = 0,
    val rejected: Long = 0,
    val abandoned: Long = 0,
    val connectionsOpened: Long = 0,
    val connectionsOpen: Long = 0,
    val peakConnections: Long = 0,
    val requestsByProtocol: Map<String, Long> = emptyMap(),
    val connectionsByProtocol: Map<String, ProtocolUse> = emptyMap(),
    val tlsHandshakes: Long = 0,
    val streamErrors: Long = 0,
    val connectionErrors: Long = 0,
    val bytesSent: Long = 0,
    val bytesReceived: Long = 0,
    val overshootMs: Overshoot? = null,
    val inFlightCurve: List<List<Double>> = emptyList(),
    val listenOverflows: Long? = null,
    val listenDrops: Long? = null,
    val cpuMs: Double? = null,
)

/**
 * How connections were used for one protocol.
 *
 * @property connections that carried a request of it; [requests] how many those were.
 * @property reused requests on a connection that had carried one before.
 * @property mostPerConnection most requests on one connection.
 * @property mostAtOnce most requests in progress on one connection at once: streams, or pipelined requests.
 */
@Serializable
public data class ProtocolUse(
    val connections: Long = 0,
    val requests: Long = 0,
    val reused: Long = 0,
    val mostPerConnection: Int = 0,
    val mostAtOnce: Int = 0,
)

/**
 * How late answers were written, in milliseconds; null if there was no answer.
 *
 * @property count the number of answers.
 * @property within how many of them were at most so late, as `[ms, answers]`.
 */
@Serializable
public data class Overshoot(
    val p50: Double? = null,
    val p99: Double? = null,
    val max: Double? = null,
    val p90: Double? = null,
    val count: Long? = null,
    val within: List<List<Double>>? = null,
)
