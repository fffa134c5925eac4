package clientlab.audit

import clientlab.ClientInfo
import clientlab.Factor
import clientlab.Levels
import clientlab.Metric
import clientlab.Treatment
import clientlab.Workload
import clientlab.burst.burstMetrics
import clientlab.crossed
import clientlab.refuseUnless
import clientlab.refuseUnlessDistinct
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * A load that rises and is never answered: what of it a client lets through, what it keeps waiting, and what it gives up, and when.
 *
 * Requests are added, through one session, to those that wait at the server already. Where the server has as many in flight at one load as
 * at the next, that is the client's limit, and nobody has to declare it. The requests go to one host, and to several in turn, for some
 * limits are of a host and others of all together. No request is answered while the trial lasts, so what fails has been given up by the
 * client.
 *
 * @property upTo the most requests that are asked at once.
 * @property hosts levels of how many hosts they are sent to; the delay server is at 20 where the system has as many loopback addresses.
 * @property patience how long is waited for time-outs, where the requests go to one host; zero for not at all.
 */
@Serializable
@SerialName("audit")
public data class Audit(
    override val clients: List<ClientInfo>,
    val upTo: Int = 2_000,
    val hosts: List<Int> = listOf(1, 20),
    val patience: Duration = Duration.ZERO,
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "An audit needs a client, as in Audit(clients(\"okhttp@default\"))." }
        refuseUnless(upTo in LEAST..MOST) { "A load that rises to $upTo is impossible: it rises to $LEAST at least and $MOST at most." }
        refuseUnless(
            hosts.all { it in 1..MOST_HOSTS },
        ) { "${hosts.first { it !in 1..MOST_HOSTS }} hosts are impossible: 1 to $MOST_HOSTS are." }
        refuseUnless(patience in Duration.ZERO..MOST_PATIENCE) { "A patience of $patience is impossible: it is at most $MOST_PATIENCE." }
        refuseUnlessDistinct("audit", factors)
    }

    private val factors: List<Levels>
        get() = listOf(Factor.CLIENT to clients.map { it.id }, Factor.IN_FLIGHT to listOf(upTo), Factor.HOSTS to hosts)

    override val metrics: List<Metric> get() = auditMetrics + burstMetrics

    override val mainMetric: String get() = "heldInFlight"

    override val treatments: List<Treatment> get() = crossed(factors)

    /** The loads, ascending: 10, 30, 100 and so on, and the highest. */
    public val loads: List<Int> get() = LOADS.filter { it < upTo } + upTo

    /** How long a trial of [treatment] waits for time-outs. */
    public fun patienceOf(treatment: Treatment): Duration =
        if (treatment.number(Factor.HOSTS) == 1L) patience else Duration.ZERO

    override fun withClients(clients: List<ClientInfo>): Audit = copy(clients = clients)

    override fun smoke(): Audit = copy(upTo = minOf(upTo, SMOKE_LOAD), patience = Duration.ZERO)

    override fun expected(treatment: Treatment): Duration = SETTLING * loads.size + patienceOf(treatment)

    override fun jvmArgs(treatment: Treatment): List<String> =
        clients.first { it.id == treatment.client }.jvmArgs.map { it.replace("{inFlight}", "$upTo") }

    override val mostConnections: Int get() = upTo

    internal companion object {
        private val LOADS = listOf(10, 30, 100, 300, 1_000, 3_000)
        private const val LEAST = 10
        private const val MOST = 10_000
        private const val MOST_HOSTS = 254
        private const val SMOKE_LOAD = 200
        private val MOST_PATIENCE = 50.seconds
        private val SETTLING = 800.milliseconds
    }
}
