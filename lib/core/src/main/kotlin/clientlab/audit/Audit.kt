package clientlab.audit

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * A load that rises and is never answered: how many requests a client sends, keeps waiting and gives up, and when.
 *
 * The trial adds requests, through one session, to those that already wait at the server. If the server has as many in flight at one load
 * as at the next, that number is the client's limit. Limits hold per host or for all hosts together, so the requests go to one host or to
 * several in turn. The server answers no request while the trial lasts, so the client gave up every request that fails.
 *
 * @property hosts levels of the number of hosts; the delay server listens at 20 where the system has as many loopback addresses.
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
        hosts.forEach { refuseUnless(it in 1..MOST_HOSTS) { "$it hosts are impossible: 1 to $MOST_HOSTS are." } }
        refuseUnless(patience in Duration.ZERO..MOST_PATIENCE) { "A patience of $patience is impossible: it is at most $MOST_PATIENCE." }
        refuseUnlessDistinct("Audit", factors)
    }

    private val factors: List<Levels>
        get() = listOf(Factor.CLIENT to clients.map { it.id }, Factor.IN_FLIGHT to listOf(upTo), Factor.HOSTS to hosts)

    override val metrics: List<Metric> get() = AuditMetrics.list

    override val mainMetric: Metric get() = CommonMetrics.heldInFlight

    override val treatments: List<Treatment> get() = crossed(factors)

    internal val loads: List<Int> get() = LOADS.filter { it < upTo } + upTo

    /** How long a trial of [treatment] waits for time-outs. */
    internal fun patienceOf(treatment: Treatment): Duration = if (treatment.number(Factor.HOSTS) == 1L) patience else Duration.ZERO

    override fun withClients(clients: List<ClientInfo>): Audit = copy(clients = clients)

    override fun smoke(): Audit = copy(upTo = minOf(upTo, SMOKE_LOAD), patience = Duration.ZERO)

    override fun expected(treatment: Treatment): Duration = SETTLING * loads.size + patienceOf(treatment)

    override fun jvmArgs(treatment: Treatment): List<String> = client(treatment).jvmArgs(upTo)

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

internal object AuditMetrics : MetricList({
    listOf(requests, inFlightPeak, trialMs, threadsNew, threadsBlocked, heldInFlight)
}) {
    val heldConnections by count("connections open at the highest load, as the server saw it")
    val waiting by count("requests that the client kept waiting at the highest load: neither sent nor given up")
    val refused by count("requests that the client gave up within a second, without sending them")
    val waitTimeoutMs by ms("when the client gave up the first request that it had kept waiting, since it was asked")
    val answerTimeoutMs by ms("when the client gave up the first request that the server had, since the request arrived")
    val connectTimeoutMs by ms("when the client gave up a connection that a full accept queue did not take")
    val patienceMs by ms("how long the trial waited for the three time-outs")
}
