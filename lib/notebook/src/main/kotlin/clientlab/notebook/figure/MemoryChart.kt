package clientlab.notebook.figure

import clientlab.idle.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val KB = 1e-3

/**
 * Memory that tasks take, against their number: each trial is a dot, a line joins the medians of each mechanism, both axes are logarithmic.
 */
public fun Trials<IdleTasks>.memoryChart(): Chart {
    val names = mechanisms()
    val slopes = names.associateWith { Slope.of(points(it), KB) }
    val said = names.joinToString("; ") { "one more of $it takes ${slopes.getValue(it)} kB" }
    val groups = measured { it.tasks > 0 }
    val rows = groups.map { group -> group.memoryPoint() + ("memory" to (group.median(MEMORY).value * KB).coerceAtLeast(0.0)) }
    val dots = groups.flatMap { group -> group.dots(MEMORY) { group.memoryPoint() + ("memory" to (it * KB).coerceAtLeast(0.0)) } }
    val ends = rows.groupBy { it["mechanism"] }.values.map { line -> line.maxBy { it["tasks"] as Int } }
    val shares = listOf("threads", "virtual", "coroutines").mapNotNull { name ->
        slopes[name]?.let { "${LONG.getValue(name)} ${Estimate.rounded(it.value)} kB" }
    }
    return Chart(
        title = "One more waiting ${shares.joinToString(", ")}",
        subtitle = "Growth of heap in use (after full collections) and of what is resident beside it",
        caption = groups.captionOfPoints() + "; slopes by least squares",
        runs = groups.runs(),
        alt = "Memory against the number of waiting tasks. $said.",
        marks =
            listOf(
                Points(ChartData.ofRows(dots), "tasks", "memory", color = "mechanism", role = PointRole.TRIAL),
                Lines(ChartData.ofRows(rows), "tasks", "memory", series = "mechanism"),
                Points(ChartData.ofRows(rows), "tasks", "memory", color = "mechanism"),
                Labels(ChartData.ofRows(ends), "tasks", "memory", text = "mechanism", color = "mechanism", place = LabelPlace.END),
            ),
        x = NumberAxis("waiting tasks", NumberScale.LOG10, breaks = decades(rows.map { it["tasks"] as Int })),
        y = NumberAxis("memory in kB", NumberScale.LOG10, breaks = decades(dots.map { (it["memory"] as Double).toInt() })),
    )
}

private val LONG = mapOf("threads" to "platform thread takes", "virtual" to "virtual thread", "coroutines" to "coroutine")

/** The powers of ten from below the smallest to above the largest of [numbers]. */
private fun decades(numbers: List<Int>): List<Int> {
    val least = numbers.filter { it > 0 }.minOrNull() ?: 1
    val most = numbers.maxOrNull() ?: 1
    return generateSequence(1) { it * 10 }.dropWhile { it * 10 <= least }.takeWhile { it <= most }.toList()
}
