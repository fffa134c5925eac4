package clientlab.notebook.figure

import clientlab.Factor
import clientlab.notebook.chart.Chart
import clientlab.notebook.chart.ChartData
import clientlab.notebook.chart.Intervals
import clientlab.notebook.chart.LabelPlace
import clientlab.notebook.chart.Labels
import clientlab.notebook.chart.Lines
import clientlab.notebook.chart.NumberAxis
import clientlab.notebook.chart.Points
import clientlab.notebook.chart.measured
import clientlab.notebook.chart.runs
import clientlab.notebook.frame.Trials
import clientlab.notebook.frame.mechanisms
import clientlab.notebook.frame.points
import clientlab.notebook.stats.Estimate
import clientlab.notebook.stats.Slope

private const val KB = 1e-3

/** The memory of one more waiting task, against the depth of its stack: one line per mechanism. */
public fun Trials.stackChart(): Chart {
    val groups = measured()
    val depths = groups.mapNotNull { it.number(Factor.STACK_DEPTH)?.toInt() }.distinct().sorted()
    val slopes = mechanisms().flatMap { name ->
        depths.map { depth ->
            Triple(
                name,
                depth,
                Slope.of(
                    points(name) {
                        it.number(Factor.STACK_DEPTH)?.toInt() ==
                            depth
                    },
                    KB,
                ),
            )
        }
    }
    val rows = slopes.filter { it.third.n > 0 }.map { (name, depth, slope) ->
        mapOf(
            "mechanism" to name,
            "depth" to depth,
            "kb" to slope.value.coerceAtLeast(0.0),
            "low" to slope.low.coerceAtLeast(0.0),
            "high" to slope.high.coerceAtLeast(0.0),
        )
    }
    val deepest = rows.filter { it["depth"] == depths.lastOrNull() }
    val title =
        "Under ${depths.lastOrNull() ?: 0} frames, one more takes " +
            deepest.joinToString(", ") { "${Estimate.rounded(it["kb"] as Double)} kB (${it["mechanism"]})" }
    val data = ChartData.ofRows(rows)
    return Chart(
        title = title,
        subtitle = "Slopes; each frame holds two locals",
        caption = groups.captionOfPoints(),
        runs = groups.runs(),
        alt = "$title. ${slopes.joinToString("; ") { (name, depth, slope) -> "$name under $depth: $slope kB" }}.",
        marks =
            listOf(
                Intervals(data, "depth", "kb", "low", "high", color = "mechanism"),
                Lines(data, "depth", "kb", series = "mechanism"),
                Points(data, "depth", "kb", color = "mechanism"),
                Labels(ChartData.ofRows(deepest), "depth", "kb", text = "mechanism", color = "mechanism", place = LabelPlace.END),
            ),
        x = NumberAxis("frames below the waiting task", breaks = depths),
        y = NumberAxis("kB a task"),
    )
}
