package clientlab.articles.versions

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import kotlin.math.ceil

/** The number of waves in which a burst arrived, one row per version. It shows whether a version added or removed a limit. */
public fun Trials<Burst>.wavesByVersionChart(): Chart =
    byVersion(
        "batches",
        "waves in which the requests arrived, as the server saw them",
        title = { client, counts -> "$client sends them in ${counts ?: "as many"} ${if (counts == "1") "wave" else "waves"}" },
    )

/** The new platform threads while all requests wait, idle ones included, one row per version. */
public fun Trials<Burst>.threadsByVersionChart(metric: String = "threadsLive"): Chart =
    byVersion(
        metric,
        if (metric == "threadsLive") "platform threads alive while the requests wait" else "$metric while the requests wait",
        title = { client, counts -> "$client has ${counts ?: "as many"} threads" },
    )

private fun Trials<*>.byVersion(metric: String, axis: String, title: (String, String?) -> String): Chart {
    val groups = measured().only { it.values(metric).isNotEmpty() }
    val families = groups.groupBy { ClientInfo.unversioned(it.client) }
    val told = families.entries.joinToString("; ") { (client, of) -> title(client, span(of, metric)) }
    val rows = groups.flatMap { group -> group.dots(metric) { mapOf("client" to group.client, "value" to it) } }
    val middles = groups.map { group ->
        val middle = group.median(metric)
        mapOf("client" to group.client, "value" to middle.value, "low" to middle.low, "high" to middle.high)
    }
    val all = groups.firstOrNull()
    return Chart(
        title = told.ifEmpty { "No trial names a version" },
        subtitle =
            "${all?.inFlight ?: 0} requests asked at once, each answered after " +
                "${Estimate.rounded((all?.number("delayMs") ?: 0) / 1000.0)} s; a row a client and version",
        caption = "n = ${groups.minOfOrNull { it.counted.size } ?: 0} forks a row, medians with 95 % intervals; ${groups.origin()}",
        runs = groups.runs(),
        alt = "$told. ${groups.joinToString("; ") { "${it.client}: ${it.median(metric)}" }}.",
        marks = forksAndMedians(ChartData.ofRows(rows), ChartData.ofRows(middles), "client", text = null),
        x = NumberAxis(axis, breaks = whole(middles.maxOfOrNull { it.getValue("high") as Double } ?: 0.0)),
        y = CategoryAxis(groups.map { it.client }),
        legend = Legend.NONE,
        size = ChartSize(Style.WIDTH, HEAD + ROW * groups.size),
    )
}

/** Ticks at whole numbers if there are few, because half a wave does not exist. Otherwise the axis chooses its ticks. */
private fun whole(most: Double): List<Int>? = if (most <= FEW) (0..ceil(most).toInt()).toList() else null

/** `5` if all versions have the same median, `5 to 7` if not. */
private fun span(of: List<TreatmentTrials>, metric: String): String? {
    val middles = of.map { it.median(metric).value }
    val (least, most) = (middles.minOrNull() ?: return null) to middles.max()
    return if (least == most) Estimate.rounded(least) else "${Estimate.rounded(least)} to ${Estimate.rounded(most)}"
}

private const val FEW = 10.0
private const val HEAD = 150
private const val ROW = 26
