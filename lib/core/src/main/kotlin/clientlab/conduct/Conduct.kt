package clientlab.conduct

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * What clients do when things go wrong: a server does not answer, a connection dies, a caller cancels, an answer is cut short.
 *
 * A trial takes one client through all situations, one after the other, each with a session and a server of its own. What it saw is in the
 * trial's observations: facts, not grades. Three forks decide whether a client always does the same.
 *
 * @property situations names of situations, or of groups of them, as in `idle`; all of them if it is not given.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
@SerialName("conduct")
public data class Conduct(
    override val clients: List<ClientInfo>,
    @EncodeDefault(EncodeDefault.Mode.ALWAYS) val situations: List<String> = groups,
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "Somebody must be observed: give a client, as in Conduct(clients(\"okhttp\"))." }
        refuseUnless(situations.isNotEmpty()) { "Nothing would be observed: name a situation or a group: ${groups.joinToString()}." }
        refuseUnlessKnown(situations)
        refuseUnlessDistinct("Conduct", factors)
    }

    private val factors: List<Levels> get() = listOf(Factor.CLIENT to clients.map { it.id })

    override val metrics: List<Metric> get() = ConductMetrics.list

    override val mainMetric: Metric get() = ConductMetrics.concerns

    override val treatments: List<Treatment> get() = crossed(factors)

    override fun withClients(clients: List<ClientInfo>): Conduct = copy(clients = clients)

    /** A few situations are small enough as they are. */
    override fun smoke(): Conduct = if (Situations.of(situations).size <= FEW) this else copy(situations = SMOKE)

    override fun expected(treatment: Treatment): Duration = EACH * Situations.of(situations).size

    /** A trial ends before a second compiler is worth its while, and its threads would take processors from what is timed. */
    override fun jvmArgs(treatment: Treatment): List<String> = client(treatment).jvmArgs(MOST_IN_FLIGHT) + "-XX:TieredStopAtLevel=1"

    override val mostConnections: Int get() = MOST_CONNECTIONS

    override val spoilt: Metric get() = CommonMetrics.spoilt

    public companion object {
        /** The groups of situations. */
        public val groups: List<String> get() = Situations.groups

        /** What server and caller do in each situation, by its name. */
        public val stories: Map<String, String> get() = Situations.stories

        private val SMOKE = listOf("connections", "retries")
        private const val FEW = 10
        private val EACH = 0.35.seconds
        private const val MOST_IN_FLIGHT = 10
        private const val MOST_CONNECTIONS = 100
    }
}

/** Refuses a name in [situations] that is neither a situation's nor a group's. */
internal fun refuseUnlessKnown(situations: List<String>) = situations.forEach { name ->
    refuseUnless(Situations.of(listOf(name)).isNotEmpty()) {
        "There is no situation '$name': name a group, which are ${Situations.groups.joinToString()}, or a situation, as in " +
            "${Situations.all.first()}."
    }
}

internal object ConductMetrics : MetricList({ listOf(spoilt) }) {
    val situations by count("situations in which the client was observed")
    val concerns by count("situations in which the client did what is against a standard, dangerous, or not what a caller expects")
}
