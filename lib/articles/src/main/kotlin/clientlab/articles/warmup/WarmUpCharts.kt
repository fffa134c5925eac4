package clientlab.articles.warmup

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.openloop.*

/**
 * Seconds from the first request until a fork is steady, the quickest client first: dots are forks, in front their median with its
 * interval. A fork that is never steady stands at the end of its load, and the text beside it counts these.
 */
public fun Trials<OpenLoop>.steadyAfterChart(): Chart {
    requireColdSeries()
    val groups = fresh().measured().only { group -> group.middle { it.seconds }.n > 0 }
    val sorted = groups.sortedBy { group -> group.middle { it.seconds }.value }
    val rows = sorted.map { group ->
        val cells = mapOf("client" to group.client)
        val median = group.middle { it.seconds }
        val never = group.counted.size - group.steadyForks()
        val text = Estimate.rounded(median.value) + if (never == 0) "" else " ($never never)"
        ForkRow(cells, group.dots(group.warmUps().mapNotNull { it.seconds }) { cells + ("value" to it) }, median, text)
    }
    return warmUpPanel(timeTitle(sorted, groups.measuredHere), groups, rows, "seconds from the first request until steady")
}

/** Processor time that a fork takes until it is steady, a panel for the client's threads and one for the compilers, the cheapest first. */
public fun Trials<OpenLoop>.burntChart(): Chart {
    requireColdSeries()
    val groups = fresh().measured().only { group -> group.middle { it.burnt() }.n > 0 }
    val sorted = groups.sortedBy { group -> group.middle { it.burnt() }.value }
    val rows = sorted.flatMap { group ->
        PANELS.map { (panel, of) -> group.forkRow(mapOf("client" to group.client, "panel" to panel), group.warmUps().mapNotNull(of)) }
    }
    val more = sorted.filter { group -> group.middle { it.burn }.value > 1 }.map { it.client }
    val title = when {
        sorted.isEmpty() -> groups.headline("No fork here got steady")
        more.size == sorted.size -> "Until steady, the compilers take more time than every client${groups.measuredHere}"
        more.isEmpty() -> "Until steady, every client${groups.measuredHere} takes more time than the compilers"
        more.size > MOST_NAMED -> "Until steady, the compilers take more time than ${more.size} of ${sorted.size} clients"
        else -> "Until steady, the compilers take more time than ${listed(more)}"
    }
    return warmUpPanel(title, groups, rows, "processor time until steady, in s", Facets("panel", PANELS.keys.toList()))
}

private fun warmUpPanel(title: String, groups: List<TreatmentTrials>, rows: List<ForkRow>, axis: String, facets: Facets? = null): Chart {
    val said = rows.joinToString("; ") { row -> listOfNotNull(row.cells["client"], row.cells["panel"]).joinToString() + ": ${row.median}" }
    return forkPanels(title, conditions(groups), groups, rows, NumberAxis(axis), facets).copy(alt = "$title. $said.")
}

private fun timeTitle(sorted: List<TreatmentTrials>, measuredHere: String): String {
    val (quick, slow) = sorted.firstOrNull() to sorted.lastOrNull()
    if (quick == null || slow == null) return "No trial here is valid, so there is nothing to show"
    val never = sorted.filter { it.steadyForks() * 2 < it.counted.size }.map { it.client }
    return when {
        sorted.size == 1 -> "A fresh ${quick.client} needs ${Estimate.rounded(quick.middle { it.seconds }.value)} s to get steady"
        never.isEmpty() -> "Of the clients$measuredHere ${quick.client} is steady first, and ${slow.client} last"
        never.size == sorted.size -> "No client$measuredHere gets steady in most of its forks"
        never.size > MOST_NAMED -> "${quick.client} is steady first; ${never.size} of ${sorted.size} clients mostly never are"
        else -> "${quick.client} is steady first; most forks of ${listed(never)} never are"
    }
}

private fun conditions(groups: List<TreatmentTrials>): String {
    val first = groups.firstOrNull() ?: return "no trials"
    return "fresh forks, ${first.number(
        Factor.RATE,
    )} requests a second from the first one on, each answered after ${first.number(Factor.DELAY_MS)} ms"
}

private const val MOST_NAMED = 2
private val PANELS: Map<String, (WarmUp) -> Double?> = linkedMapOf(
    "client" to WarmUp::clientSeconds,
    "compilers" to WarmUp::compilersSeconds,
)
