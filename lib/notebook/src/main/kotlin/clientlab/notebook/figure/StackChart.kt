package clientlab.notebook.figure

import clientlab.*
import clientlab.idle.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val KB = 1e-3

/** The memory of one more waiting task, against the depth of its stack: one line per mechanism. */
public fun Trials<IdleTasks>.stackChart(): Chart {
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
