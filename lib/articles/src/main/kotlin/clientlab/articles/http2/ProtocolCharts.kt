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
    val (label, found, column, scale) = what!!
    val groups = measured { it[Factor.PROTOCOL] != null }
    val rows = groups.only { it.values(column).isNotEmpty() }.map {
        it.forkRow(mapOf("client" to it.client, "panel" to it[Factor.PROTOCOL]), column, scale(it))
    }
    val protocols = Protocol.entries.map { it.label }.filter { label -> groups.any { it[Factor.PROTOCOL] == label } }
    val ends = protocols.groupBy { protocol ->
        val values = rows.filter { it.cells["panel"] == protocol }.map { it.median.value }
        listOf(values.minOrNull() ?: 0.0, values.maxOrNull() ?: 0.0).map(Estimate::rounded).distinct().joinToString(" to ")
    }
    val inEach = ends.entries.mapIndexed { i, (value, same) ->
        "${if (i == 0) found.format(value) else value} in ${same.joinToString(" and ")}"
    }
    return forkPanels(
        "${groups.firstOrNull()?.inFlight ?: "No"} requests at once ${inEach.joinToString()}",
        groups.firstOrNull()?.let { "${it.inFlight} requests at once, each answered after ${it.number(Factor.DELAY_MS)} ms" }.orEmpty(),
        groups,
        rows,
        NumberAxis(label),
        Facets("panel", protocols, columns = 2).takeIf { protocols.size > 1 },
        order = groups.map { it.client }.distinct(),
    ).copy(caption = captionOfForks(groups), runs = runs(), alt = "$label by protocol. ${rows.inWords("client")}.")
}

/** The label of a metric, what a title says was found, the column that has it, and what its numbers are multiplied with. */
private data class Shown(val label: String, val found: String, val column: String, val scale: (TreatmentTrials) -> Double = { 1.0 })

private val WHAT: Map<String, Shown> =
    mapOf(
        "connectionsUsed" to
            Shown("connections that carried requests", "use %s connections", "connectionsPerRequest") { it.inFlight.toDouble() },
        "connectionsOpened" to Shown("connections opened", "open %s connections", "connectionsOpened"),
        "threadsBlocked" to Shown("threads held by a request", "hold %s threads", "threadsBlocked"),
        "rssBytes" to Shown("resident set, in MB", "are in a process of %s MB", "rssBytes") { 1e-6 },
        "cpuSeconds" to Shown("processor time, in s", "take %s s of processor time", "cpuSeconds"),
        "durationMs" to Shown("time for the burst, in ms", "take %s ms", "durationMs"),
    )
