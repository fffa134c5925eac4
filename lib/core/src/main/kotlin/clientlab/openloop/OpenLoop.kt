package clientlab.openloop

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What decides when the next request is sent. */
@Serializable(with = LoopByLabel::class)
public enum class Loop(override val label: String) : Labelled {
    /** The plan alone: requests are sent whether or not earlier ones have been answered, as by independent callers. */
    Open("open"),

    /**
     * The previous answer: each of a fixed number of callers sends only after its answer, and the requests in between are never sent. This
     * is the usual way and wrong: waiting requests are not counted (G. Tene, *How not to measure latency*, on coordinated omission).
     */
    Closed("closed"),
    ;

    override fun toString(): String = label
}

internal object LoopByLabel : ByLabel<Loop>("Loop", Loop.entries)

/** A server that answers nothing in the last [length] of each [every], like one that collects garbage or writes to a slow disk. */
@Serializable
public data class Pause(val length: Duration, val every: Duration) {
    init {
        refuseUnless(length.isPositive() && length < every) { "A pause of $length in each $every is impossible: it is shorter than that." }
    }
}

/**
 * Requests at planned times through the client under test, in its own fork: how long each takes from its *planned* time. A `GatewayLoad`
 * asks the same of a whole gateway, from another process. Here only a generator of one thread stands between plan and client, and the trial
 * reports how late the generator is.
 *
 * @property rateOf individual rates of clients by id, for example half of what each answers at most.
 * @property seconds how long they are sent, after the warm-up.
 * @property delay how long the server waits before it answers.
 * @property callers the number of callers of a closed loop; an open loop has as many as it needs, up to 2,000.
 * @property pause if set, the server's pauses in addition to its delay.
 * @property warmUp its length. In its first half, callers take turns as fast as they get answers, so that a slow client is not overloaded
 *   and a client at a low rate is compiled too. In its second half, the load itself opens the connections and threads that it needs. A run
 *   whose manifest has no such value had three seconds by turns alone.
 * @property start how old the fork is: a cold one is measured from its first request on, a steady one is warmed up by the load itself until
 *   its series is steady, for at most [steadyWithin]. A trial that did not get there says so, in `steady`.
 * @property processors how many processors the trial JVM has for itself, each a level; empty where it may use any.
 * @property protocol a factor where it is not HTTP/1.1 alone.
 * @property wire a factor where it is not [Wire.direct] alone: the networks between client and server.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
@SerialName("latency")
public data class OpenLoop(
    override val clients: List<ClientInfo>,
    val rate: List<Int> = listOf(500, 1_000, 2_000),
    val seconds: Int = 5,
    val delay: Duration = 5.milliseconds,
    val arrivals: List<Arrivals> = listOf(Arrivals.Constant),
    val loop: List<Loop> = listOf(Loop.Open),
    val callers: Int = 20,
    val pause: Pause? = null,
    val seed: Long = 42,
    val rateOf: Map<String, Int> = emptyMap(),
    val warmUp: Duration = 10.seconds,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val start: List<Start> = listOf(Start.Warm),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val steadyWithin: Duration = SteadyBudget.usual,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val processors: List<Int> = emptyList(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val protocol: List<Protocol> = listOf(Protocol.Http1),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val wire: List<Wire> = listOf(Wire.direct),
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "Latency needs a client, as in OpenLoop(clients(\"retrofit\", \"ktor-java\"))." }
        val impossible = (rate + rateOf.values).firstOrNull { it !in 1..MOST_RATE }
        refuseUnless(impossible == null) { "A rate of $impossible is impossible: 1 to $MOST_RATE are." }
        val stranger = rateOf.keys.firstOrNull { id -> clients.none { it.id == id } }
        refuseUnless(stranger == null) {
            "rateOf has a rate for '$stranger', which is not among the clients: ${clients.joinToString { it.id }} are."
        }
        refuseUnless(seconds in 1..MOST_SECONDS) { "A load of $seconds s is impossible: it goes on for 1 to $MOST_SECONDS s." }
        refuseUnless(delay in 1.milliseconds..MOST_DELAY) { "A delay of $delay is impossible here: the server waits 1 ms to $MOST_DELAY." }
        refuseUnless(warmUp in 1.seconds..MOST_WARM_UP) { "A warm-up of $warmUp is impossible: it takes 1 s to $MOST_WARM_UP." }
        SteadyBudget.check(steadyWithin)
        refuseUnless(callers >= 1) { "$callers callers send nothing: give at least 1." }
        refuseUnlessSpoken(clients, protocol)
        Wire.check(wire, protocol)
        refuseUnlessDistinct("OpenLoop", factors(clients.map { it.id }, rate))
    }

    private fun factors(clients: List<String>, rate: List<Int>): List<Levels> =
        listOf(
            Factor.CLIENT to clients,
            Factor.RATE to rate,
            Factor.SECONDS to listOf(seconds),
            Factor.DELAY_MS to listOf(delay.inWholeMilliseconds),
            Factor.ARRIVALS to arrivals.map { it.name.lowercase() },
            Factor.LOOP to loop,
        ) + varied(Factor.PROTOCOL, protocol, Protocol.Http1) + varied(Factor.START, start.map { it.label }, Start.Warm.label) +
            varied(Factor.WIRE, wire, Wire.direct) + pinned(processors)

    /** How long a caller waits for an answer, from when its request was planned. */
    internal val patience: Duration get() = maxOf(delay * 3, LEAST_PATIENCE)

    override val metrics: List<Metric> get() = OpenLoopMetrics.list

    override val mainMetric: Metric get() = CommonMetrics.latencyP99Ms

    override val treatments: List<Treatment>
        get() = clients.map { it.id }.flatMap { crossed(factors(listOf(it), rateOf[it]?.let(::listOf) ?: rate)) }

    override fun wire(treatment: Treatment): Wire = Wire.of(treatment, wire)

    override fun withClients(clients: List<ClientInfo>): OpenLoop =
        copy(clients = clients, rateOf = rateOf.filterKeys { id -> clients.any { it.id == id } })

    override fun smoke(): OpenLoop =
        copy(
            rate = listOf(rate.min().coerceAtMost(SMOKE_RATE)),
            rateOf = emptyMap(),
            seconds = minOf(seconds, SMOKE_SECONDS),
            warmUp = minOf(warmUp, SMOKE_WARM_UP),
            steadyWithin = minOf(steadyWithin, SteadyBudget.smoke),
        )

    override fun expected(treatment: Treatment): Duration =
        seconds.seconds + delay + when (Start.of(treatment)) {
            Start.Cold -> Duration.ZERO
            Start.Warm -> warmUp
            Start.Steady -> warmUp / 2 + SteadyBudget.expected(steadyWithin)
        }

    override fun jvmArgs(treatment: Treatment): List<String> = client(treatment).jvmArgs(CallerLoop.MOST_UNDER_WAY)

    override val paced: Boolean get() = loop == listOf(Loop.Open)

    override val protocols: Set<Protocol> get() = protocol.toSet()

    override val mostConnections: Int get() = CallerLoop.MOST_UNDER_WAY

    internal companion object {
        private val LEAST_PATIENCE = 3.seconds
        private val MOST_DELAY = 10.seconds
        private const val MOST_RATE = 50_000
        private const val MOST_SECONDS = 600
        private const val SMOKE_RATE = 200
        private const val SMOKE_SECONDS = 2
        private val MOST_WARM_UP = 60.seconds
        private val SMOKE_WARM_UP = 2.seconds
    }
}

internal object OpenLoopMetrics : MetricList({
    listOf(requests, failed, latencyP50Ms, latencyP99Ms, latencyMaxMs, inFlightPeak, connectionsOpened, connectionsPerRequest) +
        listOf(tlsHandshakes, trialMs, cpuSeconds) +
        listOf(answeredShare, sentLatencyP50Ms, sentLatencyP99Ms, sendLagP99Ms, requestCpuMs, requestsPerSecond, steady, warmUpMs) +
        requestAllocatedBytes + cpuByKind.values
}) {
    val latencyP999Ms by ms("per request, from its planned time to the end of its body: 99.9th percentile")
    val generatorLagP99Ms by ms("how late the generator's own thread was for a request, 99th percentile")
    val generatorShare by count("processors that the generator's own thread kept busy")
    val neverSent by count("requests that a closed loop had planned and did not send, because its callers waited")
}
