package clientlab.server.evidence

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import java.time.Instant
import java.time.temporal.ChronoUnit

/**
 * What the server saw on its data port since the last reset; connections and requests that were open then carry over.
 *
 * Always `inFlightAtReset + arrived = answered + abandoned + inFlight`. Times in milliseconds are counted from the reset. What the
 * system does not say is null.
 *
 * @property arrived requests read to their end, whatever they asked for; an upload to `/sink` counts when its head has been read.
 * @property answeredEarly good requests answered before their delay; anything but 0 is a fault of this server.
 * @property answeredOk good requests for a delay, bytes or a sink answered with 200, in full.
 * @property rejected answers of 400 and above, also if the request asked for that (`status`).
 * @property abandoned requests whose connection ended before their answer did, also if they asked for that (`fault`, `cut`).
 * @property abandonedByClient those of [abandoned] whose client went, or that a time-out ended; the others are in [onPurpose].
 * @property connectionsRefused connections that were one too many (`--max-connections`); the answer to the first request says so.
 * @property acceptsFailed how often the system had no file descriptor for a connection; the server asks again one second later.
 * @property tlsHandshakes connections on which TLS was agreed upon, those of QUIC too.
 * @property streamErrors HTTP/2 and HTTP/3 streams that this server reset because of what their client sent, or failed to send or to read in time.
 * @property connectionErrors HTTP/2 and HTTP/3 connections that it ended because of what was sent (RFC 9113, 5.4; RFC 9114, 8).
 * @property requestsByProtocol [arrived] by protocol, without the protocols that were not seen.
 * @property overshootMs how much later than due the good requests were answered that are given in one piece (not `/bytes`, no slow body).
 * @property bytesSent bytes of answers' bodies handed to the system, without heads; [bytesReceived] bytes of requests' bodies.
 * @property inFlightCurve at most 200 points (milliseconds after the first arrival, in flight); each value holds until the next.
 * @property firstArrivalMs null before the first request, as [lastAnswerMs] before the first answer.
 * @property listenOverflows accept queues found full, over all listeners of the machine; [listenDrops] connections that these dropped.
 * @property ownListenDrops connections that the queues of this server dropped; null where the system has no `ss` to say so.
 * @property cpuMs processor time of this process, in steps of 10 ms on Linux.
 * @property nanoTimeAtReset `System.nanoTime()` at the reset: on Linux one clock for all processes of a machine.
 */
@Serializable
public data class Evidence(
    val schemaVersion: Int = 1,
    val arrived: Long,
    val inFlight: Int,
    val inFlightAtReset: Int,
    val peakInFlight: Int,
    val answered: Long,
    val answeredEarly: Long,
    val answeredOk: Long,
    val rejected: Long,
    val abandoned: Long,
    val abandonedByClient: Long,
    val onPurpose: OnPurpose,
    val connectionsOpened: Long,
    val connectionsOpen: Int,
    val peakConnections: Int,
    val connectionsRefused: Long,
    val connectionsTimedOut: Long,
    val acceptsFailed: Long,
    val tlsHandshakes: Long,
    val streamErrors: Long,
    val connectionErrors: Long,
    val requestsByProtocol: Map<String, Long>,
    val connectionsByProtocol: Map<String, ProtocolUse>,
    val bytesSent: Long,
    val bytesReceived: Long,
    val overshootMs: Overshoot,
    val inFlightCurve: List<List<Double>>,
    val firstArrivalMs: Double?,
    val lastAnswerMs: Double?,
    val listenOverflows: Long?,
    val listenDrops: Long?,
    val ownListenDrops: Long?,
    val cpuMs: Long?,
    val epochNanosAtReset: Long,
    val nanoTimeAtReset: Long,
)

/**
 * What happened because requests asked for it.
 *
 * @property closed requests whose connection was closed before the end of their answer; [reset] by an RST; [stalled] requests whose
 *   answer stopped, once they are over. `abandoned = abandonedByClient + closed + reset + stalled`.
 * @property closedBehindAnswer connections closed without notice behind a full answer, and [resetBehindAnswer] those reset there.
 * @property otherStatus full answers with a status asked for that is not 200.
 */
@Serializable
public data class OnPurpose(
    val closed: Long,
    val reset: Long,
    val stalled: Long,
    val closedBehindAnswer: Long,
    val resetBehindAnswer: Long,
    val otherStatus: Long,
)

/**
 * How connections were used for one protocol since the last reset.
 *
 * @property reused requests on a connection that had carried one before, also if that was before the reset.
 * @property mostAtOnce most requests of one connection at once that had arrived and were not over: on streams, or pipelined.
 */
@Serializable
public data class ProtocolUse(val connections: Long, val requests: Long, val reused: Long, val mostPerConnection: Int, val mostAtOnce: Int)

/**
 * How much later than due answers were written, in milliseconds: to the microsecond below 2 ms, and to one part in a thousand above.
 * Percentiles are by nearest rank, and null before the first answer; [max] is exact.
 *
 * @property within pairs (milliseconds, answers): how many answers were no later than this, up to the first time that all kept.
 */
@Serializable
public data class Overshoot(
    val p50: Double?,
    val p90: Double?,
    val p99: Double?,
    val max: Double?,
    val count: Long,
    val within: List<List<Double>>,
)

/** The answer to `GET /evidence/await`: [atMs] is given if the number was reached, [peak] if not. */
@Serializable
internal data class Awaited(val reached: Boolean, val inFlight: Int, val peak: Int? = null, val atMs: Double? = null)

/** The answer to `GET /live/now`, from which the page at `/live` computes rates; it costs a tenth of the whole evidence. */
@Serializable
internal data class LiveNow(
    val nanoTime: Long,
    val resetNanoTime: Long,
    val inFlight: Int,
    val peakInFlight: Int,
    val answered: Long,
    val rejected: Long,
    val connectionsOpen: Int,
)

/** The answer to `GET /evidence/clock`: both clocks of this process, from which a probe computes how far they are from its own. */
@Serializable
internal data class Clock(val nanoTime: Long = System.nanoTime(), val epochNanos: Long = epochNanos())

internal fun epochNanos(): Long = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now())

/** Writes every field, so that a reader finds each of them in every answer; a missing number is null. */
internal val EVIDENCE_JSON: Json = Json { encodeDefaults = true }

internal val SHORT_JSON: Json = Json { explicitNulls = false } // leaves out what does not apply
