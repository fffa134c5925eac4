package clientlab.articles.http2

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/**
 * One metric of bursts in each protocol, one panel per protocol: `connectionsUsed` (those that carried requests), `connectionsOpened`,
 * `threadsBlocked`, `rssBytes`, `cpuSeconds` or `durationMs`. Dots are forks.
 */
public fun Trials<Burst>.protocolChart(metric: String): Chart {
    val what = WHAT[metric]
    refuseUnless(what != null) { "'$metric' is not shown by protocol; ${WHAT.keys.joinToString()} are." }
    val (label, column, scale) = what!!
    val groups = measured { it[Factor.PROTOCOL] != null }
    val rows = groups.only { it.values(column).isNotEmpty() }.map {
        it.forkRow(mapOf("client" to it.client, "panel" to it[Factor.PROTOCOL]), column, scale(it))
    }
    val protocols = Protocol.entries.map { it.label }.filter { label -> groups.any { it[Factor.PROTOCOL] == label } }
    val ends = protocols.groupBy { protocol ->
        val values = rows.filter { it.cells["panel"] == protocol }.map { it.median.value }
        listOf(values.minOrNull() ?: 0.0, values.maxOrNull() ?: 0.0).map(Estimate::rounded).distinct().joinToString(" to ")
    }
    val title = ends.entries.joinToString { (found, same) -> "$found in ${same.joinToString(" and ")}" }
    return forkPanels(
        "${label.replaceFirstChar(Char::uppercase)}: $title",
        groups.firstOrNull()?.let { "${it.inFlight} requests at once, each answered after ${it.number(Factor.DELAY_MS)} ms" }.orEmpty(),
        groups,
        rows,
        NumberAxis(label),
        Facets("panel", protocols, columns = 2).takeIf { protocols.size > 1 },
        order = groups.map { it.client }.distinct(),
    ).copy(caption = captionOfForks(groups), runs = runs(), alt = "$label by protocol. ${rows.inWords("client")}.")
}

/** The label of a metric, the column that has it, and what its numbers are multiplied with. */
private data class Shown(val label: String, val column: String, val scale: (TreatmentTrials) -> Double = { 1.0 })

private val WHAT: Map<String, Shown> =
    mapOf(
        "connectionsUsed" to Shown("connections that carried requests", "connectionsPerRequest") { it.inFlight.toDouble() },
        "connectionsOpened" to Shown("connections opened", "connectionsOpened"),
        "threadsBlocked" to Shown("threads held by a request", "threadsBlocked"),
        "rssBytes" to Shown("resident set, in MB", "rssBytes") { 1e-6 },
        "cpuSeconds" to Shown("processor time, in s", "cpuSeconds"),
        "durationMs" to Shown("time for the burst, in ms", "durationMs"),
    )
