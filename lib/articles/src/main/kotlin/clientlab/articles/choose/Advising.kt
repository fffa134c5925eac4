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
import org.jetbrains.kotlinx.dataframe.api.toDataFrame
import kotlin.time.Duration.Companion.seconds

/** What is known of a client after a minute: what was [asked], what the [client] did, the same of the [catalogue], and what to [mend]. */
internal data class Finding(val asked: String, val client: String, val catalogue: String, val mend: String)

/**
 * What your own client does, on one screen: its limit, the threads and connections of its calls, what a call costs, and how it ends a call
 * that a server hangs, cuts or answers twice. One row per question, with the clients of the catalogue beside it, and what to mend.
 *
 * It takes a minute, in one fork for each of four small experiments. `audit(mine)` and `conduct(mine)` ask the same in full.
 */
public fun advise(client: CellClient): AnyFrame {
    val own = listOf(client.info)
    val limits = client.alone("advise-limits", Audit(own, upTo = ASKED, hosts = listOf(1)))
    val waiting = client.alone("advise-waiting", Burst(own, inFlight = listOf(WAITING), delay = 1.seconds))
    val load = client.alone("advise-load", ClosedLoop(own, requests = REQUESTS))
    val conduct = client.alone("advise-conduct", Conduct(own, ENDINGS))
    return (listOf(limit(limits), threads(waiting), connections(load), cost(load)) + endings(conduct))
        .toDataFrame {
            "asked" from { it.asked }
            "client" from { it.client }
            "catalogue" from { it.catalogue }
            "mend" from { it.mend }
        }.from(limits, waiting, load, conduct)
}

private fun <W : Workload> CellClient.alone(name: String, workload: W): Trials<W> =
    Experiment(name, workload, forks = 1).copy(own = listOf(this)).run().also { trials ->
        refuseUnless(trials.counted().isNotEmpty()) {
            "No trial of ${info.id} counts, so there is nothing to advise: lastRun() has the reason. Mend the client, and ask again."
        }
    }

private fun limit(trials: Trials<Audit>): Finding {
    val held = trials.only { it.median("heldInFlight").value }
    val limited = held < ASKED
    return Finding(
        "calls to one host under way at once, of $ASKED that are asked",
        Estimate.rounded(held),
        published("audit-2026-11").range { if (it[Factor.HOSTS] == "1") it.median("heldInFlight").value else null },
        if (limited) "It is limited, and the others wait: audit(mine) names the owner of the limit." else "",
    )
}

private fun threads(trials: Trials<Burst>): Finding {
    fun each(group: TreatmentTrials) = Bootstrap.median(group.ratios("threadsBlocked", "inFlightPeak")).value
    val own = trials.only(::each)
    return Finding(
        "platform threads that a waiting call holds",
        Estimate.rounded(own),
        published("threads-2026-11").range { if (it.inFlight == WAITING) each(it) else null },
        if (own > HALF) "A thread waits with each call: bound the calls, or take a client that holds none." else "",
    )
}

private fun connections(trials: Trials<ClosedLoop>): Finding {
    val own = trials.only { it.median("connectionsPerRequest").value }
    return Finding(
        "connections for each call, one after the other",
        Estimate.rounded(own),
        published(COST).range { if (it.start == "warm") it.median("connectionsPerRequest").value else null },
        if (own > HALF) "It connects again for each call: let it keep its connections." else "",
    )
}

private fun cost(trials: Trials<ClosedLoop>) = Finding(
    "ms of processor time for each call, in a young JVM",
    Estimate.rounded(trials.only { it.median("requestCpuMs").value }),
    published(COST).range { if (it.start == "warm") it.median("requestCpuMs").value else null },
    "",
)

private fun endings(trials: Trials<Conduct>): List<Finding> {
    val others = published("conduct-2026-11").byTreatment().map { group -> group.client to group.counted.flatMap { it.table(SEEN) } }
    return trials.byTreatment().flatMap { group -> group.counted.flatMap { it.table(SEEN) } }.map { own ->
        val situation = own["situation"].toString()
        val worried = others.count { (_, seen) -> seen.any { it["situation"] == situation && it["concern"].toString().isNotEmpty() } }
        Finding(
            Conduct.stories.getValue(situation),
            own["fact"].toString(),
            "a concern with $worried of ${others.size} clients",
            own["concern"].toString(),
        )
    }
}

/** What the only treatment of these trials gives. */
private fun Trials<*>.only(of: (TreatmentTrials) -> Double): Double = byTreatment().single().let(of)

/** From the client with the least of it to the one with the most. */
private fun Trials<*>.range(of: (TreatmentTrials) -> Double?): String {
    val all = byTreatment().mapNotNull { group -> of(group)?.takeIf { it.isFinite() }?.let { group.client to it } }

    fun words(one: Pair<String, Double>) = "${Estimate.rounded(one.second)} (${one.first})"
    return "${words(all.minBy { it.second })} to ${words(all.maxBy { it.second })}"
}

private const val ASKED = 500
private const val WAITING = 100
private const val REQUESTS = 5_000
private const val HALF = 0.5
private const val COST = "cost-steady-2026-11"
private const val SEEN = "observations"

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
