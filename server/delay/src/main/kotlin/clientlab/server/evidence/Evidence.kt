package clientlab.server.evidence

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import java.time.Instant
import java.time.temporal.ChronoUnit

/**
 * What the server saw on its data port since the last reset; connections and requests that were open then carry over.
 *
 * Always `inFlightAtReset + arrived = answered + abandoned + inFlight`. Times in milliseconds are counted from the reset.
 *
 * @property arrived requests read to their end, whatever they asked for; an upload to `/sink` counts when its head has been read.
 * @property inFlight requests arrived and neither answered nor abandoned.
 * @property answered answers handed to the system in full, of every status.
 * @property answeredEarly good requests answered before their delay; anything but 0 is a fault of this server.
 * @property answeredOk good requests for a delay, bytes or a sink answered with 200, in full.
 * @property rejected answers of 400 and above, be it that they were asked for (`status`).
 * @property abandoned requests whose connection went before the end of their answer, be it that they asked for that (`fault`, `cut`).
 * @property abandonedByClient those of them whose client went, or that a time-out ended; the others are in [onPurpose].
 * @property onPurpose what was ended, or answered otherwise than with 200, because a request asked for it.
 * @property connectionsRefused connections that were one too many (`--max-connections`) and were told so, once each.
 * @property connectionsTimedOut connections closed because their client was too slow, or had said nothing for too long.
 * @property acceptsFailed how often the system had no descriptor for a connection; it is asked again a second later.
 * @property tlsHandshakes connections on the TLS port on which client and server came to an agreement.
 * @property streamErrors HTTP/2 streams that this server reset because of what their client sent, or failed to send or to read in time;
 *   [connectionErrors] whole connections that it ended for what was sent (RFC 9113, 5.4). Their requests, where they had arrived, are
 *   [abandoned].
 * @property requestsByProtocol arrived requests by how they came; only what was seen. Sums to [arrived].
 * @property connectionsByProtocol how connections were used, by the same names.
 * @property overshootMs how much later than due the good requests were answered; an answer
 *   given piece by piece (`/bytes`, a slow body) is in no percentile, for it takes as long as its reader does.
 * @property bytesSent bytes of answers' bodies handed to the system, heads not counted.
 * @property bytesReceived bytes of requests' bodies read.
 * @property inFlightCurve at most 200 points (milliseconds after the first arrival, in flight); each value holds until the next.
 * @property firstArrivalMs null before the first request.
 * @property lastAnswerMs null before the first answer.
 * @property listenOverflows accept queues found full, over all listeners of the machine; null where the system does not say.
 * @property listenDrops connections dropped by listeners, likewise.
 * @property cpuMs processor time of this process, in steps of 10 ms on Linux; null where the system does not say.
 * @property epochNanosAtReset wall clock at the reset.
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
    val cpuMs: Long?,
    val epochNanosAtReset: Long,
    val nanoTimeAtReset: Long,
)

/**
 * What happened because a request asked for it.
 *
 * @property closed requests whose connection was closed before the end of their answer; [reset] by an RST; [stalled] requests whose
 *   answer stopped, once they are over. `abandoned = abandonedByClient + closed + reset + stalled`.
 * @property closedBehindAnswer connections closed without a word behind an answer in full, and [resetBehindAnswer] those reset there.
 * @property otherStatus answers in full with the status that was asked for, where that is not 200.
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
 * @property connections that carried a request of it; [requests] how many those were.
 * @property reused requests on a connection that had carried one before, be it before the reset.
 * @property mostPerConnection most requests on one connection.
 * @property mostAtOnce most requests of one connection that had arrived and were not over, at once: streams, or what was pipelined.
 */
@Serializable
public data class ProtocolUse(
    val connections: Long,
    val requests: Long,
    val reused: Long,
    val mostPerConnection: Int,
    val mostAtOnce: Int,
)

/**
 * How much later than due answers were written, in milliseconds: to the microsecond below 2 ms, and to a thousandth above.
 *
 * Percentiles are those of HdrHistogram, by nearest rank; [max] is exact. They are null before the first answer.
 *
 * @property count how many answers it is of: those good requests for a delay whose answer takes no time of its own.
 * @property within how many of them were no later than each of these times, as (milliseconds, answers), up to the time that all kept.
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

/** The answer to `GET /evidence/await`; [atMs] is there when it was reached, [peak] when it was not. */
@Serializable
internal data class Awaited(val reached: Boolean, val inFlight: Int, val peak: Int? = null, val atMs: Double? = null)

/**
 * The answer to `GET /live/now`: the few counters that the page at `/live` draws, some of them four times a second.
 *
 * They cost a tenth of what the whole evidence does (some 25 µs once the server is warm), which reads files of the system too.
 *
 * @property nanoTime `System.nanoTime()` at the reading, from which the page computes rates.
 * @property resetNanoTime the same at the last reset: where it changes, the counters begin anew.
 */
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

/** The answer to `GET /evidence/clock`: what this process's two clocks say, from which a probe learns how far they are from its own. */
@Serializable
internal data class Clock(val nanoTime: Long, val epochNanos: Long) {
    companion object {
        fun now(): Clock = Clock(System.nanoTime(), ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()))
    }
}

/** Every field is written, so that a reader finds each of them in every answer; a missing number is null. */
internal val EVIDENCE_JSON: Json = Json { encodeDefaults = true }

/** Leaves out what does not apply. */
internal val SHORT_JSON: Json = Json {
    encodeDefaults = false
    explicitNulls = false
}
