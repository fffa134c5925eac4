package clientlab.notebook.figure

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.apache.commons.statistics.descriptive.Median

/**
 * Whether [metric] drifts: the value in percent of the treatment's median against the round, one panel per treatment, with the line of the
 * median slope between rounds (Theil–Sen).
 *
 * If there are more than [MOST_PANELS] treatments, those with the smallest p are drawn; `drift()` has all. Fails for several runs, because
 * their rounds are not one sequence, and for an unknown metric.
 */
public fun Trials<*>.driftChart(metric: String = "durationMs"): Chart {
    val all = drifts(metric)
    val runs = all.map { it.run }.distinct()
    refuseUnless(runs.size < 2) { "These trials are of ${runs.size} runs; filter them by run, for a drift is within one." }
    val least = all.sortedBy { it.p }.take(MOST_PANELS).toSet()
    val shown = all.filter { it in least }
    val points = shown.flatMap { of -> of.values.map { (round, value) -> row(of, round, value) } }
    val lines = shown.flatMap { of -> of.line().map { (round, value) -> row(of, round, value) } }
    val rounds = all.flatMap { it.values.keys }.map { it + 1 }
    val title = title(all, metric)
    return Chart(
        title = title,
        subtitle = "$metric of every trial in percent of its treatment's median, round by round; " +
            "p by Kendall's rank correlation, for all treatments together (Holm)",
        caption = caption(all, shown.size),
        runs = runs,
        alt = "$title. ${all.joinToString("; ") { "${it.label}: ${words(it)}" }}.",
        marks = listOf(
            ReferenceLines.atY(WHOLE),
            Lines(ChartData.ofRows(lines), "round", "percent", series = "treatment", color = "subject"),
            Points(ChartData.ofRows(points), "round", "percent", color = "subject", role = PointRole.TRIAL),
        ),
        x = NumberAxis("round", zero = false, breaks = breaks(rounds.maxOrNull() ?: 1)),
        y = NumberAxis("% of the median", zero = false),
        facets = Facets("treatment", shown.map(::panel), columns = shown.size.coerceIn(1, COLUMNS)),
    )
}

private fun title(all: List<TreatmentDrift>, metric: String): String {
    val drifting = all.filter { it.drifts }
    return when {
        all.isEmpty() -> "One round shows no drift of $metric"
        drifting.size == 1 -> "$metric of ${drifting.single().label} drifts by ${change(drifting.single().change)} over the rounds"
        drifting.isNotEmpty() -> "$metric drifts over the rounds in ${drifting.size} of ${all.size} treatments"
        all.none { it.enough } -> "With so few rounds no drift of $metric could be told from chance"
        else -> "$metric drifts in no treatment"
    }
}

private fun caption(all: List<TreatmentDrift>, shown: Int): String {
    val n = "n = ${fromTo(all.map { it.values.size })} forks a panel"
    val left = if (shown < all.size) "; the $shown of ${all.size} treatments with the least p" else ""
    return "$n$left; ${originOf(all.map { it.run }.distinct())}"
}

/** The title of a panel: `okhttp, 100 in flight: +3.1 %, p = 0.02`. */
private fun panel(of: TreatmentDrift) = "${of.label}: ${words(of)}"

private fun words(of: TreatmentDrift) = "${change(of.change)}, p = ${Estimate.rounded(of.holm)}"

private fun change(of: Estimate) = (if (of.value > 0) "+" else "") + "${Estimate.rounded(of.value)} %"

private fun TreatmentDrift.line(): List<Pair<Int, Double>> {
    val (start, end) = Drift.line(values) ?: return emptyList()
    return listOf(values.keys.min() to start, values.keys.max() to end)
}

private fun row(of: TreatmentDrift, round: Int, value: Double): Map<String, Any?> {
    val middle = Median.withDefaults().evaluate(of.values.values.toDoubleArray())
    return mapOf("treatment" to panel(of), "subject" to of.subject, "round" to round + 1, "percent" to PERCENT * value / middle)
}

/** The first round, and a few round numbers up to the last. */
private fun breaks(last: Int): List<Int> {
    val step = listOf(1, 2, 5, 10, 20, 50, 100).first { last / it <= MOST_BREAKS || it == 100 }
    return (listOf(1) + (step..last step step)).distinct()
}

/** A figure with more panels than this is hard to read. */
internal const val MOST_PANELS: Int = 6
private const val COLUMNS = 2
private const val MOST_BREAKS = 6
private const val PERCENT = 100.0
private const val WHOLE = 100
