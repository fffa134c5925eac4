package clientlab.closedloop

import clientlab.*
import clientlab.burst.*
import clientlab.client.*
import clientlab.trial.*
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * Very many fast calls with a fixed number in flight: each is sent when an earlier one has been answered.
 *
 * Source 000 leaves this case open. It has no planned times and no gateway: it measures how much processor time a call takes.
 *
 * @property inFlight levels of how many are in flight throughout.
 * @property requests the number of measured requests; the warm-up before them has a fifth of that number.
 * @property delay how long the server waits before it answers.
 */
@Serializable
@SerialName("closed-loop")
public data class ClosedLoop(
    override val clients: List<ClientInfo>,
    val inFlight: List<Int> = listOf(64),
    val requests: Int = 10_000,
    val delay: Duration = Duration.ZERO,
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "A closed loop needs a client, as in ClosedLoop(clients(\"retrofit\", \"ktor-java\"))." }
        refuseUnless(inFlight.isNotEmpty() && inFlight.all { it in 1..requests }) {
            "${inFlight.firstOrNull { it !in 1..requests }} in flight of $requests requests is impossible: 1 to $requests are."
        }
        refuseUnlessDistinct("closed loop", factors)
        refuseUnless(delay >= Duration.ZERO) { "A delay of $delay is impossible: the server waits 0 s or longer." }
    }

    private val factors: List<Levels>
        get() =
            listOf(
                Factor.CLIENT to clients.map { it.id },
                Factor.IN_FLIGHT to inFlight,
                Factor.TASKS to listOf(requests),
                Factor.DELAY_MS to listOf(delay.inWholeMilliseconds),
            )

    override val metrics: List<Metric> get() = ClosedLoopMetrics.list

    override val mainMetric: Metric get() = CommonMetrics.durationMs

    override val treatments: List<Treatment> get() = crossed(factors)

    override fun withClients(clients: List<ClientInfo>): ClosedLoop = copy(clients = clients)

    override fun smoke(): ClosedLoop = copy(requests = minOf(requests, SMOKE_REQUESTS).coerceAtLeast(inFlight.max()))

    override fun expected(treatment: Treatment): Duration = (delay + CALL) * (requests / treatment.number(Factor.IN_FLIGHT).toInt()) * 1.2

    override fun jvmArgs(treatment: Treatment): List<String> =
        clients.first { it.id == treatment.client }.jvmArgs.map { it.replace("{inFlight}", treatment[Factor.IN_FLIGHT].orEmpty()) }

    override val mostConnections: Int get() = inFlight.max()

    internal companion object {
        private const val SMOKE_REQUESTS = 2_000
        private val CALL = 15.milliseconds
    }
}

/**
 * Sends [requests] requests through [session], [inFlight] at a time, and waits for all.
 *
 * As in [sendBurst], each slot is a coroutine on the calling thread; a failed request is counted by kind, and its slot continues.
 */
public fun sendLoop(session: Session, requests: Int, inFlight: Int, path: (Int) -> String): BurstResult {
    val took = DoubleArray(requests) { Double.NaN }
    val failures = LinkedHashMap<String, Int>()
    var example: String? = null
    var next = 0
    val began = System.nanoTime()
    runBlocking {
        repeat(inFlight) {
            launch {
                while (next < requests) {
                    val number = next++
                    val sent = System.nanoTime()
                    val failure =
                        try {
                            val reply = session.send(Request(path(number)))
                            if (reply.status == OK) null else "status ${reply.status}"
                        } catch (e: Exception) {
                            if (example == null) example = e.toString()
                            e.javaClass.simpleName
                        }
                    if (failure == null) took[number] = (System.nanoTime() - sent) / 1e6 else failures.merge(failure, 1, Int::plus)
                }
            }
        }
    }
    return BurstResult(
        requests = requests,
        durationMs = (System.nanoTime() - began) / 1e6,
        latenciesMs = took.filterNot(Double::isNaN).toDoubleArray().apply { sort() },
        errors = failures,
        example = example ?: failures.keys.firstOrNull(),
        protocols = emptyMap(),
    )
}

private const val OK = 200
