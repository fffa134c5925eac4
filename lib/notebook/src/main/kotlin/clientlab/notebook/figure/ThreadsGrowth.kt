package clientlab.notebook.figure

import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.api.rows

/** New threads that are not parked, against the number of requests in flight: one line per client, both axes logarithmic. */
public fun Trials<Burst>.threadsByInFlightChart(metric: String = "threadsUnparked"): Chart {
    val groups = measured { !it.wave }
    val rows =
        groups.map { group ->
            val threads = group.median(metric)
            mapOf(
                "client" to group.client,
                "inFlight" to group.inFlight,
                "threads" to threads.value,
                "low" to threads.low,
                "high" to threads.high,
            )
        }
    val data = ChartData.ofRows(rows)
    val ends = rows.groupBy { it["client"] }.values.map { client -> client.maxBy { it["inFlight"] as Int } }
    val levels = groups.map { it.inFlight }.distinct().sorted()
    val growing = groups
        .groupBy { it.client }
        .filter { (_, levels) ->
            levels.size > 1 && levels.last().grows(levels.first(), metric)
        }.keys
        .toList()
    val title = if (growing.isEmpty()) {
        groups.headline(
            if (groups.measuredHere.isEmpty()) {
                "No client's threads grow with the requests"
            } else {
                "The threads of no client measured here grow with the requests"
            },
        )
    } else {
        "Threads grow with the requests of ${listed(growing)}, and of no other client${groups.measuredHere}"
    }
    return Chart(
        title = title,
        subtitle = burstConditions(groups, levels),
        caption = groups.captionOfMedians(),
        alt = "$title. ${rows.joinToString(
            "; ",
        ) { "${it["client"]} at ${it["inFlight"]}: ${Estimate.rounded(it["threads"] as Double)}" }}.",
        marks =
            listOf(
                Lines(data, "inFlight", "threads", series = "client"),
                Points(data, "inFlight", "threads", color = "client"),
                Labels(ChartData.ofRows(ends), "inFlight", "threads", text = "client", color = "client", place = LabelPlace.END),
            ),
        x = NumberAxis("requests in flight", NumberScale.LOG10, breaks = levels),
        y = NumberAxis("new platform threads that are not parked", NumberScale.LOG10, metric = metric),
        runs = groups.runs(),
    )
}

private fun TreatmentTrials.grows(from: TreatmentTrials, metric: String) =
    median(metric).value >= maxOf(2 * from.median(metric).value, from.median(metric).value + GROWTH)

private const val GROWTH = 20.0
