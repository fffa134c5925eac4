package clientlab.articles.wire

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import kotlin.math.roundToInt

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

/** The usual number of round trips of a first request by protocol, who needs another one, and who connects again. */
private fun titleOf(rows: List<ForkRow>): String {
    val (first, next) = rows.partition { it.panel.startsWith("first") }
    if (first.isEmpty() || next.isEmpty()) return "No session here sent two requests over a network"
    val trips = first.groupBy { it.panel.substringAfter(", ") }.toList().mapIndexed { place, (protocol, of) ->
        "${usual(of)}${if (place == 0) " round trips" else ""} over $protocol${others(of)}"
    }
    val again = next.filter { it.median.value > KEPT_BELOW }.map { it.client }.distinct()
    return listOfNotNull(
        "A first request takes ${trips.joinToString(" and ")}",
        again.ifEmpty { null }?.let { "${it.joinToString()} connects again each time" },
    ).joinToString("; ")
}

private fun usual(rows: List<ForkRow>): Int = rows.groupingBy { it.trips }.eachCount().maxBy { it.value }.key

/** The clients with another number than the usual one, as in ` (fuel 1)`. */
private fun others(rows: List<ForkRow>): String {
    val usual = usual(rows)
    val others = rows.filter { it.trips != usual }
    return if (others.isEmpty()) "" else others.joinToString(prefix = " (", postfix = ")") { "${it.client} ${it.trips}" }
}

private val ForkRow.panel: String get() = cells["panel"].toString()
private val ForkRow.client: String get() = cells["client"].toString()

/** The whole number of round trips that is nearest. */
private val ForkRow.trips: Int get() = median.value.roundToInt()

/** Above it a request took a round trip for more than itself. */
private const val KEPT_BELOW = 1.5
