package clientlab.articles.warmup

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.openloop.*

/**
 * What a request costs in the first ten seconds and later, one panel each: the client's threads first, the compilers first, the client's
 * threads later. Dots are forks, in front their median with its interval; the client that is cheapest later is on top.
 */
public fun Trials<OpenLoop>.warmUpCostChart(): Chart {
    requireColdSeries()
    val groups = fresh().measured().sortedByMiddle { it.laterCostMs }
    val rows = groups.flatMap { group ->
        PANELS.map { (panel, of) -> group.forkRow(mapOf("client" to group.client, "panel" to panel), group.warmUps().mapNotNull(of)) }
    }
    val ratios = groups.map { group -> group.middle { it.costRatio }.value }
    val title = when {
        groups.isEmpty() -> TOO_SHORT
        groups.size == 1 -> "In the first ten seconds a request of ${groups.single().client} costs ${times(ratios)} as much as later"
        else -> "In the first ten seconds a request costs ${times(ratios)} as much as later, and the compilers come on top"
    }
    return warmUpPanels(title, groups, rows, "ms of a processor per request", Facets("panel", PANELS.keys.toList(), columns = PANELS.size))
}

/** Seconds from the first request until a request costs at most a quarter more than later, the quickest client first. Dots are forks. */
public fun Trials<OpenLoop>.settledChart(): Chart {
    requireColdSeries()
    val groups = fresh().measured().sortedByMiddle { it.settledSeconds }
    val rows = groups.map { group -> group.forkRow(mapOf("client" to group.client), group.warmUps().mapNotNull { it.settledSeconds }) }
    val (quick, slow) = groups.firstOrNull() to groups.lastOrNull()
    val title = when {
        quick == null || slow == null -> TOO_SHORT

        groups.size == 1 -> "A fresh ${quick.client} costs a quarter more than later for ${quick.settled()} s"

        else -> "A fresh instance costs a quarter more than later for ${quick.settled()} s (${quick.client}) to ${slow.settled()} s " +
            "(${slow.client})"
    }
    return warmUpPanels(title, groups, rows, "seconds from the first request until the cost has settled")
}

private fun warmUpPanels(title: String, groups: List<TreatmentTrials>, rows: List<ForkRow>, axis: String, facets: Facets? = null): Chart {
    val said = rows.joinToString("; ") { row -> listOfNotNull(row.cells["client"], row.cells["panel"]).joinToString() + ": ${row.median}" }
    return forkPanels(title, conditions(groups), groups, rows, NumberAxis(axis), facets).copy(alt = "$title. $said.")
}

private fun TreatmentTrials.settled(): String = Estimate.rounded(middle { it.settledSeconds }.value)

/** `1.3 to 2.6 times`. */
private fun times(ratios: List<Double>): String =
    listOf(ratios.min(), ratios.max()).map(Estimate::rounded).distinct().joinToString(" to ") + " times"

private fun conditions(groups: List<TreatmentTrials>): String {
    val first = groups.firstOrNull() ?: return "no trials"
    val rate = first.number(Factor.RATE)
    return "fresh forks, $rate requests a second from the first one on, each answered after ${first.number(Factor.DELAY_MS)} ms"
}

private const val TOO_SHORT = "No fork here ran for long enough to say what it costs later"
private val PANELS: Map<String, (WarmUp) -> Double?> = linkedMapOf(
    "client, first ten seconds" to WarmUp::firstCostMs,
    "compilers, first ten seconds" to WarmUp::compilersCostMs,
    "client, later" to WarmUp::laterCostMs,
)
