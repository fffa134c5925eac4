package clientlab.articles.http2

import clientlab.*
import clientlab.articles.*
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
    val rows = groups.only { it.values(metric).isNotEmpty() }.map {
        it.forkRow(mapOf("client" to it.client, "panel" to it[Factor.PROTOCOL]), metric, scale)
    }
    val protocols = Protocol.entries.map { it.label }.filter { label -> groups.any { it[Factor.PROTOCOL] == label } }
    val title = protocols.joinToString("; ") { protocol ->
        val values = rows.filter { it.cells["panel"] == protocol }.map { it.median.value }
        val ends = listOf(values.minOrNull() ?: 0.0, values.maxOrNull() ?: 0.0).map(Estimate::rounded)
        "$protocol: ${ends.distinct().joinToString(" to ")}"
    }
    return forkPanels(
        "${label.replaceFirstChar(Char::uppercase)}, $title",
        groups.firstOrNull()?.let { "${it.inFlight} requests at once, each answered after ${it.number(Factor.DELAY_MS)} ms" }.orEmpty(),
        groups,
        rows,
        NumberAxis(label),
        Facets("panel", protocols, columns = 2).takeIf { protocols.size > 1 },
        order = groups.map { it.client }.distinct(),
    ).copy(caption = captionOfForks(groups), runs = runs(), alt = "$label by protocol. ${rows.inWords("client")}.")
}

/** The label of each metric, and what its numbers are multiplied with. */
private val WHAT: Map<String, Pair<String, Double>> =
    mapOf(
        "connectionsOpened" to ("connections" to 1.0),
        "threadsBlocked" to ("threads held by a request" to 1.0),
        "rssBytes" to ("resident set, in MB" to 1e-6),
        "cpuSeconds" to ("processor time, in s" to 1.0),
        "durationMs" to ("time for the burst, in ms" to 1.0),
    )
