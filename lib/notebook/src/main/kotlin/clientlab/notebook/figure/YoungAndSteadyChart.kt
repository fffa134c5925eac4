package clientlab.notebook.figure

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.openloop.*

/**
 * Young forks and steady ones of the same clients beside each other: latency at the 99th percentile, and processor time of the client per
 * request. A young fork is measured `cold` or `warm`. Dots are forks, and steady trials that never got steady are left out.
 *
 * Fails if the trials have only one of the two. Ask for both, as in `OpenLoop(clients("ktor-java"), start = listOf(Start.Cold, Start.Steady))`.
 */
public fun Trials<OpenLoop>.youngAndSteadyChart(): Chart {
    val ages = byTreatment().map { it.start == Start.Steady.label }.distinct()
    refuseUnless(ages.size == 2) {
        val there = if (ages == listOf(true)) "only steady" else "no steady"
        "Young and steady trials are compared here, and there are $there ones: run a load with start = listOf(Start.Cold, Start.Steady)."
    }
    val groups = measured()
    val (steady, young) = groups.partition { it.start == Start.Steady.label }
    val names = groups.labels().mapValues { (group, name) -> if (group.start in name) name else "$name, ${group.start}" }
    val order = names.values.toList()
    val cells = groups.flatMap { group ->
        PANELS.map { (metric, panel) ->
            val row = mapOf("name" to names.getValue(group), "client" to group.treatment.subject, "panel" to panel)
            val estimate = group.median(metric)
            val dots = group.dots(metric) { row + ("value" to it) }
            dots to row + estimateCells(estimate) + ("text" to Estimate.rounded(estimate.value))
        }
    }
    val medians = cells.map { it.second }
    val title = titleOf(young, steady)
    return Chart(
        title = title,
        subtitle = conditionsOf(groups),
        caption = groups.captionOfMedians(),
        alt = "$title. ${medians.joinToString("; ") { "${it["name"]}, ${it["panel"]}: ${it["text"]}" }}.",
        marks = forksAndMedians(ChartData.ofRows(cells.flatMap { it.first }), ChartData.ofRows(medians), "name", color = "client"),
        x = NumberAxis(),
        y = CategoryAxis(order),
        facets = Facets("panel", PANELS.values.toList(), columns = 2, free = true),
        runs = groups.runs(),
    )
}

/** The client whose latency falls most from young to steady, by the lower end of the interval: the least that these forks show. */
private fun titleOf(young: List<TreatmentTrials>, steady: List<TreatmentTrials>): String {
    if (steady.isEmpty()) return "No fork here got steady, so there is nothing to compare with"
    val ratios = young.mapNotNull { each ->
        val same = steady.firstOrNull { it.treatment.without(Factor.START) == each.treatment.without(Factor.START) }
        same?.let { each to Bootstrap.ratio(each.values(P99), it.values(P99)).low }
    }
    val (most, least) = ratios.filter { it.second.isFinite() }.maxByOrNull { it.second } ?: return "Young and steady forks side by side"
    if (least < FASTER) return "These forks do not show that steady ones are faster at the 99th percentile"
    return "A young ${most.client} is at least ${Estimate.rounded(least)} times as slow as a steady one"
}

private fun conditionsOf(groups: List<TreatmentTrials>): String {
    val first = groups.firstOrNull() ?: return "no trials"
    val rates = groups.mapNotNull { it.number(Factor.RATE) }.distinct().map { "$it" }
    return "${listed(
        rates,
    )} requests a second for ${first.number(Factor.SECONDS)} s, each answered after ${first.number(Factor.DELAY_MS)} ms"
}

private const val P99 = "latencyP99Ms"
private const val FASTER = 1.1
private val PANELS = linkedMapOf(P99 to "latency at the 99th percentile, ms", "requestCpuMs" to "processor time per request, ms")
