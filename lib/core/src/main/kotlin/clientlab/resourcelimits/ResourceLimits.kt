package clientlab.resourcelimits

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * Each limit of memory and threads allows a number of requests in flight: how many, and how the client fails beyond it. The client is in a
 * JVM of its own under both limits, as in a container. The trial raises the load on it, to a server that does not answer, until the JVM
 * ends, a request fails, or all requests are in flight.
 *
 * @property memoryMiB levels of the JVM's memory limit; its heap has half of it.
 * @property threads levels of its thread limit, the JVM's own threads included.
 */
@Serializable
@SerialName("within")
public data class ResourceLimits(
    override val clients: List<ClientInfo>,
    val memoryMiB: List<Int> = listOf(256),
    val threads: List<Int> = listOf(512, UNLIMITED),
    val upTo: Int = 5_000,
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "A limit needs a client to hold, as in ResourceLimits(clients(\"retrofit\", \"ktor-java\"))." }
        memoryMiB.forEach {
            refuseUnless(it in LEAST_MIB..MOST_MIB) { "A JVM of $it MiB is impossible: it needs $LEAST_MIB to $MOST_MIB." }
        }
        threads.forEach {
            refuseUnless(it in LEAST_THREADS..UNLIMITED) {
                "A JVM of $it threads is impossible: it needs $LEAST_THREADS, and may have $UNLIMITED."
            }
        }
        refuseUnless(upTo in LEAST..MOST) { "A load that rises to $upTo is impossible: it rises to $LEAST at least and $MOST at most." }
        refuseUnlessDistinct("ResourceLimits", factors)
    }

    private val factors: List<Levels>
        get() =
            listOf(Factor.CLIENT to clients.map { it.id }, Factor.IN_FLIGHT to listOf(upTo)) +
                listOf(Factor.MEMORY_MIB to memoryMiB, Factor.THREADS to threads)

    override val metrics: List<Metric> get() = ResourceLimitsMetrics.list

    override val mainMetric: Metric get() = CommonMetrics.heldInFlight

    override val treatments: List<Treatment> get() = crossed(factors)

    /** The loads, ascending, each half as large again as the previous one. */
    internal val loads: List<Int>
        get() = generateSequence(FIRST_LOAD) { it * 3 / 2 }.takeWhile { it < upTo }.toList() + upTo

    override fun withClients(clients: List<ClientInfo>): ResourceLimits = copy(clients = clients)

    override fun smoke(): ResourceLimits = copy(upTo = minOf(upTo, SMOKE_LOAD))

    override fun expected(treatment: Treatment): Duration = SETTLING * loads.size + STARTING

    override val mostConnections: Int get() = upTo

    public companion object {
        /** In effect no limit to threads: more than any process here has. */
        public const val UNLIMITED: Int = 32_000
        private const val LEAST_MIB = 96
        private const val MOST_MIB = 65_536
        private const val LEAST_THREADS = 64
        private const val FIRST_LOAD = 50
        private const val LEAST = 50
        private const val MOST = 15_000
        private const val SMOKE_LOAD = 600
        private val SETTLING = 400.milliseconds
        private val STARTING = 1_500.milliseconds
    }
}

internal object ResourceLimitsMetrics : MetricList({
    listOf(trialMs, rssBytes, osThreads, survived, anonBytes, anonBaselineBytes, heldInFlight)
}) {
    val heldBytes by
        bytes("growth of the memory of the JVM under limits that no file backs since before the first request, per request in flight")
}
