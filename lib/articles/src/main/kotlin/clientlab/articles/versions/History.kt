package clientlab.articles.versions

import clientlab.articles.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*

/** A finding in the releases that were measured. */
private class Held(val finding: Finding, val releases: List<Pair<String, Boolean>>) {
    val held = releases.filter { it.second }.map { it.first }
    val changes: Boolean get() = releases.map { it.second }.distinct().size > 1

    /** From which release to which it held, in words. */
    val span: String
        get() = when {
            held.isEmpty() -> "in none"
            !changes -> "in all, ${held.first()} to ${held.last()}"
            held.last() == releases.last().first -> "from ${held.first()} on"
            held.first() == releases.first().first -> "until ${held.last()}"
            else -> "from ${held.first()} to ${held.last()}"
        }

    val sentence: String get() = "${finding.subject} ${finding.words}"
}

/**
 * The findings of the ledger of which several releases were measured: a row for each, a point for each release, and beside the last one where
 * its makers name the change.
 */
public fun historyChart(): Chart {
    val trials = findings.map { it.run }.distinct().associateWith { published(it) }
    val all = findings.map { Held(it, it.releases(trials.getValue(it.run))) }.sortedBy { !it.changes }
    val points = all.flatMap { row ->
        row.releases.mapIndexed { place, (version, holds) ->
            mapOf("row" to row.finding.line, "place" to place + 1, "holds" to if (holds) HOLDS else DOES_NOT, "version" to version)
        }
    }
    val entries = all.filter { it.finding.entry.isNotEmpty() }.map {
        mapOf("row" to it.finding.line, "place" to it.releases.size + 1, "text" to it.finding.entry)
    }
    val changed = all.filter { it.changes }
    val title = "${all.size - changed.size} of ${all.size} findings hold in every release that was measured, " +
        "and ${changed.size} change"
    val runs = all.map { it.finding.run }.distinct()
    return Chart(
        title = title,
        subtitle = "a point is a release, the oldest on the left; behind the last one, where its makers name the change",
        caption = "most forks of a release decide; ${runs.joinToString()}",
        runs = runs.flatMap { trials.getValue(it).runs() },
        alt = "$title. ${all.joinToString("; ") { "${it.sentence}: ${it.span}" }}.",
        marks = listOf(
            Points(ChartData.ofRows(points), "place", "row", color = "holds"),
            Labels(ChartData.ofRows(points), "place", "row", text = "version", place = LabelPlace.ABOVE),
            Labels(ChartData.ofRows(entries), "place", "row", text = "text"),
        ),
        x = NumberAxis(breaks = emptyList()),
        y = CategoryAxis(all.map { it.finding.line }),
        legend = Legend.TOP,
        colors = mapOf(HOLDS to Style.INK, DOES_NOT to Style.AXIS),
        size = ChartSize(Style.WIDTH, HEAD + ROW * all.size),
    )
}

private const val HOLDS = "holds"
private const val DOES_NOT = "does not hold"
private const val HEAD = 150
private const val ROW = 46
