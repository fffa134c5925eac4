package clientlab.articles.latency

import clientlab.*
import clientlab.articles.*
import clientlab.capacity.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import java.util.Locale

/** The capacity of each client, the largest on top: each fork is a dot, with the median and its interval in front. */
public fun Trials<Capacity>.capacityChart(): Chart {
    val found = found()
    val groups = measured()
    val dots = found.flatMap { of -> of.group.dots(of.values) { mapOf("name" to of.name, "client" to of.group.client, "value" to it) } }
    val medians = found.map { of ->
        mapOf("name" to of.name, "client" to of.group.client, "text" to of.short) + of.estimate.cells()
    }
    val unit = found.map { it.unit }.distinct().joinToString(" or ")
    val title = groups.headline(capacityTitle(found))
    return Chart(
        title = title,
        subtitle = "highest load of which 99 % are answered within ${found.map { it.criterion }.distinct().joinToString(" or ")} ms",
        caption = groups.captionOfMedians(),
        runs = groups.runs(),
        alt = "$title. ${found.joinToString("; ") { "${it.name}: ${it.words} ${it.unit}" }}.",
        marks = forksAndMedians(ChartData.ofRows(dots), ChartData.ofRows(medians), "name", color = "client"),
        x = NumberAxis(unit, metric = found.firstOrNull()?.of("capacity")),
        y = CategoryAxis(found.map { it.name }),
    )
}

private fun capacityTitle(found: List<FoundCapacity>): String {
    val (first, last) = (found.firstOrNull() ?: return "No search here has ended") to found.last()
    val least = if (first.isBound) "at least " else ""
    return when {
        found.size == 1 -> "${first.name} carries ${first.short} ${first.unit}"
        last.estimate.value <= 0.0 -> "${first.name} carries the most ${first.unit}, and ${last.name} does not meet the criterion at all"
        else -> "${first.name} carries $least${times(first, last)} times as many ${first.unit} as ${last.name}"
    }
}

private fun times(a: FoundCapacity, b: FoundCapacity) = "%.1f".format(Locale.ROOT, a.estimate.value / b.estimate.value)

/**
 * Every probe of all forks: latency at the 99th percentile against the load, with the criterion as a line. One panel per client, the
 * largest capacity first, or [client] alone.
 */
public fun Trials<Capacity>.probesChart(client: String? = null): Chart {
    val groups = measured { client == null || it.client == client }
    val found = groups.map(::FoundCapacity).filter { it.values.isNotEmpty() }.sortedByDescending { it.estimate.value }
    val names = groups.map { FoundCapacity(it).name }
    refuseUnless(client == null || groups.size < 2) {
        "There are ${groups.size} treatments of $client: filter the trials by protocol or start."
    }
    refuseUnless(names.distinct().size == names.size) { "A client has more than one treatment: filter the trials by start." }
    val rows = groups.flatMap { group ->
        val name = FoundCapacity(group).name
        val drawn = if (found.size > 1 && found.none { it.name == name }) emptyList() else group.counted
        drawn.flatMap { trial ->
            trial.table("probeResults").map {
                mapOf("client" to name, "load" to it["load"], "ms" to it["p99Ms"], "result" to it["result"]) +
                    (TRIAL to TrialRef(trial.run, trial.round, group.treatment))
            }
        }
    }
    val title = probesTitle(found, client)
    val delay = groups.firstOrNull()?.number(Factor.DELAY_MS) ?: 0
    val panels = Facets("client", found.map { it.name }, columns = PANELS_ABREAST).takeIf { found.size > 1 }
    return Chart(
        title = title,
        subtitle = "every probe of every fork, and the criterion; each answered after $delay ms",
        caption = "${groups.forks()}; ${groups.origin()}",
        runs = groups.runs(),
        alt = "$title. ${rows.size} probes.",
        marks = listOf(
            ReferenceLines.atY(found.firstOrNull()?.criterion ?: 0, if (panels == null) "criterion" else ""),
            Points(ChartData.ofRows(rows), "load", "ms", color = "result"),
        ),
        x = NumberAxis(found.firstOrNull()?.unit ?: "load", NumberScale.LOG10),
        y = NumberAxis("latency at the 99th percentile, in ms", NumberScale.LOG10),
        facets = panels,
        legend = Legend.RIGHT,
        colors = RESULTS,
        size = panels?.let { ChartSize(Style.WIDTH, HEAD + PANEL * ((found.size - 1) / PANELS_ABREAST + 1)) },
    )
}

private fun probesTitle(found: List<FoundCapacity>, client: String?): String {
    val first = found.firstOrNull() ?: return if (client == null) "No search here has ended" else "No search of $client has ended"
    if (found.size == 1) return "${first.name} meets the criterion up to ${first.short} ${first.unit}"
    val last = found.last()
    return "The criterion of ${first.criterion} ms is met up to ${last.short} (${last.name}) to ${first.short} (${first.name})"
}

/**
 * Latency at the 99th percentile below the capacity that each fork found, a panel for half of it and one for nine tenths. Each fork is a
 * dot, with the median and its interval in front; the largest capacity is on top.
 */
public fun Trials<Capacity>.belowCapacityChart(): Chart {
    val found = found().filter { it.group.values(BELOW.values.first()).isNotEmpty() }
    val rows = found.flatMap { of ->
        BELOW.map { (panel, metric) -> of.group.forkRow(mapOf("client" to of.name, "panel" to panel), metric) }
    }
    val (half, most) = BELOW.values.map { metric -> found.maxOfOrNull { it.latency(metric).value } ?: Double.NaN }
    val title = when {
        found.isEmpty() -> "No fork here was measured below its capacity"
        else -> "99 % within ${Estimate.rounded(half)} ms at half of a capacity, ${Estimate.rounded(most)} ms at nine tenths"
    }
    val groups = found.map { it.group }
    val delay = groups.firstOrNull()?.number(Factor.DELAY_MS) ?: 0
    val subtitle = "each answered after $delay ms; the title has the slowest client's medians"
    val x = NumberAxis("latency at the 99th percentile, in ms", NumberScale.LOG10)
    return forkPanels(title, subtitle, groups, rows, x, Facets("panel", BELOW.keys.toList()))
}

private val RESULTS = mapOf("passed" to Style.colorOf("coroutines"), "failed" to Style.colorOf("threads"), "undecided" to Style.MUTED)
