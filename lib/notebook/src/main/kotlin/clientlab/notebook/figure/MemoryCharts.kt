package clientlab.notebook.figure

import clientlab.*
import clientlab.idle.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val KB = 1e-3

/** Memory that tasks take, against their number, both logarithmic: each trial is a dot, a line joins the medians of each mechanism. */
public fun Trials<IdleTasks>.memoryChart(): Chart {
    val slopes = mechanisms().associateWith { Slope.of(points(it), KB) }
    val said = slopes.entries.joinToString("; ") { (name, slope) -> "one more of $name takes $slope kB" }
    val groups = measured { it.tasks > 0 }
    val rows = groups.map { group -> group.memoryPoint() + ("memory" to (group.median(MEMORY).value * KB).coerceAtLeast(0.0)) }
    val dots = groups.flatMap { group -> group.dots(MEMORY) { group.memoryPoint() + ("memory" to (it * KB).coerceAtLeast(0.0)) } }
    val ends = rows.groupBy { it["mechanism"] }.values.map { line -> line.maxBy { it["tasks"] as Int } }
    val shares = LONG.mapNotNull { (name, words) -> slopes[name]?.let { "$words ${Estimate.rounded(it.value)} kB" } }
    return Chart(
        title = "One more waiting ${shares.joinToString(", ")}",
        subtitle = "Growth of heap in use (after full collections) and of what is resident beside it",
        caption = groups.captionOfPoints() + "; slopes by least squares",
        runs = groups.runs(),
        alt = "Memory against the number of waiting tasks. $said.",
        marks = listOf(
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

/** The memory of one more waiting task, against the depth of its stack: one line per mechanism. */
public fun Trials<IdleTasks>.stackChart(): Chart {
    val groups = measured()
    val depths = groups.mapNotNull { it.depth() }.distinct().sorted()
    val slopes = mechanisms().flatMap { name ->
        depths.map { depth -> Triple(name, depth, Slope.of(points(name) { it.depth() == depth }, KB)) }
    }
    val rows = slopes.filter { it.third.n > 0 }.map { (name, depth, slope) ->
        val kb = mapOf("kb" to slope.value, "low" to slope.low, "high" to slope.high).mapValues { it.value.coerceAtLeast(0.0) }
        mapOf("mechanism" to name, "depth" to depth) + kb
    }
    val deepest = rows.filter { it["depth"] == depths.lastOrNull() }
    val found = deepest.joinToString(", ") { "${Estimate.rounded(it["kb"] as Double)} kB (${it["mechanism"]})" }
    val title = "Under ${depths.lastOrNull() ?: 0} frames, one more takes $found"
    val data = ChartData.ofRows(rows)
    return Chart(
        title = title,
        subtitle = "Slopes; each frame holds two locals",
        caption = groups.captionOfPoints(),
        runs = groups.runs(),
        alt = "$title. ${slopes.joinToString("; ") { (name, depth, slope) -> "$name under $depth: $slope kB" }}.",
        marks = listOf(
            Intervals(data, "depth", "kb", "low", "high", color = "mechanism"),
            Lines(data, "depth", "kb", series = "mechanism"),
            Points(data, "depth", "kb", color = "mechanism"),
            Labels(ChartData.ofRows(deepest), "depth", "kb", text = "mechanism", color = "mechanism", place = LabelPlace.END),
        ),
        x = NumberAxis("frames below the waiting task", breaks = depths),
        y = NumberAxis("kB a task"),
    )
}

private fun TreatmentTrials.depth(): Int? = number(Factor.STACK_DEPTH)?.toInt()
