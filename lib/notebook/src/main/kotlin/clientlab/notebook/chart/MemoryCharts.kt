package clientlab.notebook.chart

import clientlab.Factor
import clientlab.notebook.frame.MEMORY
import clientlab.notebook.frame.TreatmentTrials
import clientlab.notebook.frame.Trials
import clientlab.notebook.frame.mechanisms
import clientlab.notebook.frame.memoryRatioEstimates
import clientlab.notebook.frame.metric
import clientlab.notebook.frame.points
import clientlab.notebook.stats.Bootstrap
import clientlab.notebook.stats.Estimate
import clientlab.notebook.stats.Slope

private const val KB = 1e-3
private const val SOURCE_RATIO = 6

/** Memory that tasks take, against their number: every trial a dot, a line through the medians of each mechanism, both axes logarithmic. */
public fun Trials.memoryChart(): Chart {
    val names = mechanisms()
    val slopes = names.associateWith { Slope.of(points(it), KB) }
    val said = names.joinToString("; ") { "one more of $it takes ${slopes.getValue(it)} kB" }
    val groups = counted().filter { it.tasks > 0 }
    val rows = groups.map { group -> group.at() + ("memory" to (group.median(MEMORY).value * KB).coerceAtLeast(0.0)) }
    val dots = groups.flatMap { group -> group.values(MEMORY).map { group.at() + ("memory" to (it * KB).coerceAtLeast(0.0)) } }
    val ends = rows.groupBy { it["mechanism"] }.values.map { line -> line.maxBy { it["tasks"] as Int } }
    val shares = listOf("threads", "virtual", "coroutines").mapNotNull { name ->
        slopes[name]?.let { "${LONG.getValue(name)} ${Estimate.rounded(it.value)} kB" }
    }
    return Chart(
        title = "One more waiting ${shares.joinToString(", ")}",
        subtitle = "Growth of heap in use (after full collections) and of what is resident beside it",
        caption = caption(groups) + "; slopes by least squares",
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

/** How many times as much memory one more task of a mechanism takes as one of another, and the same mechanism against itself. */
public fun Trials.memoryRatioChart(): Chart {
    val ratios = memoryRatioEstimates().filter { it.second.n > 0 }
    val rows =
        ratios.map { (name, ratio) ->
            mapOf(
                "ratio" to name,
                "value" to ratio.value,
                "low" to ratio.low,
                "high" to ratio.high,
                "text" to Estimate.rounded(ratio.value),
            )
        }
    val first = ratios.firstOrNull { it.first == "threads : coroutines" }?.second
    val title =
        if (first == null) {
            "How one mechanism compares with another"
        } else {
            "A thread takes ${Estimate.rounded(first.value)} times as much as a coroutine, not $SOURCE_RATIO"
                .takeIf { SOURCE_RATIO.toDouble() !in first.low..first.high }
                ?: "A thread takes about $SOURCE_RATIO times as much as a coroutine"
        }
    val data = ChartData.ofRows(rows)
    return Chart(
        title = title,
        subtitle = "Ratios of slopes; A/A is the same mechanism in even and in odd rounds",
        caption = caption(counted()),
        alt = "$title. ${ratios.joinToString("; ") { (name, ratio) -> "$name: $ratio" }}.",
        marks =
            listOf(
                ReferenceLines(
                    ChartData.of("at" to listOf(1, SOURCE_RATIO), "text" to listOf("the same", "the source")),
                    x = "at",
                    text = "text",
                ),
                Intervals(data, "value", "ratio", "low", "high"),
                Points(data, "value", "ratio"),
                Labels(data, "value", "ratio", text = "text", place = LabelPlace.ABOVE),
            ),
        x = NumberAxis("times as much memory a task", NumberScale.LOG10, breaks = listOf(1, 2, 5, 10, 20, 50, 100)),
        y = CategoryAxis(ratios.map { it.first }),
    )
}

/** What the first few tasks take, cold and warm, beside what the slope of all the others would give. */
public fun Trials.firstTasksChart(most: Int = 10): Chart {
    val groups = counted().filter { it.tasks <= most }
    val rows = groups.map { group ->
        val memory = group.median(MEMORY)
        mapOf(
            "mechanism" to group.mechanism,
            "tasks" to group.tasks,
            "start" to group.start,
            "memory" to memory.value * KB,
            "low" to memory.low * KB,
            "high" to memory.high * KB,
        )
    }
    val names = mechanisms()
    val first = names.associateWith { name ->
        rows.firstOrNull { it["mechanism"] == name && it["tasks"] == 1 && it["start"] == "cold" }?.get("memory") as Double?
    }
    val dearest = first.filterValues { it != null }.maxByOrNull { it.value!! }
    val ends = rows.groupBy { it["mechanism"] to it["start"] }.values.map { line -> line.maxBy { it["tasks"] as Int } }
    val data = ChartData.ofRows(rows)
    val title =
        dearest?.let { "The first of the ${it.key} takes ${Estimate.rounded(it.value!!)} kB when all is cold" }
            ?: "What the first few tasks take"
    return Chart(
        title = title,
        subtitle = "Warm: one task has come and gone before; at zero is what the reading adds",
        caption = caption(groups),
        alt = "$title. ${first.entries.joinToString("; ") { (name, kb) -> "$name: ${kb?.let(Estimate::rounded) ?: "not measured"} kB" }}.",
        marks =
            listOf(
                Intervals(data, "tasks", "memory", "low", "high", color = "start"),
                Lines(data, "tasks", "memory", series = "start"),
                Points(data, "tasks", "memory", color = "start"),
                Labels(ChartData.ofRows(ends), "tasks", "memory", text = "start", color = "start", place = LabelPlace.END),
            ),
        x = NumberAxis("tasks", breaks = listOf(0, 2, 5, 10)),
        y = NumberAxis("memory in kB"),
        facets = Facets("mechanism", names, columns = 2),
        colors = mapOf("cold" to Style.colorOf("coroutines"), "warm" to Style.colorOf("threads")),
    )
}

/** What each of n tasks takes on average, against n: a line for each level of [factor], of one mechanism. */
public fun Trials.eachChart(mechanism: String, factor: String): Chart {
    val groups = counted().filter { it.tasks > 0 && it.mechanism == mechanism }
    val rows = groups.map { mapOf("level" to it[factor].orEmpty(), "tasks" to it.tasks, "each" to it.median(MEMORY).value * KB / it.tasks) }
    val ends = rows.groupBy { it["level"] }.values.map { line -> line.maxBy { it["tasks"] as Int } }
    val said = ends.joinToString("; ") { "${it["level"]}: ${Estimate.rounded(it["each"] as Double)} kB each at ${it["tasks"]}" }
    val from = groups.minOfOrNull { it.tasks }
    val plain = rows.filter { it["level"] == (ends.map { end -> end["level"] }.lastOrNull()) }.sortedBy { it["tasks"] as Int }
    val title =
        if (plain.size <
            2
        ) {
            "What each of the $mechanism takes"
        } else {
            "Each of $from takes ${Estimate.rounded(plain.first()["each"] as Double)} kB, " +
                "each of ${plain.last()["tasks"]} takes ${Estimate.rounded(plain.last()["each"] as Double)} kB (${plain.first()["level"]})"
        }
    return Chart(
        title = title,
        subtitle = "Waiting $mechanism: memory in all, divided by their number",
        caption = caption(groups),
        alt = "$title. $said.",
        marks =
            listOf(
                Lines(ChartData.ofRows(rows), "tasks", "each", series = "level"),
                Points(ChartData.ofRows(rows), "tasks", "each", color = "level"),
                Labels(ChartData.ofRows(ends), "tasks", "each", text = "level", color = "level", place = LabelPlace.END),
            ),
        x = NumberAxis("waiting tasks", NumberScale.LOG10, breaks = rows.map { it["tasks"] as Int }.distinct().sorted()),
        y = NumberAxis("kB a task"),
        colors = ends.map { it["level"].toString() }.zip(SERIES.map(Style::colorOf)).toMap(),
    )
}

/** What one more waiting task takes, against the frames below it: a line a mechanism. */
public fun Trials.stackChart(): Chart {
    val groups = counted()
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
        caption = caption(groups),
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

/** Memory of computing tasks, against their number: a line a mechanism. */
public fun Trials.computingChart(): Chart {
    val groups = counted()
    val names = mechanisms()
    val most = groups.maxOfOrNull { it.tasks } ?: 0
    val rows = groups.map { group ->
        val memory = group.median(MEMORY)
        group.at() + mapOf("memory" to memory.value * KB, "low" to memory.low * KB, "high" to memory.high * KB)
    }
    val ends = rows.filter { it["tasks"] == most }
    val title = "$most computing tasks: " + ends.joinToString(", ") { "${it["mechanism"]} ${Estimate.rounded(it["memory"] as Double)} kB" }
    val data = ChartData.ofRows(rows)
    return Chart(
        title = title,
        subtitle = "Memory while as many compute as can; the rest queue, but for bare threads",
        caption = caption(groups),
        alt = "$title. ${names.joinToString()} at ${groups.map { it.tasks }.distinct().sorted().joinToString()} tasks.",
        marks =
            listOf(
                Intervals(data, "tasks", "memory", "low", "high", color = "mechanism"),
                Lines(data, "tasks", "memory", series = "mechanism"),
                Points(data, "tasks", "memory", color = "mechanism"),
                Labels(ChartData.ofRows(ends), "tasks", "memory", text = "mechanism", color = "mechanism", place = LabelPlace.END),
            ),
        x = NumberAxis(
            "computing tasks",
            breaks = groups
                .map { it.tasks }
                .distinct()
                .sorted()
                .filter { it != 2 && it != 1 },
        ),
        y = NumberAxis("memory in kB"),
    )
}

/** Whose colours stand for lines that are all of one mechanism. */
private val SERIES = listOf("coroutines", "virtual", "threads", "pool")

private val LONG = mapOf("threads" to "platform thread takes", "virtual" to "virtual thread", "coroutines" to "coroutine")

private fun Trials.counted(): Measured = measured()

private val TreatmentTrials.tasks: Int get() = number(Factor.TASKS)?.toInt() ?: 0
private val TreatmentTrials.mechanism: String get() = get(Factor.MECHANISM).orEmpty()

private fun TreatmentTrials.at(): Map<String, Any?> = mapOf("mechanism" to mechanism, "tasks" to tasks)

/** The powers of ten from below the smallest to above the largest of [numbers]. */
private fun decades(numbers: List<Int>): List<Int> {
    val least = numbers.filter { it > 0 }.minOrNull() ?: 1
    val most = numbers.maxOrNull() ?: 1
    return generateSequence(1) { it * 10 }.dropWhile { it * 10 <= least }.takeWhile { it <= most }.toList()
}

private fun caption(groups: List<TreatmentTrials>): String = "${groups.forks()} a point, medians, 95 % intervals; ${groups.origin()}"
