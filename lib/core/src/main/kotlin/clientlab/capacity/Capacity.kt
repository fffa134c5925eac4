package clientlab.capacity

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What a [Capacity] searches. */
@Serializable(with = SearchForByLabel::class)
public enum class SearchFor(override val label: String) : Labelled {
    /** The highest rate: requests a second at planned times, as in an open loop. */
    Rate("rate"),

    /** The most requests in flight: all are sent at once, and the server has all of them before it answers the first. */
    InFlight("in-flight"),
    ;

    override fun toString(): String = label
}

internal object SearchForByLabel : ByLabel<SearchFor>("SearchFor", SearchFor.entries)

/**
 * The highest load that a client carries within a criterion, searched inside one warmed fork by [CapacitySearch]: doubled until it fails,
 * then bisected to 5 %, with both ends repeated. One probe is one load; so a trial has one capacity, and an experiment one per fork.
 *
 * A probe passes if 99 % of the requests take [p99] at most from their *planned* time and [answeredShare] of them are answered rightly; a
 * search for requests in flight wants all of them in flight at once too. The first quarter of a rate's probe is left out: in it the client
 * opens the connections and threads that the rate needs. After a probe all its requests end or are cancelled, the server reports that none
 * is in flight, and garbage is collected, so that an overload does not leak into the next probe.
 *
 * Below a rate that was found, the trial then sends half of it and nine tenths of it, for twice the length of a probe: there a client is
 * used, and not at its limit.
 *
 * A trial whose highest load passes, or whose generator is the limit, is complete and has `atLeastPerSecond` in place of a capacity. If
 * the lowest load fails, the capacity is 0. If the probes contradict each other to the last, the majority at each load decides, and a
 * warning says so: without these forks only the lucky ones of a client with uneven latency would count.
 *
 * @property answeredShare 0.999 allows one failure in a thousand, which a p99 alone would not see among the fastest.
 * @property delay how long the server waits before it answers.
 * @property from the first load, which the warm-up has too. Loads of 1/16 to 32 times as much are found with 12 probes.
 * @property probeLength how long a rate is tried; a search for requests in flight sends one burst instead.
 * @property warmUp how long callers take turns, as fast as they get answers, and then the first load is sent.
 * @property start how old the fork is. A steady one goes on with the first load until its series is steady, for at most [steadyWithin]. A search
 *   for requests in flight sends bursts, which have no steady state.
 * @property processors how many processors the trial JVM has for itself, each a level; empty where it may use any.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
@SerialName("capacity")
public data class Capacity(
    override val clients: List<ClientInfo>,
    val p99: Duration = 20.milliseconds,
    val answeredShare: Double = 0.999,
    val delay: Duration = 5.milliseconds,
    val from: Int = 500,
    val upTo: Int = 50_000,
    val probeLength: Duration = 4.seconds,
    val warmUp: Duration = 10.seconds,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val by: SearchFor = SearchFor.Rate,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val protocol: List<Protocol> = listOf(Protocol.Http1),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val start: List<Start> = listOf(if (by == SearchFor.Rate) Start.Steady else Start.Warm),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val steadyWithin: Duration = SteadyBudget.usual,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val processors: List<Int> = emptyList(),
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "A capacity needs a client, as in Capacity(clients(\"retrofit\", \"ktor-java\"))." }
        refuseUnless(delay in 1.milliseconds..MOST_DELAY) { "A delay of $delay is impossible here: the server waits 1 ms to $MOST_DELAY." }
        refuseUnless(
            p99 > delay && p99 <= MOST_P99,
        ) { "A p99 of $p99 is impossible: it is longer than the delay of $delay, up to $MOST_P99." }
        refuseUnless(answeredShare in LEAST_SHARE..1.0) { "An answered share of $answeredShare is impossible: $LEAST_SHARE to 1.0 are." }
        refuseUnless(upTo in LOWEST..most) { "A search up to $upTo is impossible: it goes up to $LOWEST at least and $most at most." }
        refuseUnless(from in LOWEST..upTo) { "A search from $from is impossible: it begins with $LOWEST to $upTo." }
        refuseUnless(
            probeLength in SMOKE_PROBE..MOST_PROBE,
        ) { "A probe of $probeLength is impossible: it takes $SMOKE_PROBE to $MOST_PROBE." }
        refuseUnless(warmUp in 1.seconds..MOST_WARM_UP) { "A warm-up of $warmUp is impossible: it takes 1 s to $MOST_WARM_UP." }
        SteadyBudget.check(steadyWithin)
        refuseUnless(Start.Cold !in start) { "A capacity is searched in a warmed fork: ask for Start.Steady or Start.Warm." }
        refuseUnless(by == SearchFor.Rate || Start.Steady !in start) {
            "A search for requests in flight sends bursts, which have no steady state: ask for Start.Warm."
        }
        refuseUnlessSpoken(clients, protocol)
        refuseUnlessDistinct("Capacity", factors)
    }

    private val factors: List<Levels>
        get() =
            listOf(Factor.CLIENT to clients.map { it.id }) +
                varied(Factor.PROTOCOL, protocol, Protocol.Http1) +
                (Factor.DELAY_MS to listOf(delay.inWholeMilliseconds)) +
                (Factor.P99_MS to listOf(p99.inWholeMilliseconds)) +
                (Factor.START to start.map { it.label }) +
                pinned(processors)

    private val most: Int get() = if (by == SearchFor.Rate) MOST_RATE else MOST_IN_FLIGHT

    /** The most requests that are in flight at once. */
    internal val mostInFlight: Int get() = if (by == SearchFor.Rate) CallerLoop.MOST_UNDER_WAY else upTo

    /** How long a caller waits for an answer, from when its request was planned. */
    internal val patience: Duration get() = maxOf(delay * 3, p99 * 2, LEAST_PATIENCE)

    /** How long each load of [BelowCapacity] is sent. */
    internal val belowLength: Duration get() = probeLength * 2

    internal val search: CapacitySearch get() = CapacitySearch(from, LOWEST, upTo)

    override val metrics: List<Metric> get() = CapacityMetrics.list

    override val mainMetric: Metric get() = CapacityMetrics.of(by).capacity

    override val treatments: List<Treatment> get() = crossed(factors)

    override fun withClients(clients: List<ClientInfo>): Capacity = copy(clients = clients)

    override fun smoke(): Capacity =
        copy(
            from = minOf(from, SMOKE_FROM),
            upTo = minOf(upTo, SMOKE_UP_TO),
            probeLength = SMOKE_PROBE,
            warmUp = minOf(warmUp, SMOKE_WARM_UP),
            steadyWithin = minOf(steadyWithin, SteadyBudget.smoke),
        )

    override fun expected(treatment: Treatment): Duration =
        warmUp + (if (Start.of(treatment) == Start.Steady) SteadyBudget.expected(steadyWithin) else Duration.ZERO) +
            ((if (by == SearchFor.Rate) probeLength else delay) + patience / 2) * TYPICAL_PROBES +
            (if (by == SearchFor.Rate) belowLength * BelowCapacity.entries.size else Duration.ZERO)

    override fun jvmArgs(treatment: Treatment): List<String> = client(treatment).jvmArgs(mostInFlight)

    override val protocols: Set<Protocol> get() = protocol.toSet()

    override val mostConnections: Int get() = mostInFlight

    internal companion object {
        private const val LOWEST = 10
        private const val MOST_RATE = 50_000
        private const val MOST_IN_FLIGHT = 15_000
        private const val LEAST_SHARE = 0.5
        private val MOST_DELAY = 10.seconds
        private val MOST_P99 = 60.seconds
        private val MOST_PROBE = 60.seconds
        private val MOST_WARM_UP = 120.seconds
        private val LEAST_PATIENCE = 3.seconds
        private const val SMOKE_FROM = 200
        private const val SMOKE_UP_TO = 800
        private val SMOKE_PROBE = 1.seconds
        private val SMOKE_WARM_UP = 2.seconds

        /** Half of them are given up. A fork's deadline is three times its expected time, so even the most probes, all given up, fit in. */
        private const val TYPICAL_PROBES = 12
    }
}

