package clientlab.burst

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * Many requests at once, each answered after [delay]: the workload of sources 000 and 004.
 *
 * As in the sources, all requests of a trial are sent together, each from a coroutine of its own. The burst ends when the last body is
 * read.
 *
 * [server], [dispatcher], [payload], [instrument], [background] and [wire] are factors only where they have another level than their
 * default: a treatment without them has the defaults.
 *
 * @property delay how long the server waits before it answers, at most a minute.
 * @property start levels of [Start]; source 000 measured cold, with its warm-up commented out.
 * @property again how often the burst is sent again through the same session, which shows whether connections are used again.
 * @property threads whether threads are followed and counted. Without that there is no snapshot, so an answer may come at any time.
 * @property timeline whether each request's times are kept, for at most 200 requests per trial.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
@SerialName("burst")
public data class Burst(
    override val clients: List<ClientInfo>,
    val inFlight: List<Int> = listOf(100, 500),
    val delay: Duration = 1.seconds,
    val protocol: List<Protocol> = listOf(Protocol.Http1),
    val start: List<Start> = listOf(Start.Warm),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val server: List<Server> = listOf(Server.Delay),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val dispatcher: List<Dispatch> = listOf(Dispatch.AsCaller),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val payload: List<Payload> = listOf(Payload.Text),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val instrument: List<Instrument> = listOf(Instrument.None),
    @EncodeDefault(EncodeDefault.Mode.NEVER) @SerialName("beside") val background: List<BackgroundLoad> = listOf(BackgroundLoad.None),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val again: Int = 0,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val threads: Boolean = true,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val timeline: Boolean = false,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val wire: List<Wire> = listOf(Wire.direct),
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "A burst needs a client, as in Burst(clients(\"retrofit\", \"ktor-cio\"))." }
        refuseUnlessDistinct("Burst", factors)
        inFlight.forEach { refuseUnless(it >= 1) { "$it requests in flight is impossible: a burst sends at least 1." } }
        val possible = Duration.ZERO..MOST_DELAY
        refuseUnless(delay in possible) { "A delay of $delay is impossible: the server waits between 0 s and $MOST_DELAY." }
        refuseUnless(again in 0..MOST_AGAIN) { "A burst cannot be sent again $again times: 0 to $MOST_AGAIN can." }
        clients.forEach { client ->
            val unread = payload.firstOrNull { it !in client.payloads }
            refuseUnless(unread == null) { "${client.id} does not read an answer as $unread: ask it for text alone." }
        }
        refuseUnlessSpoken(clients, protocol)
        Wire.check(wire, protocol)
        refuseUnless(Server.Jetty !in server || protocol.none { it.tls }) { "Jetty is asked in cleartext alone: leave out jetty or TLS." }
        refuseUnless(Server.Jetty !in server || instrument == listOf(Instrument.None)) {
            "Profiles are taken against the delay server alone: leave jetty out."
        }
        refuseUnless(Server.Jetty !in server || wire == listOf(Wire.direct)) {
            "The wire leads to the delay server alone: leave out jetty, or the wire."
        }
        refuseUnless(Start.Steady !in start) {
            "A burst is sent once, so it has no steady state: ask for Start.Warm or Start.Cold, or use ClosedLoop or OpenLoop."
        }
        refuseUnless(threads || background == listOf(BackgroundLoad.None)) {
            "What runs beside a burst begins on its plateau, which is looked for where threads are counted: leave threads = true."
        }
    }

    private val factors: List<Levels>
        get() =
            listOf(Factor.CLIENT to clients.map { it.id }) +
                varied(Factor.SERVER, server, Server.Delay) +
                (Factor.PROTOCOL to protocol.map { it.label }) +
                varied(Factor.DISPATCHER, dispatcher, Dispatch.AsCaller) +
                varied(Factor.PAYLOAD, payload, Payload.Text) +
                (Factor.IN_FLIGHT to inFlight) +
                (Factor.DELAY_MS to listOf(delay.inWholeMilliseconds)) +
                varied(Factor.INSTRUMENT, instrument, Instrument.None) +
                varied(Factor.BACKGROUND, background, BackgroundLoad.None) +
                varied(Factor.WIRE, wire, Wire.direct) +
                (Factor.START to start.map { it.label })

    override val metrics: List<Metric> get() = BurstMetrics.list

    override val mainMetric: Metric get() = CommonMetrics.durationMs

    override val treatments: List<Treatment> get() = crossed(factors)

    override fun withClients(clients: List<ClientInfo>): Burst = copy(clients = clients)

    /** A client with a low limit gets shorter delays, because twenty waves would take twenty delays. */
    override fun smoke(): Burst {
        val levels = inFlight.map { minOf(it, SMOKE_IN_FLIGHT) }.distinct()
        val waves = levels.maxOf { n -> clients.maxOf { waves(n, it) } }
        return copy(
            inFlight = levels,
            delay = minOf(delay, SMOKE_DELAY, maxOf(SMOKE_BURST / waves, SHORTEST_SMOKE)),
            again = minOf(again, 1),
        )
    }

    override fun expected(treatment: Treatment): Duration =
        (delay + away(treatment)) * waves(treatment.number(Factor.IN_FLIGHT).toInt(), client(treatment)) * (1 + again) + WARM_UP

    /** What the network adds to an answer: a round trip for the connection, and one for the request. */
    private fun away(treatment: Treatment): Duration = wire(treatment).let { it.rtt + it.jitter } * 2

    override fun wire(treatment: Treatment): Wire = Wire.of(treatment, wire)

    override fun jvmArgs(treatment: Treatment): List<String> = client(treatment).jvmArgs(treatment[Factor.IN_FLIGHT])

    override fun peers(treatment: Treatment): Set<Peer> =
        if (treatment[Factor.SERVER] == Server.Jetty.label) setOf(Peer.Jetty) else emptySet()

    override val protocols: Set<Protocol> get() = protocol.toSet()

    override val mostConnections: Int get() = inFlight.max()

    private fun waves(n: Int, client: ClientInfo): Int = (client.limit ?: n).let { (n + it - 1) / it }

    internal companion object {
        private val MOST_DELAY = 60.seconds
        private val WARM_UP = 300.milliseconds
        private val SMOKE_DELAY = 800.milliseconds
        private val SMOKE_BURST = 8.seconds
        private val SHORTEST_SMOKE = 100.milliseconds
        private const val SMOKE_IN_FLIGHT = 500
        private const val MOST_AGAIN = 1_000
    }
}

