package clientlab.articles.latency

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.openloop.*

/**
 * Latency at the 99th percentile, from the planned time, as the rate rises: one line per client with an interval at each rate. If there are
 * too many clients to distinguish lines, each has a panel.
 *
 * A rate is beyond a client's saturation if the client answers less than 95 % of it in time, or if no trial counts. There its latency grows
 * with the seconds of the load, until its callers give up.
 */
public fun Trials<OpenLoop>.latencyChart(): Chart {
    val all = byTreatment().filter { it[Factor.LOOP] != "closed" }
    val groups = all.measured()
    val rows = groups.map { mapOf("client" to it.client, "rate" to it.rate()) + it.median("latencyP99Ms").cells("ms") }
    val clients = groups.map { it.client }.distinct()
    val gone = clients
        .mapNotNull { client ->
            fallsBehindAt(all.filter { it.client == client })?.let { client to it }
        }.sortedBy { it.second }
    val title = titleOf(clients.size, groups.measuredHere, gone, all.maxOfOrNull { it.rate() } ?: 0)
    val ends = rows.ends("rate", "client")
    val panels = Facets("client", clients, columns = PANELS_ABREAST).takeIf { clients.size > MOST_LINES }
    val rates = rows.map { it["rate"] as Int }.distinct().sorted()
    return Chart(
        title = title,
        subtitle = conditions(groups) + "; from when a request was planned",
        caption = captionOfForks(groups),
        runs = runs(),
        alt = "$title. " + ends.joinToString("; ", postfix = ".") {
            "${it["client"]}: ${Estimate.rounded(it["ms"] as Double)} ms at ${it["rate"]} a second"
        },
        marks = listOfNotNull(
            Lines(ChartData.ofRows(rows), "rate", "ms", series = "client"),
            Intervals(ChartData.ofRows(rows), "rate", "ms", "low", "high", color = "client"),
            endLabels(ends, "rate", "ms", "client").takeIf { panels == null },
        ),
        x = NumberAxis("requests a second, planned", NumberScale.LOG2, breaks = if (panels == null) rates else apart(rates)),
        y = NumberAxis("latency at the 99th percentile, in ms", NumberScale.LOG10),
        facets = panels,
        size = panels?.let { ChartSize(Style.WIDTH, HEAD + PANEL * ((clients.size - 1) / PANELS_ABREAST + 1)) },
    )
}

/**
 * The [rates], in their order, that a panel has room to label: one or two, a factor of three apart. The lowest and the highest are left
 * out, because their labels would overlap with the neighbours'.
 */
private fun apart(rates: List<Int>): List<Int> {
    val inner = rates.drop(1).filter { it * 2 <= rates.last() }.ifEmpty { return rates }
    return listOfNotNull(inner.lastOrNull { it * 3 <= inner.last() }, inner.last())
}

/**
 * The distribution of latencies by percentile, from the planned time in an open loop and from the sent time in a closed loop: the same
 * client, server and duration.
 */
public fun Trials<OpenLoop>.loopChart(client: String): Chart {
    val groups = measured { it.client == client }
    val open = groups.firstOrNull { it[Factor.LOOP] == "open" }
    val closed = groups.firstOrNull { it[Factor.LOOP] == "closed" }
    val rows = curve(open, "latencyByPercentile", "open loop, from the planned time") +
        curve(closed, "sentLatencyByPercentile", "closed loop, from the sent time")
    val (right, wrong) = listOf(open to "latencyP99Ms", closed to "sentLatencyP99Ms").map { (group, metric) ->
        Estimate.rounded(group?.median(metric)?.value ?: Double.NaN)
    }
    val title = "99 % within $wrong ms, says the closed loop; within $right ms, says the open one"
    return Chart(
        title = title,
        subtitle = conditions(groups),
        caption = "the fork with the median 99th percentile; ${origin()}${groups.leftOut()}",
        runs = runs(),
        alt = "$title. Of $client.",
        marks = listOf(
            Lines(ChartData.ofRows(rows), "percent", "ms", series = "loop"),
            endLabels(rows.ends("percent", "loop"), "percent", "ms", "loop"),
        ),
        x = NumberAxis("requests answered within, in %", zero = false, breaks = (0..100 step 20).toList()),
        y = NumberAxis("latency, in ms", NumberScale.LOG10),
    )
}

private fun titleOf(clients: Int, measuredHere: String, gone: List<Pair<String, Int>>, most: Int): String {
    val behind = gone.map { (client, rate) -> "$client at $rate" }
    return when {
        gone.isEmpty() -> {
            "Every client$measuredHere keeps up with $most requests a second"
        }

        gone.size == clients && clients > MOST_NAMED -> {
            "All $clients clients fall behind, ${behind.first()} requests a second, ${behind.last()}"
        }

        gone.size <= MOST_NAMED -> {
            "First to fall behind: ${behind.joinToString()} requests a second"
        }

        else -> {
            "${clients - gone.size} of $clients clients keep up with $most requests a second; first behind: ${behind.first()}"
        }
    }
}

private fun curve(group: TreatmentTrials?, column: String, loop: String): List<Map<String, Any?>> =
    group?.middleTrial("latencyP99Ms")?.table(column).orEmpty().map {
        mapOf("loop" to loop, "percent" to it["percent"], "ms" to it["ms"])
    }

private fun conditions(groups: List<TreatmentTrials>): String {
    val group = groups.firstOrNull() ?: return "no trials"
    return "each answered after ${group.number(Factor.DELAY_MS)} ms, sent for ${group.number(Factor.SECONDS)} s"
}

private const val MOST_NAMED = 3
private const val MOST_LINES = 6
internal const val PANELS_ABREAST = 3
internal const val HEAD = 120
internal const val PANEL = 130
