package clientlab.articles.memory

import clientlab.idle.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val KB = 1e-3

/** The memory of the first few tasks, cold and warm, compared with what the slope of the others predicts. */
public fun Trials<IdleTasks>.firstTasksChart(most: Int = 10): Chart {
    val groups = measured { it.tasks <= most }
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
        caption = groups.captionOfPoints(),
        runs = groups.runs(),
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

/** The average memory per task, against the number of tasks: one line per level of [factor], for one mechanism. */
public fun Trials<IdleTasks>.eachChart(mechanism: String, factor: String): Chart {
    val groups = measured { it.tasks > 0 && it.mechanism == mechanism }
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
        caption = groups.captionOfPoints(),
        runs = groups.runs(),
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

/** Memory of computing tasks, against their number: one line per mechanism. */
public fun Trials<IdleTasks>.computingChart(): Chart {
    val groups = measured()
    val names = mechanisms()
    val most = groups.maxOfOrNull { it.tasks } ?: 0
    val rows = groups.map { group ->
        val memory = group.median(MEMORY)
        group.memoryPoint() + mapOf("memory" to memory.value * KB, "low" to memory.low * KB, "high" to memory.high * KB)
    }
    val ends = rows.filter { it["tasks"] == most }
    val title = "$most computing tasks: " + ends.joinToString(", ") { "${it["mechanism"]} ${Estimate.rounded(it["memory"] as Double)} kB" }
    val data = ChartData.ofRows(rows)
    return Chart(
        title = title,
        subtitle = "Memory while as many compute as can; the rest queue, but for bare threads",
        caption = groups.captionOfPoints(),
        runs = groups.runs(),
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

/** Names whose colours are used for lines that belong to one mechanism. */
private val SERIES = listOf("coroutines", "virtual", "threads", "pool")