internal object BurstMetrics : MetricList({
    listOf(requests, failed, durationMs, latencyP50Ms, latencyP99Ms, latencyMaxMs, inFlightPeak, connectionsOpened) +
        listOf(connectionsPerRequest, tlsHandshakes, serverOvershootP99Ms, closeMs) +
        listOf(trialMs, cpuSeconds, allocatedBytes, rssBytes, rssBaselineBytes, rssPeakBytes) +
        listOf(osThreads, threadsNew, threadsBlocked, threadsPeak) + cpuByKind.values
}) {
    val requestsHttp1 by count("requests that came as HTTP/1.1, as the server saw them")
    val queuedP50Ms by ms("per request, in the client's own queue, where the client tells: median, by nearest rank")
    val queuedMaxMs by ms("per request, in the client's own queue: the longest")
    val connectP50Ms by ms("per request, from the client's queue to a connection that can be written: median, by nearest rank")
    val connectMaxMs by ms("per request, from the client's queue to a connection that can be written: the longest")
    val arrivalP50Ms by ms("per request, from send to its arrival at the server: median, by nearest rank")
    val arrivalMaxMs by ms("per request, from send to its arrival at the server: the longest")
    val servedP50Ms by ms("per request, from its arrival at the server to the answer written: median, by nearest rank")
    val servedMaxMs by ms("per request, from its arrival at the server to the answer written: the longest")
    val readingP50Ms by ms("per request, from the server's answer to the body read and handed over: median, by nearest rank")
    val readingMaxMs by ms("per request, from the server's answer to the body read and handed over: the longest")
    val batches by count("groups in which requests arrived, more than half a delay apart")
    val durationAgainMs by ms("the measured burst once more, through the same session: from the first request sent to the last body read")
    val connectionsOpenedAgain by count("connections that the server accepted in the burst that was sent again")
    val failedAgain by count("requests without a right answer in all bursts after the measured one")
    val listenOverflows by
        count("accept queues that ran over on the machine; each connection in question was tried again after a second or more")
    val openMs by ms("opening the session")
    val threadsRunning by count("of the new ones, running")
    val threadsBlockedInRead by count("of the new ones, blocked in a read")
    val threadsInSelector by count("of the new ones, waiting in a selector")
    val threadsParkedInRequest by count("of the new ones, parked inside a request")
    val threadsParkedIdle by count("of the new ones, parked idle")
    val threadsWaiting by count("of the new ones, waiting or sleeping")
    val threadsUnparked by count("of the new ones, running, blocked in a read or in a selector")
    val threadsLive by count("all platform threads at the snapshot, without those of the harness")
    val all by count("all threads, by the rule of source 000")
    val active by count("threads alive and not interrupted, by the rule of source 000")
    val activeNew by count("new active threads, by the rule of source 000")
    val activeUnparked by count("active threads whose innermost frame is not `park`, by the rule of source 000")
    val activeUnparkedNew by count("new active and unparked threads: the count that source 000 reports")
    val threadsBefore by count("active and unparked threads before the session was opened")
    val threadsAfter by count("active and unparked threads after it was closed")
    val virtualThreads by count("virtual threads at the snapshot")
    val carrierThreads by count("carriers of virtual threads at the snapshot")
    val snapshotInFlight by count("requests in flight at the snapshot, as the server saw it")
    val snapshotAtMs by ms("when the snapshot was taken, since the probes began")
    val snapshotDumpMs by ms("how long the dump of all threads took")
    val virtualDumpMs by ms("how long the count of virtual threads took")
    val followerDumps by count("how often the live threads were followed")
    val followerDumpMs by ms("how long one such look took")
    val followerCpuSeconds by metric("s", "processor time of the thread that followed")
    val besideMs by ms("from the first of the tasks beside the requests started to the last one done")
    val plateauCpuSeconds by metric("s", "processor time of the thread that waited for the plateau")

    fun of(state: ThreadState): Metric = list.first { it.name == "threads${state.name}" }
}
