package clientlab.notebook.figure

import clientlab.notebook.chart.*
import clientlab.notebook.frame.*

/** The noise floor of an A/A run: each treatment compared with itself by each of [metrics], with intervals corrected by Holm for all. */
public fun Trials<*>.aaChart(vararg metrics: String = SHOWN): Chart {
    val all = againstThemselves(metrics.toList())
    val subjects = all.map { it.treatment }.distinct().map { it.subject }
    val telling = "" !in subjects && subjects.distinct() == subjects

    fun name(of: SelfComparison) = if (telling) of.treatment.subject else of.treatment.toString()
    val off = all.firstOrNull { 1.0 !in it.ratio.low..it.ratio.high }
    val title = when {
        all.isEmpty() -> "None of these metrics was measured"
        off == null -> "Nothing differs from itself: every interval includes 1"
        else -> "${name(off)} differs from itself in ${off.metric}: there is more noise than these forks tell"
    }
    val rows = all.filter { it.ratio.low.isFinite() && it.ratio.high.isFinite() }.map {
        mapOf("what" to name(it), "metric" to it.metric) + estimateCells(it.ratio)
    }
    val how = "ratios of medians with 95 % intervals by Holm"
    val data = ChartData.ofRows(rows)
    return Chart(
        title = title,
        subtitle = "One thing under two names in the same shuffled rounds: what it differs from itself by is noise",
        caption = "n = ${all.minOfOrNull { it.ratio.n } ?: 0} forks a name, $how for ${all.size} comparisons; ${originOf(runs())}",
        runs = runs(),
        alt = "$title. ${all.joinToString("; ") { "${name(it)}, ${it.metric}: ${it.ratio}" }}.",
        marks = listOf(
            ReferenceLines.atX(1),
            Intervals(data, "value", "metric", "low", "high", color = "what", lane = "what"),
            Points(data, "value", "metric", color = "what", lane = "what"),
        ),
        x = NumberAxis("A : A again (1 = no difference)", zero = false),
        y = CategoryAxis(all.map { it.metric }.distinct()),
        legend = Legend.TOP,
    )
}

/** The metrics by which articles compare clients most often. */
private val SHOWN = arrayOf("durationMs", "cpuSeconds", "allocatedBytes", "rssBytes", "threadsNew", "threadsBlocked")
