package clientlab.articles.storm

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.storm.*
import org.apache.commons.statistics.descriptive.Median
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Answers a second over time, a panel for each policy of the callers and a colour for each client: a thin line for every fork, and the
 * median over forks in each half second. Dashed lines are the beginning and the end of the surge, [from] and [until]. Their defaults are
 * those of a [Storm].
 */
public fun Trials<Storm>.stormChart(from: Duration = 5.seconds, until: Duration = 10.seconds): Chart {
    val groups = measured { group -> group.counted.any { it.seriesOf("second").isNotEmpty() } }
    val forks = groups.flatMap { it.forks() }
    val title = titleOf(groups)
    return Chart(
        title = title,
        subtitle = "one server with a queue, and callers who give up; a panel for each way of asking again",
        caption = "${groups.forks()} a line, thin; thick: their median in each half second; ${groups.origin()}",
        alt = "$title. ${groups.joinToString("; ") { it.inWords() }}.",
        marks = listOf(
            Lines(ChartData.ofRows(forks), "second", "value", series = "fork", color = "client", thin = true),
            Lines(ChartData.ofRows(groups.flatMap { it.medians() }), "second", "value", series = "client"),
            ReferenceLines.atX(from.inWholeSeconds, "surge"),
            ReferenceLines.atX(until.inWholeSeconds, "over"),
        ),
        x = NumberAxis("seconds since the first request"),
        y = NumberAxis("answers a second"),
        facets = Facets("panel", groups.policies().map(::panel), columns = 2).takeIf { groups.isNotEmpty() },
        legend = Legend.TOP,
        runs = groups.runs(),
    )
}

/** With which policies the server recovered by itself in every fork of every client, and with which in none. */
private fun titleOf(groups: List<TreatmentTrials>): String {
    val recovers = groups.policies().associateWith { label ->
        groups.filter { it.policy == label }.flatMap { it.values("recovered") }.map { it > 0 }
    }
    val (again, never) = listOf(true, false).map { outcome -> recovers.filterValues { forks -> forks.all { it == outcome } }.keys }
    return listOfNotNull(
        again.ifEmpty { null }?.let { "The server recovers with ${it.inShort()}" },
        never.ifEmpty { null }?.let { "${if (again.isEmpty()) "The server" else "it"} does not with ${it.inShort()}" },
    ).joinToString("; ").ifEmpty { "The server recovers in some forks" }
}

/** The policies in a few words. */
private fun Set<String>.inShort(): String = joinToString(" or ") { label ->
    when {
        label == "none" -> "no retries"
        "budget" in label -> "retries from a budget"
        "jitter" in label -> "retries after pauses"
        else -> "retries at once"
    }
}

private fun panel(policy: String?) = "retries: $policy"

private fun TreatmentTrials.forks(): List<Map<String, Any?>> =
    counted.flatMapIndexed { fork, row -> course(row).map { it + ("fork" to "$client $fork") } }

/** The answers of one fork in each second, at each of its intervals. */
private fun TreatmentTrials.course(row: AnyTrial): List<Map<String, Any?>> {
    val ends = row.seriesOf("second").filterNotNull()
    val lengths = ends.zip(listOf(0.0) + ends) { end, start -> end - start }
    return ends.indices.map { at(ends[it], (row.seriesOf("answers")[it] ?: 0.0) / lengths[it]) }
}

/** The medians of the intervals that every fork has. */
private fun TreatmentTrials.medians(): List<Map<String, Any?>> {
    val courses = counted.map { course(it) }
    return (0 until (courses.minOfOrNull { it.size } ?: 0)).map { interval ->
        val (ends, values) = listOf("second", "value").map { column -> courses.map { it[interval].getValue(column) as Double } }
        at(middle(ends), middle(values))
    }
}

private fun TreatmentTrials.at(second: Double, value: Double) =
    mapOf("panel" to panel(policy), "client" to client, "second" to second, "value" to value)

private fun TreatmentTrials.inWords(): String {
    val (before, during, after) = listOf("Before", "During", "After").map { Estimate.rounded(median("goodput$it").value) }
    return "$client, ${panel(policy)}: $before answers a second before, $during during and $after after the surge"
}

private fun middle(values: List<Double>) = Median.withDefaults().evaluate(values.toDoubleArray())
