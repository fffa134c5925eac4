package clientlab.storm

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * A server that is asked for more than it can do for some seconds: how many callers have their answers before, during and after that, and
 * whether it recovers by itself. It may not: callers who give up and ask again keep the queue full, and the server works for callers who
 * have gone (N. Bronson et al., *Metastable Failures in Distributed Systems*, 2021).
 *
 * The server does one request at a time, each for [service], in the order of their arrival. Requests come at planned times, as from
 * independent callers. A caller gives an attempt up after [timeout]; a client whose time-outs can be set has the same ones.
 *
 * @property retries what callers do when an attempt has failed, each a level.
 * @property usual the rate before and after, as a share of what the server can do; [surge] is the rate in between.
 * @property before how long the usual rate goes on first, then [during] at the rate of the surge, then [after] at the usual rate.
 * @property warmUp how long requests are sent at the rate of the surge before all that. There is no queue yet, but every second answer comes
 *   too late.
 * @property seed the numbers that a jitter is drawn from begin with it and the round.
 */
@Serializable
@SerialName("storm")
public data class Storm(
    override val clients: List<ClientInfo>,
    val retries: List<Retries> = listOf(Retries.none, Retries.immediate(), Retries.exponential(), Retries.budgeted()),
    val service: Duration = 10.milliseconds,
    val usual: Double = 0.5,
    val surge: Double = 2.0,
    val timeout: Duration = 500.milliseconds,
    val before: Duration = 5.seconds,
    val during: Duration = 5.seconds,
    val after: Duration = 15.seconds,
    val warmUp: Duration = 5.seconds,
    val seed: Long = 42,
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "A storm needs a client, as in Storm(clients(\"okhttp\", \"jdk\"))." }
        refuseUnless(
            service in 1.milliseconds..MOST_SERVICE,
        ) { "A service of $service is impossible here: it takes 1 ms to $MOST_SERVICE." }
        refuseUnless(
            usual > 0 && usual < 1,
        ) { "A usual rate of $usual is impossible: it is more than 0 and less than the server can do, 1." }
        refuseUnless(surge in usual..MOST_SURGE) { "A surge of $surge is impossible: it is $usual, the usual rate, to $MOST_SURGE." }
        refuseUnless(timeout > service) { "A time-out of $timeout leaves no time for an answer: it is longer than $service." }
        listOf(before, during, after, warmUp).forEach {
            refuseUnless(it in 1.seconds..MOST_PHASE) { "A phase of $it is impossible: it takes 1 s to $MOST_PHASE." }
        }
        refuseUnlessDistinct("Storm", factors)
    }

    private val factors: List<Levels>
        get() = listOf(Factor.CLIENT to clients.map { it.id }, Factor.RETRIES to retries.map { it.label })

    /** What the server can do, in requests a second. */
    internal val possible: Double get() = 1.seconds / service

    internal fun retries(treatment: Treatment): Retries = retries.first { it.label == treatment[Factor.RETRIES] }

    /** When the requests are planned, in nanoseconds since the load began. */
    internal val plan: LongArray
        get() = arrivals(usual, before) + arrivals(surge, during, before) + arrivals(usual, after, before + during)

    internal fun arrivals(share: Double, length: Duration, from: Duration = Duration.ZERO): LongArray =
        Schedule
            .arrivals((possible * share).toInt().coerceAtLeast(1), length, seed = null)
            .map { it + from.inWholeNanoseconds }
            .toLongArray()

    /** How long a caller takes at most until its last attempt has ended. */
    internal val patience: Duration get() = retries.maxOf { timeout * (it.attempts + 1) + it.pauses } + LATE

    /** The most attempts that can be under way at once. */
    internal val mostInFlight: Int get() = (possible * surge * (retries.maxOf { it.attempts } + 1) * (timeout / 1.seconds)).toInt() + SPARE

    override val metrics: List<Metric> get() = StormMetrics.list

    override val mainMetric: Metric get() = StormMetrics.goodputAfter

    override val treatments: List<Treatment> get() = crossed(factors)

    override val spoilt: Metric get() = CommonMetrics.spoilt

    override fun withClients(clients: List<ClientInfo>): Storm = copy(clients = clients)

    override fun smoke(): Storm = copy(before = SMOKE, during = SMOKE, after = SMOKE * 2, warmUp = SMOKE)

    override fun expected(treatment: Treatment): Duration = warmUp + before + during + after + patience * 2

    override fun jvmArgs(treatment: Treatment): List<String> = client(treatment).jvmArgs(mostInFlight)

    override val mostConnections: Int get() = mostInFlight

    internal companion object {
        private val MOST_SERVICE = 1.seconds
        private const val MOST_SURGE = 20.0
        private val MOST_PHASE = 300.seconds
        private val SMOKE = 1.seconds
        private val LATE = 2.seconds
        private const val SPARE = 100
    }
}

internal object StormMetrics : MetricList({
    listOf(requests, failed, answeredShare, inFlightPeak, connectionsOpened, connectionsPerRequest, sendLagP99Ms, spoilt, trialMs)
}) {
    val goodputBefore by metric("1/s", "requests that had their answer, in each second before the surge")
    val goodputDuring by metric("1/s", "requests that had their answer, in each second of the surge")
    val goodputAfter by metric("1/s", "requests that had their answer, in each second after the surge")
    val recoveryMs by ms(
        "from the end of the surge until nine tenths of the usual requests have their answers, in each half second to the end; " +
            "missing where it did not come to that",
    )
    val recovered by count("1 where the server recovered by itself while the load went on, else 0")
    val pauseMs by ms("the longest time for which the process stood still")
    val attemptsPerRequest by count("requests that the server saw, for each that was planned")
}
