package clientlab.articles.cost

import clientlab.*
import clientlab.articles.*
import clientlab.closedloop.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.resourcelimits.*

/** The most requests in flight within the memory and the threads of a treatment, a panel each; the text says how it ended. */
public fun Trials<ResourceLimits>.withinChart(): Chart {
    val groups = measured { it[Factor.THREADS] != null }
    val panels = groups.map { it.limits() }.distinct()
    val most = groups.groupBy { it.client }.mapValues { (_, of) -> of.minOf { it.median("heldInFlight").value } }
    val asked = groups.maxOfOrNull { it.inFlight } ?: 0
    val (all, others) = most.keys.partition { (most[it] ?: 0.0) >= asked }
    val title = "${all.size} of ${most.size} clients hold all ${withCommas(asked)} within every limit" +
        others.minByOrNull { most.getValue(it) }?.let { "; $it fails first, with ${Estimate.rounded(most.getValue(it))}" }.orEmpty()
    val rows = groups.map { group ->
        val cells = mapOf("client" to group.client, "panel" to group.limits())
        val held = group.median("heldInFlight")
        val text = listOf(Estimate.rounded(held.value), howItEnds(group)).filter { it.isNotEmpty() }.joinToString()
        ForkRow(cells, group.dots("heldInFlight") { cells + ("held" to it) }, held, text, "held")
    }
    return forkPanels(
        title,
        "requests are added until the JVM ends, a request fails, or all are in flight",
        groups,
        rows,
        NumberAxis("requests in flight, as the server saw them"),
        Facets("panel", panels, columns = 1).takeIf { panels.size > 1 },
    ).copy(
        caption = captionOfForks(groups),
        runs = runs(),
        size = ChartSize(Style.WIDTH, HEAD + (ROW * most.size + GAP) * panels.size.coerceAtLeast(1)),
    )
}

/**
 * What a request costs by kind of thread, in microseconds of a processor: a panel each for the client, the compilers and the collector.
 * The cheapest client is on top, and the ages of a client are next to each other.
 */
public fun Trials<ClosedLoop>.costSplitChart(): Chart {
    val groups = measured { it[Factor.TASKS] != null }
    val cheapest = groups.sortedBy { it.perRequest("clientCpuSeconds").middle() }
    val sorted = cheapest.groupBy { it.client }.values.flatten()
    val rows = sorted.flatMap { group ->
        SPLIT.map { (panel, metric) ->
            val cells = mapOf("name" to "${group.client}, ${group.start}", "client" to group.client, "panel" to panel)
            group.forkRow(cells, group.perRequest(metric))
        }
    }
    val least = sorted.firstOrNull()
    val title = least?.let {
        "A request of a ${it.start} ${it.client} costs least: ${Estimate.rounded(it.perRequest("clientCpuSeconds").middle())} µs of a " +
            "processor in the client's threads"
    } ?: "No trial here is valid, so there is nothing to show"
    val conditions = least?.let { "${it.number(Factor.TASKS)} requests, ${it.inFlight} in flight, answered at once" }.orEmpty()
    val facets = Facets("panel", SPLIT.keys.toList(), columns = SPLIT.size, free = true)
    return forkPanels(title, conditions, sorted, rows, NumberAxis("µs of a processor per request"), facets, "name", color = "client")
}

private fun TreatmentTrials.perRequest(metric: String): List<Double> = ratios(metric, "requests").map { it * MICROS_PER_SECOND }

private fun List<Double>.middle(): Double = Bootstrap.median(this).value

private fun TreatmentTrials.limits(): String {
    val threads = number(Factor.THREADS)?.toInt() ?: ResourceLimits.UNLIMITED
    return "${number(Factor.MEMORY_MIB)} MiB, " + if (threads >= ResourceLimits.UNLIMITED) "threads without a limit" else "$threads threads"
}

private val SPLIT: Map<String, String> =
    linkedMapOf("client" to "clientCpuSeconds", "compilers" to "compilersCpuSeconds", "collector" to "collectorCpuSeconds")

private const val MICROS_PER_SECOND = 1e6
private const val HEAD = 130
private const val ROW = 24
private const val GAP = 40
