package clientlab.audit

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * A load that rises and is never answered: how many requests a client sends, how many it keeps waiting, and which it gives up, and when.
 *
 * The trial adds requests, through one session, to those that already wait at the server. If the server has as many in flight at one load
 * as at the next, that number is the client's limit, whatever its adapter declares. The requests go to one host, or to several in turn,
 * because some limits hold per host and others for all hosts together. The server answers no request while the trial lasts, so the client
 * gave up every request that fails.
 *
 * @property upTo the largest load.
 * @property hosts levels of how many hosts they are sent to; the delay server listens at 20 where the system has as many loopback
 *   addresses.
 * @property patience how long the trial waits for time-outs, where the requests go to one host; zero for no wait.
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

    override val metrics: List<Metric> get() = AuditMetrics.list

    override val mainMetric: Metric get() = CommonMetrics.heldInFlight

    override val treatments: List<Treatment> get() = crossed(factors)

    /** The loads, ascending: 10, 30, 100 and so on, and the highest. */
    public val loads: List<Int> get() = LOADS.filter { it < upTo } + upTo

    /** How long a trial of [treatment] waits for time-outs. */
    public fun patienceOf(treatment: Treatment): Duration = if (treatment.number(Factor.HOSTS) == 1L) patience else Duration.ZERO

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
