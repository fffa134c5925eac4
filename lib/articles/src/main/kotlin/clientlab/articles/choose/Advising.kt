package clientlab.articles.choose

import clientlab.*
import clientlab.articles.*
import clientlab.audit.*
import clientlab.burst.*
import clientlab.client.*
import clientlab.closedloop.*
import clientlab.conduct.*
import clientlab.notebook.frame.*
import clientlab.notebook.run.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.AnyRow
import org.jetbrains.kotlinx.dataframe.api.toDataFrame
import kotlin.math.abs
import kotlin.time.Duration.Companion.seconds

/**
 * What is known of a client after a minute: what was [asked], what the [client] did, the same of the [catalogue], and what to [mend].
 *
 * @property others what each client of the catalogue did that was asked the same.
 */
internal class Finding(val asked: String, val client: String, val others: Map<String, Other>, val catalogue: String, val mend: String)

/** What a client of the catalogue did, and whether it is the [same] as what your own did. */
internal class Other(val words: String, val same: Boolean)

/**
 * What your own client does, on one screen: its limit, the threads and connections of its calls, what a call costs, and how it ends a call
 * that a server hangs, cuts or answers twice. One row per question. A column has the client of the catalogue that is most like yours, the
 * next one the whole catalogue, and the last one what to mend.
 *
 * It takes a minute, in one fork for each of four small experiments. `audit(mine)` and `conduct(mine)` ask the same in full.
 */
public fun advise(client: CellClient): AnyFrame {
    val own = listOf(client.info)
    val limits = client.alone("advise-limits", Audit(own, upTo = ASKED, hosts = listOf(1)))
    val waiting = client.alone("advise-waiting", Burst(own, inFlight = listOf(WAITING), delay = 1.seconds))
    val load = client.alone("advise-load", ClosedLoop(own, requests = REQUESTS))
    val conduct = client.alone("advise-conduct", Conduct(own, ENDINGS))
    val runs = listOf(limits, waiting, load, conduct)
    refuseUnless(runs.any { it.counts }) {
        "No trial of ${client.info.id} counts, so there is nothing to advise. Mend the client, and ask again: ${limits.against}"
    }
    val findings = findings(limits, waiting, load, conduct)
    val nearest = nearest(findings)
    return findings
        .toDataFrame {
            "asked" from { it.asked }
            "client" from { it.client }
            if (nearest != null) "like $nearest" from { it.others[nearest]?.words ?: "not asked" }
            "catalogue" from { it.catalogue }
            "mend" from { it.mend }
        }.from(*runs.toTypedArray())
}

internal fun findings(limits: Trials<Audit>, waiting: Trials<Burst>, load: Trials<ClosedLoop>, conduct: Trials<Conduct>): List<Finding> =
    listOf(
        limits.found(LIMIT, ::limit),
        waiting.found(THREADS, ::threads),
        load.found(CONNECTED, ::connections),
        load.found(COSTS, ::cost),
    ) + if (conduct.counts) endings(conduct) else listOf(conduct.unknown("how it ends a call"))

/** The finding about what is [asked], or the reason why none of these trials counts. */
private fun <W : Workload> Trials<W>.found(asked: String, of: (Trials<W>) -> Finding): Finding = if (counts) of(this) else unknown(asked)

private fun Trials<*>.unknown(asked: String) = Finding(asked, "not measured", emptyMap(), "", "Ask again. $against")

private val Trials<*>.counts: Boolean get() = counted().isNotEmpty()

/** What is against the first of these trials. */
private val Trials<*>.against: String get() = byTreatment().first().rows.first()["reasons"].toString()

/**
 * Of the clients of the catalogue that were asked two thirds of these questions, the one that did the same in the largest share of them; of
 * several, the one that was asked most; null where nobody did the same in any. What a call costs says nothing, as no two cost the same.
 * Whether a thread waits with each call says most: where some client does as yours does there, it is one of those.
 */
internal fun nearest(findings: List<Finding>): String? {
    val telling = findings.filter { finding -> finding.others.values.any { it.same } }
    val asked = telling.flatMap { it.others.entries }.groupBy({ it.key }, { it.value })
    val alike = findings.firstOrNull { it.asked == THREADS }?.others.orEmpty().filterValues { it.same }.keys
    val kin = asked.filterKeys { it in alike }.ifEmpty { asked }
    val enough = kin.filterValues { it.size * THREE >= telling.size * TWO }.ifEmpty { kin }
    return enough.entries
        .maxWithOrNull(
            compareBy({ (_, others) -> others.count { it.same }.toDouble() / others.size }, { it.value.size }),
        )?.key
}

/** One trial, which is made a second time where the first one does not count: a busy machine can spoil one. */
private fun <W : Workload> CellClient.alone(name: String, workload: W): Trials<W> {
    val one = Experiment(name, workload, forks = 1).copy(own = listOf(this))
    return one.run().takeIf { it.counts } ?: one.run()
}

