package clientlab.outage

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * A network that falls silent under open streams, and comes back: which clients notice, and whose callers get events again.
 *
 * The streams come by way of a relay, with an event every second. Then everything vanishes on its way for [silence], and nobody is told: the
 * connections that were open stay dead for good, and new ones work when it is over. A caller whose stream ends opens it again 100 ms later.
 *
 * @property streams how many callers, with a stream each.
 * @property readTimeout what the time-out for the next bytes is set to, in clients that have one.
 * @property after how long the callers are looked at when the silence is over; less if all of them read again.
 */
@Serializable
@SerialName("outage")
public data class Outage(
    override val clients: List<ClientInfo>,
    val streams: Int = 50,
    val readTimeout: Duration = 2.seconds,
    val silence: Duration = 5.seconds,
    val after: Duration = 10.seconds,
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "An outage needs a client, as in Outage(clients(\"okhttp\", \"ktor-cio\"))." }
        refuseUnless(streams in 1..MOST) { "$streams streams are impossible here: ask for 1 to $MOST." }
        refuseUnless(readTimeout >= LEAST_READ) {
            "A read time-out of $readTimeout ends streams that live, because an event comes every second: give $LEAST_READ at least."
        }
        refuseUnless(silence >= LEAST_SILENCE && after >= 1.seconds && silence + after <= LONGEST) {
            "A silence of $silence and $after behind it are impossible: give $LEAST_SILENCE and 1 s at least, and $LONGEST for both at most."
        }
        refuseUnlessDistinct("Outage", factors)
    }

    private val factors: List<Levels> get() = listOf(Factor.CLIENT to clients.map { it.id })

    override val metrics: List<Metric> get() = OutageMetrics.list

    override val mainMetric: Metric get() = OutageMetrics.backShare

    override val treatments: List<Treatment> get() = crossed(factors)

    override fun withClients(clients: List<ClientInfo>): Outage = copy(clients = clients)

    override fun smoke(): Outage = copy(streams = minOf(streams, SMOKE_STREAMS), silence = LEAST_SILENCE, after = minOf(after, SMOKE_AFTER))

    override fun expected(treatment: Treatment): Duration = OutageTrial.SETTLE + silence + after + SETTING_UP

    override fun jvmArgs(treatment: Treatment): List<String> = client(treatment).jvmArgs(streams)

    override fun wire(treatment: Treatment): Wire = WIRE

    override val mostConnections: Int get() = streams * MOST_ATTEMPTS

    internal companion object {
        /** Of the relay while it passes anything on. */
        val WIRE: Wire = Wire(rtt = 2.milliseconds)
        private const val MOST = 1_000
        private const val MOST_ATTEMPTS = 10
        private const val SMOKE_STREAMS = 5
        private val SMOKE_AFTER = 4.seconds
        private val LEAST_READ = 1.5.seconds
        private val LEAST_SILENCE = 2.seconds
        private val LONGEST = 45.seconds
        private val SETTING_UP = 3.seconds
    }
}

internal object OutageMetrics : MetricList({ listOf(requests, failed, heldInFlight, connectionsOpened, trialMs) }) {
    val noticedShare by count("callers whose client ended the silent stream, of all callers")
    val noticedMs by ms("from when the network fell silent until a client ended the stream of a caller: median of those that it ended")
    val backShare by count("callers that read events again after the silence, of all callers")
    val backMs by ms("from the end of the silence until a caller read an event again: median of those that did")
    val backMaxMs by ms("the same, of the last caller; not there unless all of them read again")
    val deadStreams by count("streams that the server still held at the end, and nobody read")
}
