package clientlab.articles.gateway

import clientlab.*
import clientlab.articles.*
import clientlab.gatewayload.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/** Memory of the gateways over time, with their limit: the median fork of each, until it ended. */
public fun Trials<GatewayLoad>.gatewayMemoryChart(vararg clients: String): Chart {
    val groups = loaded { clients.isEmpty() || it.client in clients }
    val rows = groups.flatMap { group ->
        group.middleTrial("anonPeakBytes")?.table("memoryCurve").orEmpty().map {
            mapOf("client" to group.client, "atS" to (it["atMs"] as Double) / MS, "memory" to it["memoryMiB"])
        }
    }
    val ended = groups.filter { group -> group.values("gatewayEnded").any { it > 0 } }.map { it.client }.distinct()
    val title = when {
        ended.isEmpty() -> "Every gateway${groups.measuredHere} stays below its limit"
        else -> "${listed(ended)} ${if (ended.size == 1) "runs" else "run"} out of memory"
    }
    return Chart(
        title = title,
        subtitle = conditions(groups),
        caption = groups.captionOfMedians() + "; the fork of median memory",
        runs = groups.runs(),
        alt = "$title. ${groups.joinToString("; ") { "${it.client}: peak ${it.peakMebibytes()} MiB" }}.",
        marks = groups.mapNotNull { it.number(Factor.MEMORY_MIB) }.distinct().map { ReferenceLines.atY(it, "the limit, $it MiB") } +
            Lines(ChartData.ofRows(rows), "atS", "memory", series = "client"),
        x = NumberAxis("seconds since the load began"),
        y = NumberAxis("memory of the gateway that no file backs, in MiB"),
        legend = Legend.RIGHT,
    )
}

/** Latency by planned time: measured from that time, and from the time when a request was sent, which hides the wait before. */
public fun Trials<GatewayLoad>.omissionChart(): Chart {
    val group = loaded().firstOrNull { it.inFlight > 0 } ?: loaded().first()
    val middle = group.middleTrial("latencyP99Ms")

    fun rows(curve: String, column: String, series: String) = middle?.table(curve).orEmpty().map {
        mapOf("series" to series, "atS" to (it["atMs"] as Double) / MS, "seconds" to (it[column] as Int) / MS)
    }
    val rows = rows("latencyCurve", "latencyAtMs", "from the planned time") +
        rows("sentLatencyCurve", "sentLatencyAtMs", "from the sending")
    val (wrong, right) = listOf("sentLatencyP99Ms", "latencyP99Ms").map { Estimate.rounded(group.median(it).value / MS) }
    val title = "99 % took at most $wrong s from when they were sent, and $right s from when they were planned"
    return Chart(
        title = title,
        subtitle = conditions(listOf(group)) + ", by ${group.inFlight} callers that wait for their answers",
        caption = listOf(group).captionOfMedians() +
            "; the longest of requests planned together, answered ones alone, of the fork of median latency",
        runs = runs(),
        alt = "$title. Of ${group.client}.",
        marks = listOf(
            Lines(ChartData.ofRows(rows), "atS", "seconds", series = "series"),
            endLabels(rows.groupBy { it["series"] }.values.map { it.last() }, "atS", "seconds", "series"),
        ),
        x = NumberAxis("when the request was planned, in seconds since the load began"),
        y = NumberAxis("latency in seconds"),
    )
}

internal fun Trials<*>.loaded(where: (TreatmentTrials) -> Boolean = { true }): Measured = measured { it[Factor.RATE] != null && where(it) }

internal fun conditions(groups: List<TreatmentTrials>): String {
    val first = groups.firstOrNull() ?: return ""

    fun levels(factor: String) = listed(groups.mapNotNull { it.number(factor) }.distinct().sorted().map(::withCommas))
    val delay = (first.number(Factor.DELAY_MS) ?: 0) / MS
    val answered = if (delay == 0.0) "answered at once" else "answered after ${Estimate.rounded(delay)} s"
    val inFlight = levels(Factor.IN_FLIGHT)
    return when {
        first[Factor.RATE] != null -> {
            "${levels(Factor.RATE)} requests a second for ${levels(Factor.SECONDS)} s, each $answered; " +
                "a gateway of ${levels(Factor.MEMORY_MIB)} MiB"
        }

        first[Factor.TASKS] != null -> {
            "${levels(Factor.TASKS)} requests, $inFlight in flight, $answered"
        }

        else -> {
            "$inFlight requests sent at once, each $answered"
        }
    }
}

internal fun TreatmentTrials.peakMebibytes(): String = Estimate.rounded(median("anonPeakBytes").value / MIB)

internal const val MS = 1000.0
internal const val MIB = 1_048_576.0
