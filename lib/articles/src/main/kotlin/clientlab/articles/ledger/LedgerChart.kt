package clientlab.articles.ledger

import clientlab.notebook.chart.*
import clientlab.notebook.claim.*

/** Every claim as a mark: a row for each source and for each block of our own, and in it the claims by their outcome. */
public fun Ledger.chart(): Chart {
    val outcomes = Style.OUTCOMES.keys.toList()
    val rows = verdicts.groupBy { it.claim.row }
    val marks = rows.flatMap { (row, of) ->
        of.sortedBy { outcomes.indexOf("${it.outcome}") }.mapIndexed { place, verdict ->
            mapOf("row" to row, "place" to place + 1, "outcome" to "${verdict.outcome}", "claim" to verdict.claim.id)
        }
    }
    val sums = rows.map { (row, of) ->
        mapOf("row" to row, "place" to of.size, "sum" to "${of.count { it.outcome == VerdictOutcome.Supported }} of ${of.size}")
    }
    val said = verdicts.filter { it.claim.block == Block.Says }
    val title = if (said.isEmpty()) "The sources say nothing of this" else "Of ${said.size} claims of the sources, ${said.sum()}"
    return Chart(
        title = title,
        subtitle = "Each mark is a claim, decided by published trials; beside them, how many are supported",
        caption = "A claim is inconclusive if its trials allow both outcomes, if they are too few, or if runs of different days disagree.",
        alt = "$title. ${rows.entries.joinToString("; ") { (row, of) -> "$row: ${of.sum()}" }}.",
        marks = listOf(
            Points(ChartData.ofRows(marks), "place", "row", color = "outcome"),
            Labels(ChartData.ofRows(sums), "place", "row", text = "sum"),
        ),
        x = NumberAxis("claims"),
        y = CategoryAxis(rows.keys.toList()),
        legend = Legend.TOP,
        colors = Style.OUTCOMES,
        runs = verdicts.flatMap { it.runs }.distinct(),
    )
}

/** As in `10 are supported, 3 are refuted and 2 are inconclusive`. */
private fun List<Verdict>.sum(): String {
    val counts = groupingBy { "${it.outcome}" }.eachCount()
    val parts = Style.OUTCOMES.keys.mapNotNull { outcome -> counts[outcome]?.let { "$it ${if (it == 1) "is" else "are"} $outcome" } }
    return if (parts.size < 2) parts.joinToString() else parts.dropLast(1).joinToString() + " and " + parts.last()
}

private val Claim.row: String
    get() = when (block) {
        Block.Says -> "source $source says"
        Block.About -> "we say about $source"
        Block.Adds -> "we add"
        Block.Check -> "checks"
    }
