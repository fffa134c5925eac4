package clientlab.articles.latency

import clientlab.*
import clientlab.articles.*
import clientlab.capacity.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
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

/** Every probe of [client] in all forks: latency at the 99th percentile against the load, with the criterion as a line. */
public fun Trials<Capacity>.probesChart(client: String): Chart {
    val groups = measured { it.client == client }
    refuseUnless(groups.size < 2) { "There are ${groups.size} treatments of $client: filter the trials by protocol." }
    val found = groups.map(::FoundCapacity).firstOrNull { it.values.isNotEmpty() }
    val rows = groups.flatMap { group ->
        group.counted.flatMap { trial ->
            trial.table("probeResults").map {
                mapOf("load" to it["load"], "ms" to it["p99Ms"], "result" to it["result"]) +
                    (TRIAL to TrialRef(trial.run, trial.round, group.treatment))
            }
        }
    }
    val title = found?.let { "$client meets the criterion up to ${it.short} ${it.unit}" } ?: "No search of $client has ended"
    return Chart(
        title = title,
        subtitle = "every probe of every fork; each answered after ${groups.firstOrNull()?.number(Factor.DELAY_MS) ?: 0} ms",
        caption = "${groups.forks()}; ${groups.origin()}",
        runs = groups.runs(),
        alt = "$title. ${rows.size} probes.",
        marks = listOf(
            ReferenceLines.atY(found?.criterion ?: 0, "criterion"),
            Points(ChartData.ofRows(rows), "load", "ms", color = "result"),
        ),
        x = NumberAxis(found?.unit ?: "load", NumberScale.LOG10),
        y = NumberAxis("latency at the 99th percentile, in ms", NumberScale.LOG10),
        legend = Legend.RIGHT,
        colors = RESULTS,
    )
}

private val RESULTS = mapOf("passed" to Style.colorOf("coroutines"), "failed" to Style.colorOf("threads"), "undecided" to Style.MUTED)
