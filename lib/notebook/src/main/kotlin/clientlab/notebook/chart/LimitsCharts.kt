package clientlab.notebook.chart

import clientlab.notebook.frame.TreatmentTrials
import clientlab.notebook.frame.Trials
import clientlab.notebook.frame.byTreatment
import clientlab.notebook.frame.metric
import clientlab.notebook.frame.timeline
import clientlab.notebook.stats.Bootstrap
import clientlab.notebook.stats.Estimate
import clientlab.refuseUnless
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.rows

/**
 * The waterfall: what became of each request of a burst, a row a request in the order of arrival, a panel a client.
 *
 * It shows one trial of each client, that of middle time; a step that a client does not tell has no colour of its own.
 */
public fun Trials.waterfallChart(vararg clients: String): Chart {
    refuseUnless(clients.isNotEmpty()) { "Name the clients of the waterfall, as in waterfallChart(\"okhttp@default\")." }
    val groups = clients.map { id -> byTreatment().filter { it.client == id }.maxByOrNull { it.counted.size } to id }
    val rows = clients.flatMap { id ->
        timeline(id)
            .rows()
            .sortedBy { it["arrivedMs"] as Double? ?: it["askedMs"] as Double }
            .flatMapIndexed { place, request -> spans(request, id, place) }
    }
    val phases = Style.PHASES.keys.filter { phase -> rows.any { it["phase"] == phase } }
    val most = rows.maxOfOrNull { it["row"] as Int } ?: 0
    val data = ChartData.ofRows(
        phases.flatMap { phase -> rows.filter { it["phase"] == phase } }.map { it + ("place" to most - it["row"] as Int) },
    )
    val told = groups.mapNotNull { (group, id) -> group?.let { "$id sends ${inBatches(it)}" } }
    val all = groups.mapNotNull { it.first }
    val delay = all.firstNotNullOfOrNull { it.number("delayMs") } ?: 0
    val title = told.joinToString("; ")
    return Chart(
        title = title,
        subtitle =
            "${all.firstOrNull()?.inFlight ?: 0} requests asked at once, each answered after ${Estimate.rounded(delay / 1000.0)} s; " +
                "a row a request, in the order of arrival",
        caption = "the trial of middle time of n = ${all.minOfOrNull { it.counted.size } ?: 0}; ${all.origin()}",
        alt = "$title. ${all.joinToString(" ") { it.inWords() }}",
        marks = listOf(Spans(data, "fromS", "toS", "place", color = "phase")),
        x = NumberAxis("seconds since the first request was asked"),
        y = NumberAxis(zero = false, breaks = emptyList()),
        facets = Facets("client", clients.toList(), columns = 1).takeIf { clients.size > 1 },
        legend = Legend.TOP,
        colors = Style.PHASES,
        size = ChartSize(Style.WIDTH, HEAD + PANEL * clients.size),
    )
}

/** Time for the burst, in delays, a row a level of [factor], a colour a client: whether the level matters. */
public fun Trials.levelsChart(factor: String): Chart {
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
    val trials = groups.flatMap { group -> group.delays().map { mapOf("client" to group.client, "level" to group[factor], "value" to it) } }
    val middles = groups.map { group ->
        val time = group.inDelays()
        mapOf("client" to group.client, "level" to group[factor], "value" to time.value, "low" to time.low, "high" to time.high)
    }
    return Chart(
        title = title,
        subtitle = "${groups.firstOrNull()?.inFlight ?: 0} requests asked at once, each answered after " +
            "${Estimate.rounded((groups.firstOrNull()?.number("delayMs") ?: 0) / 1000.0)} s",
        caption = "n = ${groups.minOfOrNull { it.counted.size } ?: 0} forks a point, medians with 95 % intervals; ${groups.origin()}",
        alt = "$title. ${groups.joinToString("; ") { "${it.client}, ${it[factor]}: ${it.inDelays()}" }}.",
        marks = listOf(ReferenceLines.atX(1)) +
            forksAndMedians(ChartData.ofRows(trials), ChartData.ofRows(middles), "level", color = "client", lane = "client", text = null),
        x = NumberAxis("time for all requests, in delays (1 = the server's own)"),
        y = CategoryAxis(levels),
        legend = Legend.TOP,
    )
}

private fun spans(request: DataRow<*>, client: String, row: Int): List<Map<String, Any?>> {
    fun at(column: String) = request[column] as Double?
    val told = at("leftQueueMs") != null
    val steps =
        listOf(
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
    val waits = if (queued.n == 0) {
        "does not tell how long they wait"
    } else {
        "keeps the last ${Estimate.rounded(queued.value)} ms in its queue"
    }
    return "$client $waits."
}

private fun TreatmentTrials.delays(): List<Double> =
    counted.mapNotNull { row -> row.metric("durationMs")?.let { time -> row.metric("delayMs")?.let { time / it } } }

private fun TreatmentTrials.inDelays(): Estimate = Bootstrap.median(delays())

private const val HEAD = 170
private const val PANEL = 260