private fun limit(trials: Trials<Audit>): Finding {
    val held = trials.only { it.median(HELD).value }
    val limited = held < ASKED
    return Finding(
        LIMIT,
        Estimate.rounded(held),
        published<Audit>("audit-2026-11").each { if (it[Factor.HOSTS] == "1") it.median(HELD).value else null },
        if (limited) "It is limited, and the others wait: audit(mine) names the owner of the limit." else "",
    ) { abs(minOf(it, ASKED.toDouble()) - held) <= held / TENTH }
}

private fun threads(trials: Trials<Burst>): Finding {
    fun each(group: TreatmentTrials) = Bootstrap.median(group.ratios("threadsBlocked", "inFlightPeak")).value
    val own = trials.only(::each)
    return Finding(
        THREADS,
        Estimate.rounded(own),
        published<Burst>("threads-2026-11e").each { if (it.inFlight == WAITING) each(it) else null },
        if (own > HALF) "A thread waits with each call: bound the calls, or take a client that holds none." else "",
    ) { (it > HALF) == (own > HALF) }
}

private fun connections(trials: Trials<ClosedLoop>): Finding {
    val own = trials.only { it.median(CONNECTIONS).value }
    return Finding(
        CONNECTED,
        Estimate.rounded(own),
        published<ClosedLoop>(COST).each { if (it.start == "warm") it.median(CONNECTIONS).value else null },
        if (own > HALF) "It connects again for each call: let it keep its connections." else "",
    ) { (it > HALF) == (own > HALF) }
}

/** No two clients cost the same, so this says nothing of which is like yours. */
private fun cost(trials: Trials<ClosedLoop>) = Finding(
    COSTS,
    Estimate.rounded(trials.only { it.median(CPU).value }),
    published<ClosedLoop>(COST).each { if (it.start == "warm") it.median(CPU).value else null },
    "",
) { false }

private fun endings(trials: Trials<Conduct>): List<Finding> {
    val others = published<Conduct>("conduct-2026-11").byTreatment().associate { group ->
        group.client to
            group.counted.flatMap { it.table(SEEN) }
    }
    return trials.byTreatment().flatMap { group -> group.counted.flatMap { it.table(SEEN) } }.map { own ->
        val situation = own["situation"].toString()
        val seen = others.mapValues { (_, rows) -> rows.filter { it["situation"] == situation } }.filterValues { it.isNotEmpty() }
        val worried = seen.values.count { rows -> rows.any { it["concern"].toString().isNotEmpty() } }
        Finding(
            Conduct.stories.getValue(situation),
            own.fact,
            seen.mapValues { (_, rows) ->
                rows.groupingBy { it.fact }.eachCount().maxBy { it.value }.key.let { Other(it, alike(it, own.fact)) }
            },
            "a concern with $worried of ${seen.size} clients",
            own["concern"].toString(),
        )
    }
}

private val AnyRow.fact: String get() = this["fact"].toString()

/** Whether two facts say the same, whatever the library calls its exception. */
private fun alike(one: String, other: String): Boolean = one.replace(EXCEPTION, "") == other.replace(EXCEPTION, "")

/** A finding about a number, of which [same] says whether another client's is the same. */
private fun Finding(asked: String, own: String, others: Map<String, Double>, mend: String, same: (Double) -> Boolean): Finding {
    fun words(one: Map.Entry<String, Double>) = "${Estimate.rounded(one.value)} (${one.key})"
    val catalogue = "${words(others.minBy { it.value })} to ${words(others.maxBy { it.value })}"
    return Finding(
        asked,
        own,
        others.entries.associate {
            it.key.substringBefore('@') to Other(Estimate.rounded(it.value), same(it.value))
        },
        catalogue,
        mend,
    )
}

/** What the only treatment of these trials gives. */
private fun Trials<*>.only(of: (TreatmentTrials) -> Double): Double = byTreatment().single().let(of)

/** What each client gives that was asked. */
private fun Trials<*>.each(of: (TreatmentTrials) -> Double?): Map<String, Double> =
    byTreatment().mapNotNull { group -> of(group)?.takeIf { it.isFinite() }?.let { group.client to it } }.toMap()

private const val ASKED = 500
private const val WAITING = 100
private const val REQUESTS = 5_000
private const val LIMIT = "calls to one host under way at once, of $ASKED that are asked"
private const val THREADS = "platform threads that a waiting call holds"
private const val CONNECTED = "connections for each call, one after the other"
private const val COSTS = "ms of processor time for each call, in a young JVM"
private const val HALF = 0.5
private const val COST = "cost-steady-2026-11"
private const val SEEN = "observations"
private const val HELD = "heldInFlight"
private const val CONNECTIONS = "connectionsPerRequest"
private const val CPU = "requestCpuMs"
private const val TENTH = 10
private const val TWO = 2
private const val THREE = 3
private val EXCEPTION = Regex(" \\([^)]*\\)")

/** What goes wrong most often, a situation each. */
private val ENDINGS = listOf(
    "timeouts.no-answer",
    "timeouts.trickle",
    "cancellation.waiting",
    "idle.closed-get",
    "idle.closed-on-post",
    "answers.short",
    "closing.churn",
)
