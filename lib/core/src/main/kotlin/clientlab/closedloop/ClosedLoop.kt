package clientlab.closedloop

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * Very many fast calls with a fixed number in flight: each is sent when an earlier one has been answered. Source 000 leaves this case open.
 * It has no planned times and no gateway: it measures how much processor time a call takes.
 *
 * @property requests the number of measured requests; a warm-up before them has a fifth of that number.
 * @property delay how long the server waits before it answers.
 * @property start how old the fork is. A steady one is warmed up by such warm-ups until its series is steady, for at most [steadyWithin]. A
 *   trial that did not get there says so, in `steady`.
 * @property processors how many processors the trial JVM has for itself, each a level; empty where it may use any.
 * @property protocol a factor where it is not HTTP/1.1 alone: with [Protocol.Https1] beside it, the cost of TLS can be subtracted.
 * @property wire a factor where it is not [Wire.direct] alone: the networks between client and server.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
@SerialName("closed-loop")
public data class ClosedLoop(
    override val clients: List<ClientInfo>,
    val inFlight: List<Int> = listOf(64),
    val requests: Int = 10_000,
    val delay: Duration = Duration.ZERO,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val start: List<Start> = listOf(Start.Warm),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val steadyWithin: Duration = SteadyBudget.usual,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val processors: List<Int> = emptyList(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val protocol: List<Protocol> = listOf(Protocol.Http1),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val wire: List<Wire> = listOf(Wire.direct),
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "A closed loop needs a client, as in ClosedLoop(clients(\"retrofit\", \"ktor-java\"))." }
        refuseUnless(inFlight.all { it in 1..requests }) {
            "${inFlight.firstOrNull { it !in 1..requests }} in flight of $requests requests is impossible: 1 to $requests are."
        }
        refuseUnlessSpoken(clients, protocol)
        Wire.check(wire, protocol)
        refuseUnlessDistinct("ClosedLoop", factors)
        SteadyBudget.check(steadyWithin)
        refuseUnless(delay >= Duration.ZERO) { "A delay of $delay is impossible: the server waits 0 s or longer." }
    }

    private val factors: List<Levels>
        get() =
            listOf(Factor.CLIENT to clients.map { it.id }) +
                varied(Factor.PROTOCOL, protocol, Protocol.Http1) +
                (Factor.IN_FLIGHT to inFlight) +
                listOf(Factor.TASKS to listOf(requests), Factor.DELAY_MS to listOf(delay.inWholeMilliseconds)) +
                varied(Factor.START, start.map { it.label }, Start.Warm.label) +
                varied(Factor.WIRE, wire, Wire.direct) +
                pinned(processors)

    override val metrics: List<Metric> get() = ClosedLoopMetrics.list

    override val mainMetric: Metric get() = CommonMetrics.durationMs

    override val treatments: List<Treatment> get() = crossed(factors)

    override fun withClients(clients: List<ClientInfo>): ClosedLoop = copy(clients = clients)

    override fun smoke(): ClosedLoop = copy(
        requests = minOf(requests, SMOKE_REQUESTS).coerceAtLeast(inFlight.max()),
        steadyWithin = minOf(steadyWithin, SteadyBudget.smoke),
    )

    override fun expected(treatment: Treatment): Duration {
        val away = wire(treatment).let { it.rtt + it.jitter }
        val measured = (delay + CALL + away) * (requests / treatment.number(Factor.IN_FLIGHT).toInt()) * 1.2
        return if (Start.of(treatment) == Start.Steady) measured + SteadyBudget.expected(steadyWithin) else measured
    }

    override fun wire(treatment: Treatment): Wire = Wire.of(treatment, wire)

    override fun jvmArgs(treatment: Treatment): List<String> = client(treatment).jvmArgs(treatment[Factor.IN_FLIGHT])

    override val protocols: Set<Protocol> get() = protocol.toSet()

    override val mostConnections: Int get() = inFlight.max()

    internal companion object {
        private const val SMOKE_REQUESTS = 2_000
        private val CALL = 15.milliseconds
    }
}

internal object ClosedLoopMetrics : MetricList({
    listOf(requests, failed, durationMs, latencyP50Ms, latencyP99Ms, latencyMaxMs, inFlightPeak, connectionsOpened, connectionsPerRequest) +
        listOf(tlsHandshakes, trialMs, cpuSeconds, allocatedBytes, rssBytes, osThreads, requestCpuMs, requestsPerSecond, steady, warmUpMs) +
        requestAllocatedBytes + cpuByKind.values
}) {
    val pageFaults by count("pages that the work touched for the first time, or had to read: minor and major faults")
    val requestPageFaults by count("page faults for each answered request")
}
