package clientlab.articles.conduct

import clientlab.articles.*
import clientlab.conduct.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/**
 * How many clients give a concern in each situation but those in [without], the twenty situations with most of them, the worst on top. It counts clients and does not rank them: a
 * concern may be a danger to one caller and nothing to another.
 */
public fun Trials<Conduct>.concernChart(without: Set<String> = emptySet()): Chart {
    val all = conducted().filter { it.situation !in without }
    val clients = all.map { it.client }.distinct()
    val worst = all
        .filter { it.concerns.isNotEmpty() }
        .groupBy { it.situation }
        .mapValues { (_, same) -> same.map { it.client } }
        .toList()
        .sortedByDescending { it.second.size }
    val shown = worst.take(MOST_ROWS)
    val rows = shown.map { (situation, of) -> mapOf("situation" to situation, "clients" to of.size, "text" to countOf(of)) }
    val tried = all.map { it.situation }.distinct().size
    val title = when {
        worst.isEmpty() -> "No client raises a concern"
        else -> "In ${worst.size} of $tried situations one client or more raises a concern"
    }
    val left = if (without.isEmpty()) "" else "without ${without.joinToString()}; "
    val beyond = if (worst.size > shown.size) "; ${worst.size - shown.size} more have fewer" else ""
    val data = ChartData.ofRows(rows)
    return Chart(
        title = title,
        subtitle = "how many of ${clients.size} clients raise one, and which, where they are one or two$beyond",
        caption = "a concern in any fork counts; $left${origin()}",
        runs = runs(),
        alt = "$title. ${worst.joinToString("; ") { (situation, of) -> "$situation: ${of.joinToString()}" }}.",
        marks = listOf(
            Bars(data, "clients", "situation"),
            Labels(data, "clients", "situation", text = "text"),
        ),
        x = NumberAxis("clients"),
        y = CategoryAxis(shown.map { it.first }),
    )
}

/** When the caller of each client is free in [situation], a dot for each fork, the first one on top. Who waits on has no dot. */
public fun Trials<Conduct>.freeChart(situation: String = "timeouts.no-answer"): Chart {
    val of = conducted().filter { it.situation == situation }.associateBy { it.client }
    val groups = byTreatment().filter { of[it.client]?.ms.orEmpty().isNotEmpty() }.sortedBy { of.getValue(it.client).medianMs }
    val rows = groups.map { group -> group.forkRow(mapOf("client" to group.client), of.getValue(group.client).ms) }
    val waiting = of.values.filter { it.ms.isEmpty() && it.fact.startsWith("waits on") }.map { it.client }
    val late = groups.filter { (of.getValue(it.client).medianMs ?: 0.0) > SOON_MS }.map { it.client }
    val all = groups.size + waiting.size
    val title = listOfNotNull(
        "${all - late.size - waiting.size} of $all clients free their caller within $SOON_MS ms",
        late.ifEmpty { null }?.let { "later: ${it.joinToString()}" },
        waiting.ifEmpty { null }?.let { "not at all: ${it.joinToString()}" },
    ).joinToString("; ")
    val said = rows.joinToString("; ") { "${it.cells["client"]}: ${it.text} ms" }
    val chart = forkPanels(
        title = title,
        subtitle = "$situation; every time-out at 400 ms",
        groups = groups,
        rows = rows,
        x = NumberAxis("ms from the request until the caller is free"),
        facets = null,
    )
    return chart.copy(
        alt = "$title. $said.",
        marks = listOf(ReferenceLines.atX(TIMEOUT_MS, "time-out")) + chart.marks,
    )
}

/** `17`, or `1: ktor-cio`. */
private fun countOf(clients: List<String>): String = "${clients.size}" + if (clients.size > 2) "" else ": ${clients.joinToString()}"

private const val TIMEOUT_MS = 400

/** So many fit a screen. */
private const val MOST_ROWS = 20
