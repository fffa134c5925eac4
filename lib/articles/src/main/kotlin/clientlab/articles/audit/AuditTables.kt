package clientlab.articles.audit

import clientlab.*
import clientlab.audit.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn
import java.util.Locale

/**
 * The limits of one client as an audit found them, medians over forks.
 *
 * @property asked the highest load.
 * @property toOneHost the most in flight to one host, or null if that was the whole load.
 * @property inAll the most in flight to many hosts together; null if that is not a limit of its own: if it was the whole load, or
 *   [toOneHost] times the number of hosts, or if only one host was tried.
 * @property triedHosts the most hosts that were tried.
 * @property owner the owner of the limit; empty if there is no limit.
 * @property beyond what happens to a request beyond the limit: `waits`, or the exception with which it ends at once.
 */
public data class LimitsFound(
    val client: String,
    val asked: Int,
    val toOneHost: Int?,
    val inAll: Int?,
    val triedHosts: Int,
    val owner: String,
    val beyond: String,
    val waiting: Int,
    val waitTimeoutMs: Double?,
    val answerTimeoutMs: Double?,
    val connectTimeoutMs: Double?,
    val patienceMs: Double?,
    val n: Int,
) {
    /** The report in a sentence or two. */
    val finding: String get() = listOfNotNull(inFlight, timeouts).joinToString(" ")

    private val inFlight: String
        get() =
            when {
                n == 0 -> "No trial can tell."
                toOneHost == null -> "Holds all ${count(asked)} in flight."
                else -> "Holds ${held(toOneHost)} in flight, $then; owner of the limit: $owner."
            }

    private fun held(one: Int): String =
        when {
            triedHosts == 1 -> "${count(one)} (one host tried)"
            inAll == null -> "${count(one)} to each host"
            inAll > one * MORE -> "${count(one)} to one host and ${count(inAll)} in all"
            else -> count(one)
        }

    private val then: String
        get() =
            when {
                beyond == WAITS -> "then queues"
                waiting == 0 -> "then fails ($beyond)"
                else -> "then queues ${count(waiting)} and fails the rest ($beyond)"
            }

    private val timeouts: String?
        get() {
            val patience = patienceMs ?: return null
            val told =
                listOf("an answer" to answerTimeoutMs, "a place" to waitTimeoutMs, "a connection" to connectTimeoutMs)
                    .mapNotNull { (what, ms) -> ms?.let { "waits ${Estimate.rounded(it / MS)} s for $what" } }
            return if (told.isEmpty()) {
                "Gives nothing up within ${Estimate.rounded(patience / MS)} s."
            } else {
                told.joinToString(", ", postfix = ".").replaceFirstChar(Char::uppercase)
            }
        }

    internal companion object {
        const val WAITS = "waits"
        const val LESS = 0.95
        private const val MORE = 1.05
        private const val MS = 1_000.0

        private fun count(n: Int) = "%,d".format(Locale.ROOT, n)
    }
}

/** What an audit found for each client, in the order of the catalogue. */
public fun Trials<Audit>.limitsFound(): List<LimitsFound> =
    byTreatment().groupBy { it.client }.map { (client, groups) ->
        val byHosts = groups.associateBy { it.number(Factor.HOSTS)?.toInt() ?: 1 }.toSortedMap()
        val one = byHosts[1] ?: groups.first()
        val many = byHosts[byHosts.lastKey()] ?: one
        val shown = one.counted.firstOrNull()
        LimitsFound(
            client = client,
            asked = one.inFlight,
            toOneHost = one.limit(),
            inAll = many.limit()?.takeIf { it < LimitsFound.LESS * byHosts.lastKey() * (one.limit() ?: it) || byHosts.size == 1 },
            triedHosts = byHosts.lastKey(),
            owner = if (one.limit() == null || shown == null) "" else LimitOwner.of(shown),
            beyond = one.beyond(),
            waiting = one.middle("waiting")?.toInt() ?: 0,
            waitTimeoutMs = one.middle("waitTimeoutMs"),
            answerTimeoutMs = one.middle("answerTimeoutMs"),
            connectTimeoutMs = one.middle("connectTimeoutMs"),
            patienceMs = one.middle("patienceMs"),
            n = one.counted.size,
        )
    }

/**
 * The limits of each client as an audit found them, one row per client: the most in flight to one host and to many, the owner of the limit,
 * what happens to further requests, how long the client waits for an answer, for a place and for a connection, and all of it as a sentence.
 */
public fun Trials<Audit>.limits(): AnyFrame {
    val found = limitsFound()

    fun seconds(of: (LimitsFound) -> Double?) =
        found.map { limits -> of(limits)?.let { Estimate.rounded(it / 1_000.0) } ?: if (limits.patienceMs == null) "not asked" else "none" }
    return dataFrameOf(
        found.map { it.client }.toColumn("client"),
        found.map { it.toOneHost?.toString() ?: NONE }.toColumn("toOneHost"),
        found.map { if (it.triedHosts == 1) "not asked" else it.inAll?.toString() ?: NONE }.toColumn("inAll"),
        found.map { it.owner }.toColumn("owner"),
        found.map { it.beyond }.toColumn("beyond"),
        seconds { it.answerTimeoutMs }.toColumn("answerTimeoutS"),
        seconds { it.waitTimeoutMs }.toColumn("waitTimeoutS"),
        seconds { it.connectTimeoutMs }.toColumn("connectTimeoutS"),
        found.map { it.n }.toColumn("n"),
        found.map { it.finding }.toColumn("finding"),
    ).from(this)
}

/**
 * The requests of each client at the server at one load, with [asked] requests sent to one host: one row per client, medians over forks.
 */
public fun Trials<Audit>.heldAt(asked: Int): AnyFrame {
    val groups = byTreatment().filter { it.counted.isNotEmpty() && (it.number(Factor.HOSTS) ?: 1L) == 1L }
    val held = groups.map { group -> Bootstrap.median(group.counted.mapNotNull { heldBy(it, asked) }) }
    return dataFrameOf(
        groups.map { it.client }.toColumn("client"),
        groups.map { asked }.toColumn("asked"),
        held.map { if (it.n == 0) "not asked" else Estimate.rounded(it.value) }.toColumn("held"),
        held.map { it.n }.toColumn("n"),
    ).from(this)
}

private fun heldBy(trial: DataRow<TrialRow<*>>, asked: Int): Double? =
    (trial["heldCurve"] as AnyFrame).rows().firstOrNull { it["asked"] == asked }?.let { (it["held"] as Int).toDouble() }

/** The limit is the number in flight if it is below the load. If all requests were in flight, there is no limit. */
private fun TreatmentTrials.limit(): Int? = if (wave) middle("heldInFlight")?.toInt() else null

private fun TreatmentTrials.middle(metric: String): Double? = median(metric).takeIf { it.n > 0 }?.value

private fun TreatmentTrials.beyond(): String {
    if (!wave) return ""
    val refused = counted.firstOrNull { (it.metric("refused") ?: 0.0) > 0 } ?: return LimitsFound.WAITS
    return mostCommonError(refused) ?: "a failure"
}

private fun mostCommonError(trial: DataRow<TrialRow<*>>): String? =
    (trial[ERRORS] as AnyFrame?)
        ?.rows()
        ?.maxByOrNull { it["count"] as Int }
        ?.get("kind")
        ?.toString()

private const val NONE = "none"
private const val ERRORS = "errors"
