package clientlab.workload

import clientlab.Factor
import clientlab.Refusal
import clientlab.Treatment
import clientlab.client.ClientInfo
import clientlab.client.Protocol
import clientlab.refuseUnless
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Whether a trial measures a fork that has done its work once before, or one that has not. */
@Serializable
public enum class Start(public val label: String) {
    @SerialName("warm")
    Warm("warm"),

    @SerialName("cold")
    Cold("cold"),
}

/**
 * Many requests at once, each answered after [delay]: the workload of source 000.
 *
 * All requests of a trial are sent together, each from a coroutine of its own, as there; the burst ends when the last body is read.
 *
 * @property inFlight levels of how many requests are sent at once.
 * @property delay how long the server waits before it answers, at most a minute.
 * @property protocol levels of the HTTP version.
 * @property start levels of [Start]; source 000 measured cold, with its warm-up commented out.
 */
@Serializable
@SerialName("burst")
public data class Burst(
    override val clients: List<ClientInfo>,
    val inFlight: List<Int> = listOf(100, 500),
    val delay: Duration = 1.seconds,
    val protocol: List<Protocol> = listOf(Protocol.Http1),
    val start: List<Start> = listOf(Start.Warm),
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "A burst needs a client, as in Burst(clients(\"retrofit\", \"ktor-cio\"))." }
        refuseUnless(
            inFlight.isNotEmpty() && protocol.isNotEmpty() && start.isNotEmpty(),
        ) { "Each factor of a burst needs at least one level." }
        inFlight.forEach { refuseUnless(it >= 1) { "$it requests in flight is impossible: a burst sends at least 1." } }
        refuseUnless(
            delay in Duration.ZERO..MOST_DELAY,
        ) { "A delay of $delay is impossible: the server waits between 0 s and $MOST_DELAY." }
        requireOnce(Factor.CLIENT, clients.map { it.id })
        requireOnce(Factor.IN_FLIGHT, inFlight)
        requireOnce(Factor.PROTOCOL, protocol)
        requireOnce(Factor.START, start)
    }

    override val treatments: List<Treatment>
        get() =
            clients.flatMap { client ->
                protocol.flatMap { version ->
                    inFlight.flatMap { n -> start.map { treatment(client, version, n, it) } }
                }
            }

    override fun withClients(clients: List<ClientInfo>): Burst = copy(clients = clients)

    override fun smoke(): Burst = copy(inFlight = inFlight.map { minOf(it, SMOKE_IN_FLIGHT) }.distinct(), delay = minOf(delay, SMOKE_DELAY))

    override fun expected(treatment: Treatment): Duration {
        val n = treatment.number(Factor.IN_FLIGHT)
        val limit = client(treatment).limit?.toLong() ?: n
        return delay * ((n + limit - 1) / limit).toInt() + WARM_UP
    }

    override fun jvmArgs(treatment: Treatment): List<String> =
        client(treatment).jvmArgs.map { it.replace("{inFlight}", treatment[Factor.IN_FLIGHT].orEmpty()) }

    override val mostConnections: Int get() = inFlight.max()

    /** The client of [treatment]. */
    public fun client(treatment: Treatment): ClientInfo = clients.first { it.id == treatment.client }

    private fun treatment(client: ClientInfo, version: Protocol, n: Int, begin: Start) =
        Treatment(
            Factor.CLIENT to client.id,
            Factor.PROTOCOL to version.label,
            Factor.IN_FLIGHT to n,
            Factor.DELAY_MS to delay.inWholeMilliseconds,
            Factor.START to begin.label,
        )

    private fun requireOnce(factor: String, levels: List<Any>) {
        val twice = levels.groupBy { it }.values.firstOrNull { it.size > 1 } ?: return
        throw Refusal("The level ${twice.first()} of $factor stands in the burst more than once.")
    }

    private companion object {
        private val MOST_DELAY = 60.seconds
        private val WARM_UP = 300.milliseconds
        private val SMOKE_DELAY = 1.seconds
        private const val SMOKE_IN_FLIGHT = 500
    }
}
