package clientlab.articles.limits

import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/** Time for the burst, in delays: one row per level of [factor], one colour per client. It shows whether the level matters. */
public fun Trials<Burst>.levelsChart(factor: String): Chart {
    val groups = measured { it[factor] != null }
    val levels = groups.mapNotNull { it[factor] }.distinct()
    val spread = groups.groupBy { it.client }.mapValues { (_, of) ->
        of.map { it.inDelays().value }.let { times -> 100 * (times.max() / times.min() - 1) }
    }
    val title =
        if (spread.isEmpty()) {
            "No trial varies the $factor"
        } else {
            "Between levels of $factor, time differs by " +
                spread.entries.joinToString(" and by ") { (client, share) -> "${Estimate.rounded(share)} % for $client" }
        }
    val trials = groups.flatMap { group ->
        group.dots(group.delays()) { mapOf("client" to group.client, "level" to group[factor], "value" to it) }
    }
    val middles = groups.map { group ->
        val time = group.inDelays()
        mapOf("client" to group.client, "level" to group[factor], "value" to time.value, "low" to time.low, "high" to time.high)
    }
    return Chart(
        title = title,
        subtitle = "${groups.firstOrNull()?.inFlight ?: 0} requests asked at once, each answered after " +
            "${Estimate.rounded((groups.firstOrNull()?.number("delayMs") ?: 0) / 1000.0)} s",
        caption = "n = ${groups.minOfOrNull { it.counted.size } ?: 0} forks a point, medians with 95 % intervals; ${groups.origin()}",
        runs = groups.runs(),
        alt = "$title. ${groups.joinToString("; ") { "${it.client}, ${it[factor]}: ${it.inDelays()}" }}.",
        marks = listOf(ReferenceLines.atX(1)) +
            forksAndMedians(ChartData.ofRows(trials), ChartData.ofRows(middles), "level", color = "client", lane = "client", text = null),
        x = NumberAxis("time for all requests, in delays (1 = the server's own)"),
        y = CategoryAxis(levels),
        legend = Legend.TOP,
    )
}

private fun TreatmentTrials.delays(): List<Double> =
    counted.mapNotNull { row -> row.metric("durationMs")?.let { time -> row.metric("delayMs")?.let { time / it } } }

private fun TreatmentTrials.inDelays(): Estimate = Bootstrap.median(delays())
