package clientlab.gatewayload

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/**
 * Requests at planned times to a gateway, whether or not earlier ones have been answered: an open loop. The gateway is a real server in a
 * JVM of limited memory that answers each request by sending one to the delay server through the client under test. If it fails under the
 * load, the trial is complete; a trial is invalid where the measurement itself failed.
 *
 * @property seconds how long they are sent.
 * @property delay how long the delay server waits before it answers.
 * @property callers if set, the most requests in progress at once. The generator then waits for answers, which hides part of the latency.
 * @property start how old the gateway is. A warm one has answered 500 requests; a steady one is warmed up by the load itself until its series
 *   is steady, for at most [steadyWithin]. The client's processor time is then that of all of the gateway's threads but compilers and collector.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
@SerialName("rate")
public data class GatewayLoad(
    override val clients: List<ClientInfo>,
    val rate: List<Int> = listOf(500),
    val seconds: Int = 6,
    val delay: Duration = 2.seconds,
    val memoryMiB: List<Int> = listOf(256),
    val arrivals: Arrivals = Arrivals.Constant,
    val callers: Int? = null,
    val seed: Long = 42,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val start: List<Start> = listOf(Start.Warm),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val steadyWithin: Duration = SteadyBudget.usual,
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "A gateway needs a client, as in GatewayLoad(clients(\"retrofit\", \"ktor-java\"))." }
        refuseUnless(rate.all { it in 1..MOST_RATE }) {
            "A rate of ${rate.firstOrNull { it !in 1..MOST_RATE }} is impossible: 1 to $MOST_RATE requests a second are."
        }
        refuseUnless(seconds in 1..MOST_SECONDS) { "A load of $seconds s is impossible: it goes on for 1 to $MOST_SECONDS s." }
        val possible = Duration.ZERO..MOST_DELAY
        refuseUnless(delay in possible) { "A delay of $delay is impossible: the server waits between 0 s and $MOST_DELAY." }
        refuseUnless(memoryMiB.all { it in LEAST_MIB..MOST_MIB }) {
            "A gateway of ${memoryMiB.firstOrNull { it !in LEAST_MIB..MOST_MIB }} MiB is impossible: it needs $LEAST_MIB to $MOST_MIB."
        }
        SteadyBudget.check(steadyWithin)
        refuseUnless(Start.Cold !in start) { "A gateway is always warmed up a little: ask for Start.Warm or Start.Steady." }
        refuseUnless(callers == null || callers >= 1) { "$callers callers send nothing: give at least 1, or null for as many as it takes." }
        refuseUnlessDistinct("GatewayLoad", factors)
    }

    /** How long a caller waits for an answer, from when its request was planned. */
    internal val patience: Duration get() = maxOf(delay * 3, LEAST_PATIENCE)

    private val factors: List<Levels>
        get() =
            listOf(Factor.CLIENT to clients.map { it.id }, Factor.RATE to rate, Factor.SECONDS to listOf(seconds)) +
                listOf(Factor.DELAY_MS to listOf(delay.inWholeMilliseconds), Factor.MEMORY_MIB to memoryMiB) +
                listOfNotNull(callers?.let { Factor.IN_FLIGHT to listOf(it) }) +
                varied(Factor.START, start.map { it.label }, Start.Warm.label)

    override val metrics: List<Metric> get() = GatewayLoadMetrics.list

    override val mainMetric: Metric get() = CommonMetrics.durationMs

    override val treatments: List<Treatment> get() = crossed(factors)

    override fun withClients(clients: List<ClientInfo>): GatewayLoad = copy(clients = clients)

    override fun smoke(): GatewayLoad =
        copy(
            rate = listOf(minOf(rate.first(), SMOKE_RATE)),
            seconds = 2,
            delay = minOf(delay, SMOKE_DELAY),
            memoryMiB = memoryMiB.takeLast(1),
            callers = callers?.let { minOf(it, SMOKE_CALLERS) },
            steadyWithin = minOf(steadyWithin, SteadyBudget.smoke),
        )

    override fun expected(treatment: Treatment): Duration {
        val measured = seconds.seconds + delay * 2 + STARTING
        return if (Start.of(treatment) == Start.Steady) measured + SteadyBudget.expected(steadyWithin) else measured
    }

    override fun peers(treatment: Treatment): Set<Peer> = setOf(Peer.Gateway)

    override val mostConnections: Int get() = ceil(rate.max() * maxOf(delay.toDouble(DurationUnit.SECONDS), 1.0) * 2).toInt()

    internal companion object {
        private val MOST_DELAY = 60.seconds
        private val LEAST_PATIENCE = 2.seconds
        private val STARTING = 4.seconds
        private val SMOKE_DELAY = 500.milliseconds
        private const val SMOKE_RATE = 200
        private const val SMOKE_CALLERS = 20
        private const val MOST_RATE = 20_000
        private const val MOST_SECONDS = 600
        private const val LEAST_MIB = 96
        private const val MOST_MIB = 65_536
    }
}

internal object GatewayLoadMetrics : MetricList({
    listOf(requests, failed, durationMs, latencyP50Ms, latencyP99Ms, latencyMaxMs, inFlightPeak, connectionsOpened) +
        listOf(connectionsPerRequest, serverOvershootP99Ms, trialMs) +
        listOf(cpuSeconds, rssBytes, rssBaselineBytes, rssPeakBytes, osThreads, answeredShare) +
        listOf(survived, sentLatencyP50Ms, sentLatencyP99Ms, sendLagP99Ms, anonBytes, anonBaselineBytes, requestCpuMs, steady, warmUpMs) +
        cpuByKind.values
}) {
    val gatewayEnded by count("1 where the gateway's process ended under the load, else 0")
    val outOfMemory by count("1 where the gateway ended because it had no more memory, else 0")
    val endedAtMs by ms("when the gateway ended, since the load began")
    val inFlightMean by count("requests in flight as the server saw them, mean of the steady part of the load")
    val osThreadsBaseline by count("threads of the gateway before its first request")
    val osThreadsPeak by count("the most threads of the gateway")
    val anonPeakBytes by bytes("the most resident memory of the gateway that no file backs")
    val reservedBytes by bytes("address space of the gateway, mean of the steady part of the load")
    val reservedBaselineBytes by bytes("address space of the gateway before its first request")
}

/**
 * This client with at most [threads] requests at once, as behind a pool of that size; its id gets `@pool-<threads>`. An application
 * server's pool is bounded, by 200 threads by default: a service runs out of threads and not out of memory.
 */
public fun ClientInfo.bounded(threads: Int): ClientInfo {
    refuseUnless(threads >= 1) { "A pool of $threads threads sends nothing; it needs at least 1." }
    refuseUnless('@' !in id) { "$id is a configuration already: bound the client itself, ${id.substringBefore('@')}." }
    val bound = "$threads at once"
    return copy(id = "$id@pool-$threads", title = "$title, $bound", settings = "$settings; at most $bound", limit = threads)
}
