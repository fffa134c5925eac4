package clientlab.articles.cost

import clientlab.*
import clientlab.closedloop.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.resourcelimits.*
import java.util.Locale

/**
 * The most requests in flight within the memory and the threads of a treatment, a panel each: dots are forks, and the text says how it
 * ended.
 */
public fun Trials<ResourceLimits>.withinChart(): Chart {
    val groups = measured { it[Factor.THREADS] != null }
    val panels = groups.map { it.limits() }.distinct()
    val order = groups.map { it.client }.distinct()
    val most = groups.groupBy { it.client }.mapValues { (_, of) -> of.minOf { it.median("heldInFlight").value } }
    val asked = groups.maxOfOrNull { it.inFlight } ?: 0
    val (all, others) = most.keys.partition { (most[it] ?: 0.0) >= asked }
    val title = "${all.size} of ${most.size} clients hold all ${"%,d".format(Locale.ROOT, asked)} within every limit" +
        others.minByOrNull { most.getValue(it) }?.let { "; $it fails first, with ${Estimate.rounded(most.getValue(it))}" }.orEmpty()
    val trials =
        groups.flatMap { group ->
            group.dots("heldInFlight") { mapOf("client" to group.client, "panel" to group.limits(), "held" to it) }
        }
    val middles =
        groups.map { group ->
            val held = Bootstrap.median(group.values("heldInFlight"))
            mapOf(
                "client" to group.client,
                "panel" to group.limits(),
                "held" to held.value,
                "low" to held.low,
                "high" to held.high,
                "text" to Estimate.rounded(held.value) + howItEnds(group).let { if (it.isEmpty()) "" else ", $it" },
            )
        }
    return Chart(
        title = title,
        subtitle = "requests are added until the JVM ends, a request fails, or all are in flight",
        caption = "medians over forks with 95 % intervals; ${origin()}${groups.leftOut()}",
        runs = runs(),
        alt = "$title. " + middles.joinToString("; ") { "${it["client"]}, ${it["panel"]}: ${it["text"]}" } + ".",
        marks = forksAndMedians(ChartData.ofRows(trials), ChartData.ofRows(middles), "client", value = "held"),
        x = NumberAxis("requests in flight, as the server saw them"),
        y = CategoryAxis(order),
        facets = Facets("panel", panels, columns = 1).takeIf { panels.size > 1 },
        size = ChartSize(Style.WIDTH, HEAD + (ROW * order.size + GAP) * panels.size.coerceAtLeast(1)),
    )
}

/** What a thousand requests cost: processor time, bytes allocated, page faults, and the resident set after them; a panel each. */
public fun Trials<ClosedLoop>.costChart(): Chart {
    val groups = measured { it[Factor.TASKS] != null }
    val least = groups.minByOrNull { it.median("requestCpuMs").value }
    val seconds = Estimate.rounded(least?.median("requestCpuMs")?.value ?: 0.0)
    val title = "A thousand requests cost least with ${least?.client ?: "none"}: $seconds s of a processor"
    val rows =
        groups.flatMap { group ->
            PANELS.flatMap { (panel, of) -> group.dots(of(group)) { mapOf("client" to group.client, "panel" to panel, "value" to it) } }
        }
    val middles =
        groups.flatMap { group ->
            PANELS.map { (panel, of) ->
                val estimate = Bootstrap.median(of(group))
                mapOf(
                    "client" to group.client,
                    "panel" to panel,
                    "value" to estimate.value,
                    "low" to estimate.low,
                    "high" to estimate.high,
                    "text" to Estimate.rounded(estimate.value),
                )
            }
        }
    return Chart(
        title = title,
        subtitle = groups
            .firstOrNull()
            ?.let {
                "${it.number(Factor.TASKS)} requests, ${it.inFlight} in flight, answered at once"
            }.orEmpty(),
        caption = "medians over forks with 95 % intervals; ${origin()}${groups.leftOut()}",
        runs = runs(),
        alt = "$title. " + middles.joinToString("; ") { "${it["client"]}, ${it["panel"]}: ${it["text"]}" } + ".",
        marks = forksAndMedians(ChartData.ofRows(rows), ChartData.ofRows(middles), "client"),
        x = NumberAxis(),
        y = CategoryAxis(groups.map { it.client }.distinct()),
        facets = Facets("panel", PANELS.keys.toList(), columns = 2, free = true),
    )
}

private fun TreatmentTrials.limits(): String {
    val threads = number(Factor.THREADS)?.toInt() ?: ResourceLimits.UNLIMITED
    return "${number(Factor.MEMORY_MIB)} MiB" +
        if (threads >= ResourceLimits.UNLIMITED) ", threads without a limit" else ", $threads threads"
}

private val PANELS: Map<String, (TreatmentTrials) -> List<Double>> =
    mapOf(
        "processor time, s" to { it.values("requestCpuMs") },
        "allocated, MB" to { group -> group.values("requestAllocatedBytes").map { it / 1_000 } },
        "page faults" to { group -> group.values("requestPageFaults").map { it * 1_000 } },
        "resident set after all, MB" to { group -> group.values("rssBytes").map { it / 1e6 } },
    )

private const val HEAD = 130
private const val ROW = 24
private const val GAP = 40
