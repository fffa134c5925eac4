package clientlab.articles.limits

import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/** Time for the burst, in delays: one row per level of [factor], one colour per client. It shows whether the level matters. */
public fun Trials<Burst>.levelsChart(factor: String): Chart {
    val groups = measured { it[factor] != null }
    val rows = groups.map { it.forkRow(mapOf("client" to it.client, "level" to it[factor]), it.timesInDelays()) }
    val spread = rows.groupBy({ it.cells["client"] }, { it.median.value }).map { (client, times) ->
        "${Estimate.rounded(100 * (times.max() / times.min() - 1))} % for $client"
    }
    val title = when {
        spread.isEmpty() -> "No trial varies the $factor"
        else -> "Between levels of $factor, time differs by ${spread.joinToString(" and by ")}"
    }
    return Chart(
        title = title,
        subtitle = groups.conditionsOfBursts(),
        caption = groups.captionOfLeast("a point"),
        runs = groups.runs(),
        alt = "$title. ${rows.joinToString("; ") { "${it.cells["client"]}, ${it.cells["level"]}: ${it.median}" }}.",
        marks = listOf(ReferenceLines.atX(1)) + rows.marks("level", color = "client", lane = "client", text = false),
        x = NumberAxis("time for all requests, in delays (1 = the server's own)"),
        y = CategoryAxis(groups.mapNotNull { it[factor] }.distinct()),
        legend = Legend.TOP,
    )
}
