package clientlab.articles.gateway

import clientlab.*
import clientlab.gatewayload.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.rows

/** Memory of the gateways over time, with their limit: the median fork of each, until it ended. */
public fun Trials<GatewayLoad>.gatewayMemoryChart(vararg clients: String): Chart {
    val groups = loaded { clients.isEmpty() || it.client in clients }
    val limits = groups.mapNotNull { it.number(Factor.MEMORY_MIB) }.distinct()
    val rows =
        groups.flatMap { group ->
            val middle = group.counted.sortedBy { it.metric("anonPeakBytes") }.getOrNull(group.counted.size / 2)
            (middle?.get("memoryCurve") as AnyFrame?)
                ?.rows()
                ?.map {
                    mapOf("client" to group.client, "atS" to (it["atMs"] as Double) / MS, "memory" to it["memoryMiB"])
                }.orEmpty()
        }
    val ended = groups.filter { group -> group.values("gatewayEnded").any { it > 0 } }.map { it.client }.distinct()
    val title =
        if (ended.isEmpty()) {
            "Every gateway${groups.measuredHere} stays below its limit"
        } else {
            "${listed(ended)} ${if (ended.size == 1) "runs" else "run"} out of memory"
        }
    return Chart(
        title = title,
        subtitle = conditions(groups),
        caption = groups.captionOfMedians() + "; the fork of middle memory",
        runs = groups.runs(),
        alt = "$title. ${groups.joinToString("; ") { "${it.client}: peak ${mebibytes(it)} MiB" }}.",
        marks =
            limits.map { ReferenceLines.atY(it, "the limit, $it MiB") } +
                Lines(ChartData.ofRows(rows), "atS", "memory", series = "client"),
        x = NumberAxis("seconds since the load began"),
        y = NumberAxis("memory of the gateway that no file backs, in MiB"),
        legend = Legend.RIGHT,
    )
}

/**
 * Latency of requests by their planned time: measured from that time, and from the time when they were sent, which hides the wait before.
 */
public fun Trials<GatewayLoad>.omissionChart(): Chart {
    val group = loaded().firstOrNull { it.inFlight > 0 } ?: loaded().first()
    val middle = group.counted.sortedBy { it.metric("latencyP99Ms") }.getOrNull(group.counted.size / 2)

    fun rows(curve: String, column: String, series: String) =
        (middle?.get(curve) as AnyFrame?)
            ?.rows()
            ?.map {
                mapOf("series" to series, "atS" to (it["atMs"] as Double) / MS, "seconds" to (it[column] as Int) / MS)
            }.orEmpty()

    val rows = rows("latencyCurve", "latencyAtMs", PLANNED) + rows("sentLatencyCurve", "sentLatencyAtMs", SENT)
    val right = group.median("latencyP99Ms")
    val wrong = group.median("sentLatencyP99Ms")
    val title =
        "99 % took at most ${seconds(wrong.value)} s from when they were sent, and ${seconds(right.value)} s from when they were planned"
    return Chart(
        title = title,
        subtitle = conditions(listOf(group)) + ", by ${group.inFlight} callers that wait for their answers",
        caption =
            listOf(group).captionOfMedians() +
                "; the longest of requests planned together, answered ones alone, of the fork of middle latency",
        alt = "$title. Of ${group.client}.",
        marks =
            listOf(
                Lines(ChartData.ofRows(rows), "atS", "seconds", series = "series"),
                Labels(
                    ChartData.ofRows(rows.groupBy { it["series"] }.values.map { it.last() }),
                    "atS",
                    "seconds",
                    text = "series",
                    color = "series",
                    place = LabelPlace.END,
                ),
            ),
        x = NumberAxis("when the request was planned, in seconds since the load began"),
        y = NumberAxis("latency in seconds"),
    )
}

private fun mebibytes(group: TreatmentTrials) = Estimate.rounded(group.median("anonPeakBytes").value / MIB)

private fun seconds(ms: Double) = Estimate.rounded(ms / MS)

private const val PLANNED = "from the planned time"

private const val SENT = "from the sending"
