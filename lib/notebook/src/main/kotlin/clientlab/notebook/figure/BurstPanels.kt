package clientlab.notebook.figure

import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

public fun clientsPanels(groups: List<TreatmentTrials>, metric: String, label: String, title: String, alt: String): Chart {
    val trials = groups.flatMap { group ->
        group.dots(metric) { mapOf("client" to group.client, "level" to group.burstLevel(), "value" to it) }
    }
    val middles = groups.map { it to it.median(metric) }
    return clientsChart(
        groups,
        title,
        "$alt. ${middles.joinToString("; ") { (group, value) -> "${group.client} at ${group.inFlight}: $value" }}.",
        NumberAxis(label, metric = metric),
        ChartData.ofRows(trials),
        ChartData.ofRows(middles.map { (group, value) -> group.burstRow(value) }),
        values = true,
        free = true,
    )
}

/**
 * Clients on the vertical axis, one panel per level: dots for trials, an interval and a point for the estimate, and its value beside it.
 */
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

public fun TreatmentTrials.burstRow(estimate: Estimate): Map<String, Any?> =
    mapOf(
        "client" to client,
        "level" to burstLevel(),
        "value" to estimate.value,
        "low" to estimate.low,
        "high" to estimate.high,
        "text" to Estimate.rounded(estimate.value) + if (wave) " (in waves of ${Estimate.rounded(median("inFlightPeak").value)})" else "",
    )

public fun TreatmentTrials.burstLevel(): String = "$inFlight requests" + if (start == "warm") "" else ", $start"

public fun TreatmentTrials.delayMs(): Double = counted.firstNotNullOf { it.metric("delayMs") }

public fun TreatmentTrials.inDelays(): Estimate = Bootstrap.median(values("durationMs").map { it / delayMs() })

public fun burstConditions(groups: List<TreatmentTrials>, levels: List<Int>): String {
    val delay = groups.firstOrNull()?.delayMs() ?: return ""
    return "${listed(levels.map { it.toString() })} requests sent at once, each answered after ${Estimate.rounded(delay / 1000)} s"
}
