package clientlab.articles.choose

import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/**
 * Every use that is measured in numbers, as a row: each client as a point, at how many times as much it takes as the best one of that use.
 * The name of a row has those that are first, and the last one has its own.
 */
public fun chooseChart(): Chart {
    val rankings = useCases.filter { it.hasRatio }.map { it.ranking }
    val points = rankings.flatMap { ranking -> ranking.clients.map { ranking.cells(it) } }
    val last = rankings.map { ranking -> ranking.cells(ranking.last) + ("text" to ranking.last.client) }
    val leaders = rankings.flatMap { ranking -> ranking.first.map { it.client } }.groupingBy { it }.eachCount()
    val most = leaders.maxBy { it.value }
    val title =
        "No client is the best for everything: ${most.key} is among the first in ${most.value} of ${rankings.size} uses"
            .takeIf { most.value < rankings.size } ?: "${most.key} is among the first in all ${rankings.size} uses"
    val runs = rankings.flatMap { it.origin.runs }.distinct()
    val names = runs.joinToString { publishedAs(it) ?: it }
    return Chart(
        title = title,
        subtitle = "how many times as much each client takes as the best one for that use",
        caption = "medians over forks; runs $names. What unsettled their machines: provenance, at the end",
        runs = runs,
        alt = "$title. " + rankings.joinToString(" ") { it.inWords() },
        marks = listOf(
            Points(ChartData.ofRows(points), TIMES, USE),
            Labels(ChartData.ofRows(last), TIMES, USE, text = "text", place = LabelPlace.RIGHT),
        ),
        x = NumberAxis("times the best", NumberScale.LOG2),
        y = CategoryAxis(rankings.map { it.line }),
    )
}

/** The use and those that are first, as the name of a line. */
private val Ranking.line: String
    get() {
        val names = first.map { it.client }
        val words = if (names.size <= MOST_NAMES) names.joinToString() else "${names[0]}, ${names[1]} and ${names.size - 2} more"
        return "${use.id}: $words"
    }

private fun Ranking.cells(of: Ranked): Map<String, Any?> = mapOf(USE to line, TIMES to of.timesTheBest, "client" to of.client)

private fun Ranking.inWords(): String =
    "${use.need}: best ${first.joinToString { it.client }}; last ${last.client}, by a factor of ${Estimate.rounded(last.timesTheBest)}."

private const val USE = "use"
private const val TIMES = "times"
private const val MOST_NAMES = 3
