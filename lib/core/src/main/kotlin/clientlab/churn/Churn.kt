package clientlab.churn

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * Open a client, use it, close it, and again: what each such cycle leaves behind in the process. A cycle sends one request. What the first
 * tenth of the cycles leaves behind is there once for all, and does not count.
 *
 * @property cycles how often. A trial ends before if its cycles take longer than [atMost], or if half of the open files that the process may have
 *   are in use.
 */
@Serializable
@SerialName("churn")
public data class Churn(
    override val clients: List<ClientInfo>,
    val cycles: Int = 2_000,
    val atMost: Duration = 60.seconds,
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "A churn needs a client, as in Churn(clients(\"okhttp\", \"ktor-java\"))." }
        refuseUnless(cycles in LEAST..MOST) { "$cycles cycles are impossible here: ask for $LEAST to $MOST." }
        refuseUnless(atMost in 1.seconds..LONGEST) { "A churn of at most $atMost is impossible here: give 1 s to $LONGEST." }
        refuseUnlessDistinct("Churn", factors)
    }

    private val factors: List<Levels>
        get() = listOf(Factor.CLIENT to clients.map { it.id }, Factor.CYCLES to listOf(cycles))

    override val metrics: List<Metric> get() = ChurnMetrics.list

    override val mainMetric: Metric get() = ChurnMetrics.descriptorsPerCycle

    override val treatments: List<Treatment> get() = crossed(factors)

    override val spoilt: Metric get() = CommonMetrics.spoilt

    override fun withClients(clients: List<ClientInfo>): Churn = copy(clients = clients)

    override fun smoke(): Churn = copy(cycles = minOf(cycles, SMOKE_CYCLES), atMost = minOf(atMost, SMOKE))

    override fun expected(treatment: Treatment): Duration = minOf(atMost, CYCLE * cycles) + SETTLING

    override fun jvmArgs(treatment: Treatment): List<String> = client(treatment).jvmArgs(1)

    override val mostConnections: Int get() = cycles

    internal companion object {
        const val LEAST = 20
        private const val MOST = 100_000
        private const val SMOKE_CYCLES = 100
        private val LONGEST = 600.seconds
        private val SMOKE = 5.seconds
        private val CYCLE = 10.milliseconds
        private val SETTLING = 3.seconds
    }
}

internal object ChurnMetrics : MetricList({
    listOf(requests, failed, connectionsOpened, spoilt, trialMs)
}) {
    val cyclesCounted by count("cycles behind the first tenth, from which the metrics per cycle are")
    val cycleP50Ms by ms("one cycle, from open to the end of close: median")
    val descriptorsPerCycle by count("open files that a cycle leaves behind")
    val threadsLeftPerCycle by count("platform threads that a cycle leaves behind")
    val cycleHeapBytes by bytes("heap that a cycle leaves behind, after full collections")
}