internal object CapacityMetrics : MetricList({
    listOf(requests, failed, latencyP50Ms, latencyP99Ms, latencyMaxMs, inFlightPeak, connectionsOpened, connectionsPerRequest) +
        listOf(trialMs, cpuSeconds) +
        listOf(answeredShare, sendLagP99Ms, requestCpuMs, requestsPerSecond, steady, warmUpMs) +
        cpuByKind.values + BelowCapacity.entries.flatMap { it.metrics }
}) {
    private const val OTHERS = "; the trial's other numbers are those of the last probe at it"

    val capacityPerSecond by metric("1/s", "the highest rate that met the criterion; 0 where even the lowest did not$OTHERS")
    val atLeastPerSecond by metric(
        "1/s",
        "the highest rate that met the criterion, where the search ended before the client's limit$OTHERS",
    )
    val beyondPerSecond by metric("1/s", "the lowest rate that did not meet the criterion")
    val capacityInFlight by count("the most requests in flight that met the criterion; 0 where even the fewest did not$OTHERS")
    val atLeastInFlight by count(
        "the most requests in flight that met the criterion, where the search ended before the client's limit$OTHERS",
    )
    val beyondInFlight by count("the fewest requests in flight that did not meet the criterion")
    val probes by count("probes of the search for a capacity")

    /** The metrics of one kind of search. */
    internal class Found(val capacity: Metric, val atLeast: Metric, val beyond: Metric)

    fun of(by: SearchFor): Found =
        when (by) {
            SearchFor.Rate -> Found(capacityPerSecond, atLeastPerSecond, beyondPerSecond)
            SearchFor.InFlight -> Found(capacityInFlight, atLeastInFlight, beyondInFlight)
        }
}
