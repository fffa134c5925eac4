package clientlab

import kotlinx.serialization.Serializable

/**
 * What the delay server saw since its last reset. Every trial is judged by it.
 *
 * @property arrived requests read to their end, or, for an upload, to the end of their head.
 * @property answeredOk answers with status 200.
 * @property answeredEarly answers before their delay, which must be 0.
 * @property abandoned requests whose connection was closed before the end of the answer, also where they asked for a cut.
 * @property streamErrors HTTP/2 streams that the server reset for the client's fault, as [connectionErrors] connections; both must be 0.
 * @property bytesSent bytes of answers' bodies; heads are not counted.
 * @property inFlightCurve at most 200 points `[ms since the first arrival, in flight]`.
 * @property listenOverflows overflows of accept queues on the server's machine, or null if the system does not give it.
 * @property ownListenDrops connections that the accept queues of the server itself dropped, or null if its system does not say.
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
    val ownListenDrops: Long? = null,
    val cpuMs: Double? = null,
) {
    /**
     * New connections for each answered request: 1 if each request has a connection of its own, near 0 if connections are kept, null if
     * there is no answer.
     *
     * A connection counts if the server accepted it and a request came over it, because a client may open connections that carry nothing:
     * in HTTP/2 OkHttp opens dozens in a burst and uses two. [connectionsOpened] and [tlsHandshakes] count those too.
     */
    public val connectionsPerRequest: Double?
        get() {
            val carrying = connectionsByProtocol.values.sumOf { it.connections }
            val opened = if (connectionsByProtocol.isEmpty()) connectionsOpened else minOf(connectionsOpened, carrying)
            return if (answered > 0) opened.toDouble() / answered else null
        }
}

/** How connections were used for one protocol; [reused] counts requests on a connection that had carried one before. */
@Serializable
public data class ProtocolUse(
    val connections: Long = 0,
    val requests: Long = 0,
    val reused: Long = 0,
    val mostPerConnection: Int = 0,
    val mostAtOnce: Int = 0,
)

/** How late [count] answers were written, in ms; null if there was none. [within] has `[ms, answers that were at most so late]`. */
@Serializable
public data class Overshoot(
    val p50: Double? = null,
    val p99: Double? = null,
    val max: Double? = null,
    val p90: Double? = null,
    val count: Long? = null,
    val within: List<List<Double>>? = null,
)
