package clientlab.notebook.figure

import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/** Platform threads held by requests, per client: each trial is a dot, with the median and its interval over forks in front. */
public fun Trials<Burst>.threadChart(): Chart {
    val groups = measured()
    val holders = groups.filter { it.median("threadsBlocked").value >= 0.9 * it.held() }.map { it.client }.distinct()
    val others = groups.filter { it.client !in holders }
    val title = if (holders.isEmpty()) {
        groups.headline("No client${groups.measuredHere.ifEmpty { " here" }} holds a platform thread for each request")
    } else {
        "${listed(holders)} ${if (holders.size == 1) "holds" else "hold"} a platform thread for each request"
    }
    val rest = if (holders.isEmpty() || others.isEmpty()) "" else "; ${whatOthersHold(others)}"
    val label = "platform threads held by requests, at the moment all are in flight"
    return clientsPanels(groups, "threadsBlocked", label, title, title + rest)
}

/** What clients hold that do not hold a thread for each request: `the others hold at most 3`, or `jdk holds none`. */
private fun whatOthersHold(others: List<TreatmentTrials>): String {
    val names = others.map { it.client }.distinct()
    val most = others.maxOf { it.median("threadsBlocked").value }
    return (names.singleOrNull()?.let { "$it holds" } ?: "the others hold") +
        if (most == 0.0) " none" else " at most ${Estimate.rounded(most)}"
}

/** How many were in flight when the threads were counted. */
private fun TreatmentTrials.held() = median("inFlightPeak").value

/** New threads that are not parked, against the number of requests in flight: one line per client, both axes logarithmic. */
public fun Trials<Burst>.threadsByInFlightChart(metric: String = "threadsUnparked"): Chart {
    val groups = measured { !it.wave }
    val rows = groups.map { mapOf("client" to it.client, "inFlight" to it.inFlight) + estimateCells(it.median(metric), "threads") }
    val data = ChartData.ofRows(rows)
    val ends = rows.groupBy { it["client"] }.values.map { client -> client.maxBy { it["inFlight"] as Int } }
    val levels = groups.map { it.inFlight }.distinct().sorted()
    val title = growthTitle(groups, metric)
    val said = rows.joinToString("; ") { "${it["client"]} at ${it["inFlight"]}: ${Estimate.rounded(it["threads"] as Double)}" }
    return Chart(
        title = title,
        subtitle = burstConditions(groups, levels),
        caption = groups.captionOfMedians(),
        alt = "$title. $said.",
        marks = listOf(
            Lines(data, "inFlight", "threads", series = "client"),
            Points(data, "inFlight", "threads", color = "client"),
            Labels(ChartData.ofRows(ends), "inFlight", "threads", text = "client", color = "client", place = LabelPlace.END),
        ),
        x = NumberAxis("requests in flight", NumberScale.LOG10, breaks = levels),
        y = NumberAxis("new platform threads that are not parked", NumberScale.LOG10, metric = metric),
        runs = groups.runs(),
    )
}

private fun growthTitle(groups: Measured, metric: String): String {
    val growing = groups
        .groupBy { it.client }
        .filterValues { it.size > 1 && it.last().grows(it.first(), metric) }
        .keys
        .toList()
    return when {
        growing.isNotEmpty() -> "Threads grow with the requests of ${listed(growing)}, and of no other client${groups.measuredHere}"
        groups.measuredHere.isEmpty() -> groups.headline("No client's threads grow with the requests")
        else -> groups.headline("The threads of no client measured here grow with the requests")
    }
}

private fun TreatmentTrials.grows(from: TreatmentTrials, metric: String) =
    median(metric).value >= maxOf(2 * from.median(metric).value, from.median(metric).value + GROWTH)

private const val GROWTH = 20.0
