package clientlab.articles.memory

import clientlab.articles.*
import clientlab.idle.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/** The memory of the first few tasks, cold and warm, compared with what the slope of the others predicts. */
public fun Trials<IdleTasks>.firstTasksChart(most: Int = 10): Chart {
    val groups = measured { it.tasks <= most }
    val rows = groups.map { it.memoryPoint() + ("start" to it.start) + it.median(MEMORY).cells("memory", KB) }
    val names = mechanisms()
    val first = names.associateWith { name ->
        rows.firstOrNull { it["mechanism"] == name && it["tasks"] == 1 && it["start"] == "cold" }?.get("memory") as Double?
    }
    val dearest = first.filterValues { it != null }.maxByOrNull { it.value!! }
    val title = dearest?.let { "The first of the ${it.key} takes ${Estimate.rounded(it.value!!)} kB when all is cold" }
        ?: "What the first few tasks take"
    return memoryLines(
        groups,
        title,
        "Warm: one task has come and gone before; at zero is what the reading adds",
        first.entries.joinToString("; ") { (name, kb) -> "$name: ${kb?.let(Estimate::rounded) ?: "not measured"} kB" },
        rows,
        rows.ends("tasks", "mechanism", "start"),
        "start",
        NumberAxis("tasks", breaks = listOf(0, 2, 5, 10)),
    ).copy(
        facets = Facets("mechanism", names, columns = 2),
        colors = mapOf("cold" to Style.colorOf("coroutines"), "warm" to Style.colorOf("threads")),
    )
}

/** The average memory per task, against the number of tasks: one line per level of [factor], for one mechanism. */
public fun Trials<IdleTasks>.eachChart(mechanism: String, factor: String): Chart {
    val groups = measured { it.tasks > 0 && it.mechanism == mechanism }
    val rows = groups.map { mapOf("level" to it[factor].orEmpty(), "tasks" to it.tasks, "each" to it.median(MEMORY).value * KB / it.tasks) }
    val ends = rows.ends("tasks", "level")

    fun kb(row: Map<String, Any?>) = "${Estimate.rounded(row["each"] as Double)} kB"
    val plain = rows.filter { it["level"] == ends.lastOrNull()?.get("level") }.sortedBy { it["tasks"] as Int }
    val title = if (plain.size < 2) {
        "What each of the $mechanism takes"
    } else {
        val (least, most) = plain.first() to plain.last()
        "Each of ${groups.minOf { it.tasks }} takes ${kb(least)}, each of ${most["tasks"]} takes ${kb(most)} (${least["level"]})"
    }
    return Chart(
        title = title,
        subtitle = "Waiting $mechanism: memory in all, divided by their number",
        caption = groups.captionOfPoints(),
        runs = groups.runs(),
        alt = "$title. ${ends.joinToString("; ") { "${it["level"]}: ${kb(it)} each at ${it["tasks"]}" }}.",
        marks = listOf(
            Lines(ChartData.ofRows(rows), "tasks", "each", series = "level"),
            Points(ChartData.ofRows(rows), "tasks", "each", color = "level"),
            endLabels(ends, "tasks", "each", "level"),
        ),
        x = NumberAxis("waiting tasks", NumberScale.LOG10, breaks = rows.map { it["tasks"] as Int }.distinct().sorted()),
        y = NumberAxis("kB a task"),
        colors = ends.map { it["level"].toString() }.zip(SERIES.map(Style::colorOf)).toMap(),
    )
}

/** Memory of computing tasks, against their number: one line per mechanism. */
public fun Trials<IdleTasks>.computingChart(): Chart {
    val groups = measured()
    val tasks = groups.map { it.tasks }.distinct().sorted()
    val rows = groups.map { it.memoryPoint() + it.median(MEMORY).cells("memory", KB) }
    val ends = rows.filter { it["tasks"] == (tasks.lastOrNull() ?: 0) }
    val said = ends.joinToString { "${it["mechanism"]} ${Estimate.rounded(it["memory"] as Double)} kB" }
    return memoryLines(
        groups,
        "${tasks.lastOrNull() ?: 0} computing tasks: $said",
        "Memory while as many compute as can; the rest queue, but for bare threads",
        "${mechanisms().joinToString()} at ${tasks.joinToString()} tasks",
        rows,
        ends,
        "mechanism",
        NumberAxis("computing tasks", breaks = tasks - setOf(1, 2)),
    )
}

/** Memory against the number of tasks: lines of medians with their intervals, one per value of the column [line]. */
private fun memoryLines(
    groups: List<TreatmentTrials>,
    title: String,
    subtitle: String,
    words: String,
    rows: List<Map<String, Any?>>,
    ends: List<Map<String, Any?>>,
    line: String,
    x: NumberAxis,
): Chart {
    val data = ChartData.ofRows(rows)
    return Chart(
        title = title,
        subtitle = subtitle,
        caption = groups.captionOfPoints(),
        runs = groups.runs(),
        alt = "$title. $words.",
        marks = listOf(
            Intervals(data, "tasks", "memory", "low", "high", color = line),
            Lines(data, "tasks", "memory", series = line),
            Points(data, "tasks", "memory", color = line),
            endLabels(ends, "tasks", "memory", line),
        ),
        x = x,
        y = NumberAxis("memory in kB"),
    )
}

/** The ratio of the memory per task of two mechanisms, and of each mechanism to itself. */
public fun Trials<IdleTasks>.memoryRatioChart(): Chart {
    val ratios = memoryRatioEstimates().filter { it.second.n > 0 }
    val data = ChartData.ofRows(
        ratios.map { (name, ratio) -> mapOf("ratio" to name) + ratio.cells() + ("text" to Estimate.rounded(ratio.value)) },
    )
    val first = ratios.firstOrNull { it.first == "threads : coroutines" }?.second
    val title = when {
        first == null -> "How one mechanism compares with another"
        SOURCE_RATIO in first.low..first.high -> "A thread takes about ${SOURCE_RATIO.toInt()} times as much as a coroutine"
        else -> "A thread takes ${Estimate.rounded(first.value)} times as much as a coroutine, not ${SOURCE_RATIO.toInt()}"
    }
    val known = ChartData.of("at" to listOf(1, SOURCE_RATIO.toInt()), "text" to listOf("the same", "the source"))
    return Chart(
        title = title,
        subtitle = "Ratios of slopes; A/A is the same mechanism in even and in odd rounds",
        caption = measured().captionOfPoints(),
        runs = measured().runs(),
        alt = "$title. ${ratios.joinToString("; ") { (name, ratio) -> "$name: $ratio" }}.",
        marks = listOf(
            ReferenceLines(known, x = "at", text = "text"),
            Intervals(data, "value", "ratio", "low", "high"),
            Points(data, "value", "ratio"),
            Labels(data, "value", "ratio", text = "text", place = LabelPlace.ABOVE),
        ),
        x = NumberAxis("times as much memory a task", NumberScale.LOG10, breaks = listOf(1, 2, 5, 10, 20, 50, 100)),
        y = CategoryAxis(ratios.map { it.first }),
    )
}

private const val SOURCE_RATIO = 6.0

/** Names whose colours are used for lines that belong to one mechanism. */
private val SERIES = listOf("coroutines", "virtual", "threads", "pool")
