package clientlab.articles.audit

import clientlab.*
import clientlab.articles.*
import clientlab.audit.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

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
        get() = when {
            n == 0 -> "No trial can tell."
            toOneHost == null -> "Holds all ${withCommas(asked)} in flight."
            else -> "Holds ${held(toOneHost)} in flight, $then; owner of the limit: $owner."
        }

    private fun held(one: Int): String = when {
        triedHosts == 1 -> "${withCommas(one)} (one host tried)"
        inAll == null -> "${withCommas(one)} to each host"
        inAll > one * MORE -> "${withCommas(one)} to one host and ${withCommas(inAll)} in all"
        else -> withCommas(one)
    }

    private val then: String
        get() = when {
            beyond == WAITS -> "then queues"
            waiting == 0 -> "then fails ($beyond)"
            else -> "then queues ${withCommas(waiting)} and fails the rest ($beyond)"
        }

    private val timeouts: String?
        get() {
            val patience = patienceMs ?: return null
            val told = listOf("an answer" to answerTimeoutMs, "a place" to waitTimeoutMs, "a connection" to connectTimeoutMs)
                .mapNotNull { (what, ms) -> ms?.let { "waits ${seconds(it)} s for $what" } }
            if (told.isEmpty()) return "Gives nothing up within ${seconds(patience)} s."
            return told.joinToString(", ", postfix = ".").replaceFirstChar(Char::uppercase)
        }
}

/** What an audit found for each client, in the order of the catalogue. */
public fun Trials<Audit>.limitsFound(): List<LimitsFound> =
    byTreatment().groupBy { it.client }.map { (client, groups) ->
        val byHosts = groups.associateBy { it.number(Factor.HOSTS)?.toInt() ?: 1 }.toSortedMap()
        val hosts = byHosts.lastKey()
        val one = byHosts[1] ?: groups.first()
        val limit = one.limit()
        val shown = one.counted.firstOrNull()
        LimitsFound(
            client = client,
            asked = one.inFlight,
            toOneHost = limit,
            inAll = byHosts.getValue(hosts).limit()?.takeIf { it < LESS * hosts * (limit ?: it) || byHosts.size == 1 },
            triedHosts = hosts,
            owner = if (limit == null || shown == null) "" else LimitOwner.of(shown),
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
 * The limits of each client as an audit found them, one row per client. A row has the most in flight to one host and to many, the owner of
 * the limit, and what happens to more requests. Three columns show after how many seconds the client gives up, while it waits for an answer,
 * for a place or for a connection. The last column says all of it in words.
 * `over 20` means that the audit looked for 20 s, and that the client gave nothing up.
 */
public fun Trials<Audit>.limits(): AnyFrame {
    fun LimitsFound.shown(timeoutMs: Double?) =
        timeoutMs?.let(::seconds) ?: patienceMs?.let { "over ${seconds(it)}" } ?: "not asked"
    return limitsFound()
        .toDataFrame {
            "client" from { it.client }
            "toOneHost" from { it.toOneHost?.toString() ?: NONE }
            "inAll" from { if (it.triedHosts == 1) "not asked" else it.inAll?.toString() ?: NONE }
            "owner" from { it.owner }
            "beyond" from { it.beyond }
            "answerTimeoutS" from { it.shown(it.answerTimeoutMs) }
            "waitTimeoutS" from { it.shown(it.waitTimeoutMs) }
            "connectTimeoutS" from { it.shown(it.connectTimeoutMs) }
            "n" from { it.n }
            "finding" from { it.finding }
        }.from(this)
}

/** The requests of each client at the server, with [asked] requests sent to one host: one row per client, medians over forks. */
public fun Trials<Audit>.heldAt(asked: Int): AnyFrame =
    byTreatment()
        .filter { it.counted.isNotEmpty() && (it.number(Factor.HOSTS) ?: 1L) == 1L }
        .map { group -> group.client to Bootstrap.median(group.counted.mapNotNull { heldBy(it, asked) }) }
        .toDataFrame {
            "client" from { it.first }
            "asked" from { asked }
            "held" from { (_, held) -> if (held.n == 0) "not asked" else Estimate.rounded(held.value) }
            "n" from { it.second.n }
        }.from(this)

private fun heldBy(trial: AnyTrial, asked: Int): Double? =
    trial.table("heldCurve").firstOrNull { it["asked"] == asked }?.let { (it["held"] as Int).toDouble() }

/** The limit is the number in flight if it is below the load. If all requests were in flight, there is no limit. */
private fun TreatmentTrials.limit(): Int? = if (wave) middle("heldInFlight")?.toInt() else null

private fun TreatmentTrials.middle(metric: String): Double? = median(metric).takeIf { it.n > 0 }?.value

private fun TreatmentTrials.beyond(): String {
    if (!wave) return ""
    val refused = counted.firstOrNull { (it.metric("refused") ?: 0.0) > 0 } ?: return WAITS
    return refused.table("errors").maxByOrNull { it["count"] as Int }?.get("kind")?.toString() ?: "a failure"
}

private fun seconds(ms: Double) = Estimate.rounded(ms / 1_000)

private const val NONE = "none"
private const val WAITS = "waits"
private const val LESS = 0.95
private const val MORE = 1.05
