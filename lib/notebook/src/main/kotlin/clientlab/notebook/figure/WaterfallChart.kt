package clientlab.notebook.figure

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.rows

/**
 * The waterfall: the phases of each request of a burst, one row per request in the order of arrival, one panel per client.
 *
 * It shows one trial of each client, the one with the median time. A phase that a client does not report has no colour of its own.
 */
public fun Trials<Burst>.waterfallChart(vararg clients: String): Chart {
    refuseUnless(clients.isNotEmpty()) { "Name the clients of the waterfall, as in waterfallChart(\"okhttp@default\")." }
    val groups = clients.mapNotNull { id -> byTreatment().filter { it.client == id }.maxByOrNull { it.counted.size } }
    val rows = clients.flatMap { id ->
        val requests = timeline(id).rows().sortedBy { it["arrivedMs"] as Double? ?: it["askedMs"] as Double }
        requests.flatMapIndexed { place, request -> spans(request, id, place) }
    }
    val phases = Style.PHASES.keys.filter { phase -> rows.any { it["phase"] == phase } }
    val most = rows.maxOfOrNull { it["row"] as Int } ?: 0
    val ordered = phases.flatMap { phase -> rows.filter { it["phase"] == phase } }
    val data = ChartData.ofRows(ordered.map { it + ("place" to most - it["row"] as Int) })
    val delay = Estimate.rounded((groups.firstNotNullOfOrNull { it.number("delayMs") } ?: 0) / 1000.0)
    val title = groups.joinToString("; ") { "${it.client} sends ${inBatches(it)}" }
    return Chart(
        title = title,
        subtitle = "${groups.firstOrNull()?.inFlight ?: 0} requests asked at once, each answered after $delay s; " +
            "a row a request, in the order of arrival",
        caption = "the trial of median time of n = ${groups.minOfOrNull { it.counted.size } ?: 0}; ${groups.origin()}",
        runs = groups.runs(),
        alt = "$title. ${groups.joinToString(" ") { it.inWords() }}",
        marks = listOf(Spans(data, "fromS", "toS", "place", color = "phase")),
        x = NumberAxis("seconds since the first request was asked"),
        y = NumberAxis(zero = false, breaks = emptyList()),
        facets = Facets("client", clients.toList(), columns = 1).takeIf { clients.size > 1 },
        legend = Legend.TOP,
        colors = Style.PHASES,
        size = ChartSize(Style.WIDTH, HEAD + PANEL * clients.size),
    )
}

private fun spans(request: DataRow<*>, client: String, row: Int): List<Map<String, Any?>> {
    fun at(column: String) = request[column] as Double?
    val told = at("leftQueueMs") != null
    val steps = listOf(
        Triple("in the client's queue", at("askedMs"), at("leftQueueMs")),
        Triple("in the client", at("askedMs").takeIf { !told }, at("arrivedMs")),
        Triple("connecting", at("leftQueueMs"), at("connectedMs")),
        Triple("on the way", at("connectedMs"), at("arrivedMs")),
        Triple("at the server", at("arrivedMs"), at("answeredMs")),
        Triple("reading", at("answeredMs"), at("readMs")),
    )
    return steps.mapNotNull { (phase, from, to) ->
        if (from == null || to == null || to <= from) return@mapNotNull null
        mapOf("client" to client, "row" to row, "phase" to phase, "fromS" to from / 1000, "toS" to to / 1000)
    }
}

/** `100 requests in 20 batches of 5 and takes 20.1 s`. */
private fun inBatches(group: TreatmentTrials): String {
    val batches = group.median("batches").value
    val held = Estimate.rounded(group.median("inFlightPeak").value)
    val how = if (batches == 1.0) "at once" else "in ${Estimate.rounded(batches)} batches of $held"
    return "${group.inFlight} requests $how and takes ${Estimate.rounded(group.median("durationMs").value / 1000)} s"
}

private fun TreatmentTrials.inWords(): String {
    val queued = median("queuedMaxMs")
    if (queued.n == 0) return "$client does not tell how long they wait."
    return "$client keeps the last ${Estimate.rounded(queued.value)} ms in its queue."
}

private const val HEAD = 170
private const val PANEL = 260
