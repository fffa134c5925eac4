package clientlab.articles.gateway

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

internal fun several(
    groups: List<TreatmentTrials>,
    what: Map<String, (TreatmentTrials) -> List<Double>>,
    title: String,
    name: (TreatmentTrials) -> String = { it.client + it.rateMark(groups) },
): Chart {
    val trials = groups.flatMap { group ->
        what.flatMap { (panel, values) -> group.dots(values(group)) { row(group, name(group), panel, it) } }
    }
    val middles = groups.flatMap { group -> what.map { (panel, values) -> middle(group, name(group), panel, values(group)) } }
    return Chart(
        title = title,
        subtitle = conditions(groups),
        caption = groups.captionOfMedians(),
        runs = groups.runs(),
        alt = "$title. ${middles.joinToString("; ") { "${it["name"]}, ${it["panel"]}: ${it["text"]}" }}.",
        marks = forksAndMedians(ChartData.ofRows(trials), ChartData.ofRows(middles), "name", color = "client"),
        x = NumberAxis(),
        y = CategoryAxis(groups.map(name).distinct()),
        facets = Facets("panel", what.keys.toList(), free = true),
    )
}

internal fun row(group: TreatmentTrials, name: String, panel: String, value: Double) =
    mapOf("client" to group.client, "name" to name, "panel" to panel, "value" to value)

internal fun middle(group: TreatmentTrials, name: String, panel: String, values: List<Double>): Map<String, Any?> {
    val estimate = Bootstrap.median(values)
    return row(group, name, panel, estimate.value) +
        mapOf("low" to estimate.low, "high" to estimate.high, "text" to Estimate.rounded(estimate.value))
}

internal fun Trials<*>.loaded(where: (TreatmentTrials) -> Boolean = { true }): Measured = measured { it[Factor.RATE] != null && where(it) }

internal fun TreatmentTrials.rateMark(all: List<TreatmentTrials>): String {
    val several = all.mapNotNull { it[Factor.RATE] }.distinct().size > 1
    return if (several) ", ${get(Factor.RATE)}/s" else ""
}

internal fun conditions(groups: List<TreatmentTrials>): String {
    val first = groups.firstOrNull() ?: return ""

    fun levels(factor: String) = listed(
        groups
            .mapNotNull { it.number(factor) }
            .distinct()
            .sorted()
            .map { "%,d".format(java.util.Locale.ROOT, it) },
    )
    val delay = (first.number(Factor.DELAY_MS) ?: 0) / MS
    val answered = if (delay == 0.0) "answered at once" else "answered after ${Estimate.rounded(delay)} s"
    return when {
        first[Factor.RATE] != null -> {
            "${levels(Factor.RATE)} requests a second for ${levels(Factor.SECONDS)} s, each $answered; " +
                "a gateway of ${levels(Factor.MEMORY_MIB)} MiB"
        }

        first[Factor.TASKS] != null -> {
            "${levels(Factor.TASKS)} requests, ${levels(Factor.IN_FLIGHT)} in flight, $answered"
        }

        else -> {
            "${levels(Factor.IN_FLIGHT)} requests sent at once, each $answered"
        }
    }
}

internal const val MS = 1000.0

internal const val MIB = 1_048_576.0
