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
 * [server], [dispatcher], [payload], [instrument] and [background] are factors only where they have another level than their default: a
 * treatment without them has the defaults.
 *
 * @property inFlight levels of how many requests are sent at once.
 * @property delay how long the server waits before it answers, at most a minute.
 * @property protocol levels of the HTTP version.
 * @property start levels of [Start]; source 000 measured cold, with its warm-up commented out.
 * @property server levels of [Server].
 * @property dispatcher levels of [Dispatch].
 * @property payload levels of [Payload].
 * @property instrument levels of [Instrument].
 * @property background levels of [BackgroundLoad]: other work in the JVM while the requests wait.
 * @property again how often the burst is sent again through the same session after it was measured, which shows whether connections are
 *   used again.
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
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "A burst needs a client, as in Burst(clients(\"retrofit\", \"ktor-cio\"))." }
        refuseUnlessDistinct("burst", factors)
        inFlight.forEach { refuseUnless(it >= 1) { "$it requests in flight is impossible: a burst sends at least 1." } }
        refuseUnless(
            delay in Duration.ZERO..MOST_DELAY,
        ) { "A delay of $delay is impossible: the server waits between 0 s and $MOST_DELAY." }
        refuseUnless(again in 0..MOST_AGAIN) { "A burst cannot be sent again $again times: 0 to $MOST_AGAIN can." }
        payload.forEach { wanted ->
            val without = clients.filter { wanted !in it.payloads }
            refuseUnless(without.isEmpty()) { "${without.first().id} does not read an answer as $wanted: ask it for text alone." }
        }
        protocol.forEach { wanted ->
            val without = clients.filter { wanted !in it.protocols }
            refuseUnless(without.isEmpty()) {
                "${without.first().id} does not speak $wanted: it speaks ${without.first().protocols.joinToString()}, so leave one of the two out."
            }
        }
        refuseUnless(Server.Jetty !in server || protocol.none { it.tls }) { "Jetty is asked in cleartext alone: leave out jetty or TLS." }
        refuseUnless(Server.Jetty !in server || instrument == listOf(Instrument.None)) {
            "Profiles are taken against the delay server alone: leave jetty out."
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
        delay * waves(treatment.number(Factor.IN_FLIGHT).toInt(), client(treatment)) * (1 + again) + WARM_UP

    override fun jvmArgs(treatment: Treatment): List<String> =
        client(treatment).jvmArgs.map { it.replace("{inFlight}", treatment[Factor.IN_FLIGHT].orEmpty()) }

    override fun peers(treatment: Treatment): Set<Peer> =
        if (treatment[Factor.SERVER] == Server.Jetty.label) setOf(Peer.Jetty) else emptySet()

    override val protocols: Set<Protocol> get() = protocol.toSet()

    override val mostConnections: Int get() = inFlight.max()

    /** The client of [treatment]. */
    public fun client(treatment: Treatment): ClientInfo = clients.first { it.id == treatment.client }

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
