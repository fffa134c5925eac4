package clientlab.notebook.figure

import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

public fun clientsPanels(groups: List<TreatmentTrials>, metric: String, label: String, title: String, alt: String): Chart {
    val trials = groups.flatMap { group ->
        group.dots(metric) { mapOf("client" to group.client, "level" to group.burstLevel(), "value" to it) }
    }
    val middles = groups.map { it to it.median(metric) }
    val said = middles.joinToString("; ") { (group, value) -> "${group.client} at ${group.inFlight}: $value" }
    val estimates = ChartData.ofRows(middles.map { (group, value) -> group.burstRow(value) })
    val x = NumberAxis(label, metric = metric)
    return clientsChart(groups, title, "$alt. $said.", x, ChartData.ofRows(trials), estimates, values = true, free = true)
}

/** Clients on the vertical axis, one panel per level: dots for trials, a point with an interval for the estimate, its value beside it. */
public fun clientsChart(
    groups: List<TreatmentTrials>,
    title: String,
    alt: String,
    x: NumberAxis,
    trials: ChartData,
    estimates: ChartData?,
    behind: List<Mark> = emptyList(),
    values: Boolean = false,
    free: Boolean = false,
): Chart {
    val levels = groups.sortedBy { it.inFlight }.map { it.burstLevel() }.distinct()
    return Chart(
        title = title,
        subtitle = burstConditions(groups, groups.map { it.inFlight }.distinct().sorted()),
        caption = groups.captionOfMedians(),
        alt = alt,
        marks = behind + forksAndMedians(trials, estimates, "client", text = "text".takeIf { values }),
        x = x,
        y = CategoryAxis(groups.map { it.client }.distinct()),
        facets = Facets("level", levels, free = free).takeIf { levels.size > 1 },
        runs = groups.runs(),
    )
}

public fun TreatmentTrials.burstRow(estimate: Estimate): Map<String, Any?> {
    val held = if (wave) " (in waves of ${Estimate.rounded(median("inFlightPeak").value)})" else ""
    val level = mapOf("client" to client, "level" to burstLevel())
    return level + estimateCells(estimate) + ("text" to Estimate.rounded(estimate.value) + held)
}

/** The columns of a median with its interval. */
internal fun estimateCells(of: Estimate, name: String = "value"): Map<String, Any?> =
    mapOf(name to of.value, "low" to of.low, "high" to of.high)

public fun TreatmentTrials.burstLevel(): String = "$inFlight requests" + if (start == "warm") "" else ", $start"

public fun TreatmentTrials.delayMs(): Double = counted.firstNotNullOf { it.metric("delayMs") }

public fun TreatmentTrials.inDelays(): Estimate = Bootstrap.median(values("durationMs").map { it / delayMs() })

public fun burstConditions(groups: List<TreatmentTrials>, levels: List<Int>): String {
    val delay = groups.firstOrNull()?.delayMs() ?: return ""
    return "${listed(levels.map { it.toString() })} requests sent at once, each answered after ${Estimate.rounded(delay / 1000)} s"
}

/** The caption of a figure whose points are medians or slopes. */
public fun List<TreatmentTrials>.captionOfPoints(): String = "${forks()} a point, medians, 95 % intervals; ${origin()}"

/** Names in a sentence: `a, b and c`. */
public fun listed(names: List<String>): String =
    if (names.size < 2) names.joinToString() else "${names.dropLast(1).joinToString()} and ${names.last()}"
