package clientlab.articles.http2

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/**
 * One metric of bursts in each protocol, one panel per protocol: `connectionsOpened`, `threadsBlocked`, `rssBytes`, `cpuSeconds` or
 * `durationMs`. Dots are forks.
 */
public fun Trials<Burst>.protocolChart(metric: String): Chart {
    val what = WHAT[metric]
    refuseUnless(what != null) { "'$metric' is not shown by protocol; ${WHAT.keys.joinToString()} are." }
    val (label, scale) = what!!
    val groups = measured { it[Factor.PROTOCOL] != null }
    val protocols = Protocol.entries.map { it.label }.filter { label -> groups.any { it.protocol() == label } }
    val trials = groups.flatMap { group -> group.dots(metric) { row(group, it * scale) } }
    val middles =
        groups.filter { it.values(metric).isNotEmpty() }.map { group ->
            val estimate = Bootstrap.median(group.values(metric).map { it * scale })
            row(group, estimate.value) + mapOf("low" to estimate.low, "high" to estimate.high, "text" to Estimate.rounded(estimate.value))
        }
    val title =
        protocols.joinToString("; ") { protocol ->
            val values = middles.filter { it["panel"] == protocol }.map { it["value"] as Double }
            val ends = listOf(values.minOrNull() ?: 0.0, values.maxOrNull() ?: 0.0).map(Estimate::rounded)
            "$protocol: ${ends.distinct().joinToString(" to ")}"
        }
    return Chart(
        title = "${label.replaceFirstChar(Char::uppercase)}, $title",
        subtitle =
            groups.firstOrNull()?.let { "${it.inFlight} requests at once, each answered after ${it.number(Factor.DELAY_MS)} ms" }.orEmpty(),
        caption = "medians over forks with 95 % intervals; ${origin()}${groups.leftOut()}",
        runs = runs(),
        alt = "$label by protocol. " + middles.joinToString("; ") { "${it["client"]}, ${it["panel"]}: ${it["text"]}" } + ".",
        marks = forksAndMedians(ChartData.ofRows(trials), ChartData.ofRows(middles), "client"),
        x = NumberAxis(label),
        y = CategoryAxis(groups.map { it.client }.distinct()),
        facets = Facets("panel", protocols, columns = 2).takeIf { protocols.size > 1 },
    )
}

private fun row(group: TreatmentTrials, value: Double): Map<String, Any> =
    mapOf("client" to group.client, "panel" to group.protocol(), "value" to value)

private fun TreatmentTrials.protocol(): String = get(Factor.PROTOCOL).orEmpty()

private val WHAT: Map<String, Pair<String, Double>> =
    mapOf(
        "connectionsOpened" to ("connections" to 1.0),
        "threadsBlocked" to ("threads held by a request" to 1.0),
        "rssBytes" to ("resident set, in MB" to 1e-6),
        "cpuSeconds" to ("processor time, in s" to 1.0),
        "durationMs" to ("time for the burst, in ms" to 1.0),
    )
