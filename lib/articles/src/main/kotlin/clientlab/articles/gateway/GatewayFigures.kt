package clientlab.articles.gateway

import clientlab.*
import clientlab.gatewayload.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*

/** The share of requests that each gateway answered, a panel for each rate: dots are forks. */
public fun Trials<GatewayLoad>.gatewayChart(): Chart {
    val groups = loaded()
    val fallen = groups.filter { it.median("answeredShare").value < ALL }.map { it.client }.distinct()
    val title =
        if (fallen.isEmpty()) {
            "Every gateway${groups.measuredHere} answers every request"
        } else {
            "Gateways of ${listed(fallen)} do not answer all requests"
        }
    return panelled(
        groups,
        groups.map { it.rateWords() }.distinct(),
        { it.rateWords() },
        { group -> group.values("answeredShare").map { it * PERCENT } },
        title,
        NumberAxis("requests answered before their caller gave up, in %", breaks = listOf(0, 50, 100)),
        free = false,
    )
}

/** The cost of a gateway that survives: its threads, its memory, and its processor time per request. */
public fun Trials<GatewayLoad>.gatewayCostChart(): Chart {
    val groups = loaded().only { it.median("answeredShare").value >= ALL }
    val least = groups.minByOrNull { it.median("requestCpuMs").value }
    val title = "Of the gateways that answer all, ${least?.client ?: "none"} takes the least processor time"
    return several(groups, COSTS, title)
}

private fun panelled(
    groups: List<TreatmentTrials>,
    panels: List<String>,
    panel: (TreatmentTrials) -> String,
    values: (TreatmentTrials) -> List<Double>,
    title: String,
    axis: NumberAxis,
    free: Boolean,
): Chart {
    val trials = groups.flatMap { group -> group.dots(values(group)) { row(group, group.client, panel(group), it) } }
    val middles = groups.map { middle(it, it.client, panel(it), values(it)) }
    return Chart(
        title = title,
        subtitle = conditions(groups),
        caption = groups.captionOfMedians(),
        runs = groups.runs(),
        alt = "$title. ${middles.joinToString("; ") { "${it["name"]}, ${it["panel"]}: ${it["text"]}" }}.",
        marks = forksAndMedians(ChartData.ofRows(trials), ChartData.ofRows(middles), "name", color = "client"),
        x = axis,
        y = CategoryAxis(groups.map { it.client }.distinct()),
        facets = Facets("panel", panels, free = free).takeIf { panels.size > 1 },
    )
}

private fun TreatmentTrials.rateWords() = "${number(Factor.RATE)} a second, ${number(Factor.MEMORY_MIB)} MiB"

private const val ALL = 0.999

private const val PERCENT = 100

private val COSTS: Map<String, (TreatmentTrials) -> List<Double>> =
    mapOf(
        "threads" to { group -> group.values("osThreadsPeak") },
        "memory, peak in MiB" to { group -> group.values("anonPeakBytes").map { it / MIB } },
        "processor time, ms a request" to { group -> group.values("requestCpuMs") },
    )
