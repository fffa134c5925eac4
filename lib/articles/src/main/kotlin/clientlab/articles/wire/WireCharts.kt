package clientlab.articles.wire

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/**
 * How many round trips the network adds to the first request of a session, and to the next one, at a round trip of [rttMs]. Dots are forks.
 */
public fun Trials<Burst>.roundTripChart(rttMs: Int = 150): Chart {
    val groups = wired().filter { it.rttMs == rttMs && it.counted.isNotEmpty() }
    val rows = groups.flatMap { far -> listOf(FIRST, NEXT).map { far.tripRow(near(far), it) } }.filter { it.dots.isNotEmpty() }
    val panels = rows.map { it.cells["panel"].toString() }.distinct()
    return forkPanels(
        titleOf(rows),
        "one request of a fresh session, and one more through it, at a round trip of $rttMs ms",
        groups,
        rows,
        NumberAxis("round trips that the network adds", zero = true),
        Facets("panel", panels, columns = 2).takeIf { panels.isNotEmpty() },
    )
}

private fun TreatmentTrials.tripRow(near: TreatmentTrials, metric: String): ForkRow {
    val request = if (metric == FIRST) "first request" else "next request"
    val cells = mapOf("client" to client, "panel" to "$request, ${this[Factor.PROTOCOL]}")
    val trips = roundTrips(near, metric)
    val dots = trips.map { (fork, value) -> cells + ("value" to value) + (TRIAL to TrialRef(fork.run, fork.round, treatment)) }
    return ForkRow(cells, dots, Bootstrap.median(trips.map { it.second }))
}

private fun titleOf(rows: List<ForkRow>): String {
    val (first, next) = rows.partition { it.cells["panel"].toString().startsWith("first") }
    if (first.isEmpty() || next.isEmpty()) return "No session here sent two requests over a network"
    val protocols = first.groupBy { it.cells["panel"].toString().substringAfter(", ") }
    val trips = protocols.map { (protocol, of) -> "${spread(of)} over $protocol" }.joinToString()
    val (again, kept) = next.partition { it.median.value > KEPT_BELOW }
    val connects = again.map { it.cells["client"] }.distinct().ifEmpty { null }?.joinToString()
    return listOfNotNull(
        "A first request takes $trips round trips",
        kept.ifEmpty { null }?.let { "the next one ${spread(it)}" },
        connects?.let { "$it connects again each time" },
    ).joinToString("; ")
}

private fun spread(rows: List<ForkRow>): String {
    val values = rows.map { it.median.value }
    return listOf(values.min(), values.max()).map { "%.1f".format(java.util.Locale.ROOT, it) }.distinct().joinToString(" to ")
}

/** Above it a request took a round trip for more than itself. */
private const val KEPT_BELOW = 1.5
