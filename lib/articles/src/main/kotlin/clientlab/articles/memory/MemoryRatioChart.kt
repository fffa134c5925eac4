package clientlab.articles.memory

import clientlab.idle.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val SOURCE_RATIO = 6

/** The ratio of the memory per task of two mechanisms, and of each mechanism to itself. */
public fun Trials<IdleTasks>.memoryRatioChart(): Chart {
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
        caption = measured().captionOfPoints(),
        runs = measured().runs(),
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
