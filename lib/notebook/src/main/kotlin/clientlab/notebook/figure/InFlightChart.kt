package clientlab.notebook.figure

import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.rows

/** Requests in flight over time, as the server saw them, of [clients] at [inFlight]: the median trial of each. */
public fun Trials<Burst>.inFlightChart(inFlight: Int, vararg clients: String): Chart {
    val groups = measured { it.inFlight == inFlight && (clients.isEmpty() || it.client in clients) }
    val order = if (clients.isEmpty()) groups.map { it.client } else clients.filter { id -> groups.any { it.client == id } }
    val held = groups.joinToString("; ") {
        "${it.client} holds ${Estimate.rounded(it.median("inFlightPeak").value)} in flight and takes ${it.inDelays()} delays"
    }
    val waves = groups.filter { it.wave }.map { it.client }
    val title = if (waves.isEmpty()) {
        groups.headline("All $inFlight requests are in flight at once")
    } else {
        "${listed(waves)} ${if (waves.size == 1) "sends" else "send"} $inFlight requests in waves"
    }
    val data = ChartData.ofRows(groups.flatMap(::curveOfMiddle))
    return Chart(
        title = title,
        subtitle = burstConditions(groups, listOf(inFlight)) + ", as the server saw them",
        caption = groups.captionOfMedians() + "; the trial of median time",
        alt = "$title. $held.",
        marks = listOf(Lines(data, "atS", "inFlight", series = "client", steps = true)),
        x = NumberAxis("seconds since the first request arrived"),
        y = NumberAxis("requests in flight"),
        facets = Facets("client", order, columns = if (order.size > 3) 2 else 1),
        runs = groups.runs(),
    )
}

private fun curveOfMiddle(group: TreatmentTrials): List<Map<String, Any?>> {
    val middle = group.counted.sortedBy { it.metric("durationMs") }[group.counted.size / 2]
    val curve = middle["serverCurve"] as AnyFrame
    return curve.rows().map { mapOf("client" to group.client, "atS" to (it["atMs"] as Double) / 1000, "inFlight" to it["inFlight"]) }
}
