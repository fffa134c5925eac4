package clientlab.articles.cost

import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val NOTEBOOK = "14-cost"
private const val ADDED_MS = 0.1
private const val COST_FIGURE = "0.09 to 0.11 ms, set before"
private const val CAPACITY_FIGURE = "within 10 % of arithmetic, set before"
private const val CAPACITY = "capacityPerSecond"

/** The processor time of a JVM, by kind of thread. */
private val ALL = listOf("client", "harness", "compilers", "collector", "other").map { "${it}CpuSeconds" }

/**
 * Claims about a cost that is known, because the client of a cell spends it itself: 100 µs of its thread's processor time per request. Its
 * capacity on one processor then falls by a known share. With java.net.http the client's own cost differs from fork to fork by a fifth of
 * that; a client on plain sockets that works for 100 µs anyway differs by less.
 */
internal val knownCostClaims: List<Claim> = claims(NOTEBOOK) {
    claim("cost.spin", COST_FIGURE, "spin-rate-2026-11")
        .says(
            "On one processor, at 1,000 requests a second, a client that is made slower by 100 µs of processor time per request is found " +
                "to cost 90 to 110 µs more.",
        ) { it.added() }
    claim("cost.spin-capacity", CAPACITY_FIGURE, "spin-capacity-2026-11")
        .says(
            "On one processor, 100 µs more per request take the share of the capacity that they take of all processor time of a request.",
        ) { it.fallen(ALL) }
    claim("cost.known", COST_FIGURE, "known-2026-11")
        .says(
            "On one processor, at 1,000 requests a second, a client on plain sockets whose requests take 100 µs of processor time more " +
                "is found to cost 90 to 110 µs more.",
        ) { it.added() }
    claim("cost.known-capacity", CAPACITY_FIGURE, "known-capacity-2026-11")
        .says(
            "On one processor, 100 µs more per request take the share of the capacity of a client on plain sockets that they take of " +
                "the processor time of a request there.",
        ) { it.fallen(ALL - "harnessCpuSeconds") }
}

private fun Trials<*>.added(): List<Part> {
    val (plain, spun) = pair()
    val added = perRound(spun.counted, plain.counted, "requestCpuMs") { a, b -> a - b }
    return listOf(spun.part("processor time per request less that of plain, in ms", Bound(0.09, 0.11), added))
}

/** By how much the capacity falls, beside what it should fall by, where a request takes the processor for the time of all [kinds]. */
private fun Trials<*>.fallen(kinds: List<String>): List<Part> {
    val (plain, spun) = pair()
    val found = perRound(spun.counted, plain.counted, CAPACITY)
    val stated = plain.costs(kinds).let { costs -> if (costs.isEmpty()) null else Bootstrap.median(costs).value }
    val ratios = found.mapNotNull { ratio -> stated?.let { ratio / (it / (it + ADDED_MS)) } }
    return listOf(spun.part("capacity by that of plain / by arithmetic", Bound(0.9, 1.1), ratios))
}

private fun Trials<*>.pair() = listOf("plain", "spun").map { of(it) }

/** The processor time that a request takes of its JVM's threads of these [kinds], in ms. */
private fun TreatmentTrials.costs(kinds: List<String>): List<Double> = counted.mapNotNull { row ->
    row.metric("requests")?.takeIf { it > 0 }?.let { requests -> kinds.sumOf { row.metric(it) ?: 0.0 } * 1e3 / requests }
}
