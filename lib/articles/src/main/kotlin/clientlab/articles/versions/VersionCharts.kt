package clientlab.articles.versions

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import kotlin.math.ceil

/** The new platform threads while all requests wait, idle ones included, one row per version. */
public fun Trials<Burst>.threadsByVersionChart(metric: String = "threadsLive"): Chart {
    val counted = if (metric == "threadsLive") "platform threads alive" else metric
    return byVersion(metric, "$counted while the requests wait") { client, counts -> "$client has $counts threads" }
}

private fun Trials<*>.byVersion(metric: String, axis: String, title: (String, String) -> String): Chart {
    val groups = measured().only { it.values(metric).isNotEmpty() }
    val rows = groups.map { it.forkRow(mapOf("client" to it.client), metric) }
    val ends = rows
        .groupBy({ ClientInfo.unversioned("${it.cells["client"]}") }, { it.median.value })
        .mapValues { (_, medians) -> listOf(medians.min(), medians.max()).distinct() }
    val same = if (ends.isNotEmpty() && ends.values.all { it.size == 1 }) "In each version " else ""
    val told = same + ends.map { (client, of) -> title(client, of.joinToString(" to ", transform = Estimate::rounded)) }.joinToString("; ")
    return Chart(
        title = told.ifEmpty { "No trial names a version" },
        subtitle = groups.conditionsOfBursts() + "; a row a client and version",
        caption = groups.captionOfLeast("a row"),
        runs = groups.runs(),
        alt = "$told. ${rows.joinToString("; ") { "${it.cells["client"]}: ${it.median}" }}.",
        marks = rows.marks("client", text = false),
        x = NumberAxis(axis, breaks = whole(rows.maxOfOrNull { it.median.high } ?: 0.0)),
        y = CategoryAxis(groups.map { it.client }),
        legend = Legend.NONE,
        size = ChartSize(Style.WIDTH, HEAD + ROW * groups.size),
    )
}

/** Ticks at whole numbers if there are few, because half a wave does not exist. Otherwise the axis chooses its ticks. */
private fun whole(most: Double): List<Int>? = if (most <= FEW) (0..ceil(most).toInt()).toList() else null

private const val FEW = 10.0
private const val HEAD = 150
private const val ROW = 26
