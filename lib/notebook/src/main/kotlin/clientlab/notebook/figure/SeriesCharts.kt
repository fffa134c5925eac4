package clientlab.notebook.figure

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import kotlin.math.abs
import kotlin.math.ln

/** A column of series that a figure can show over time. */
private enum class OverTime(val column: String, val words: String, val unit: String, val label: String, val log: Boolean) {
    MEDIAN("p50Ms", "median latency", "ms", "median latency, in ms", log = true),
    TAIL("p99Ms", "99th percentile", "ms", "latency at the 99th percentile, in ms", log = true),
    COST("requestCpuMs", "processor time per request", "ms", "processor time of the client per request, in ms", log = false),
    ANSWERS("answers", "number of answers", "in each half second", "answers in each half second", log = false),
    COMPILERS("compilersProcessors", "compilers' load", "processors", "processors that the compilers keep busy", log = false),
}

/**
 * A load over time, a panel for each treatment: the median over forks in each interval, and a thin line for every fork.
 *
 * [column] is one of `p99Ms`, `p50Ms`, `requestCpuMs`, `answers` and `compilersProcessors`. Only the first [seconds] are drawn; null draws all. If
 * there are more than six treatments, the first six are drawn, and the caption says so. Fails if no trial has a series.
 */
public fun Trials<*>.seriesChart(column: String = "p99Ms", seconds: Int? = null): Chart {
    requireSeries()
    val shown = OverTime.entries.firstOrNull { it.column == column }
        ?: throw LabException("'$column' is no column to draw over time; ${listed(OverTime.entries.map { it.column })} are.")
    val all = measured { group -> group.counted.any { it.seriesOf("second").isNotEmpty() } }
    val names = all.labels()
    val courses = all.take(MOST_PANELS).map { Course(it, names.getValue(it), shown.column, seconds?.toDouble() ?: Double.MAX_VALUE) }
    val title = titleOf(courses, shown)
    val left = if (all.size > MOST_PANELS) "; the first $MOST_PANELS of ${all.size} treatments" else ""
    return Chart(
        title = title,
        subtitle = conditionsOver(courses),
        caption = "${all.forks()} a panel, a thin line each; thick: their median in each interval$left; ${all.origin()}",
        alt = "$title. ${courses.joinToString("; ") { it.inWords(shown) }}.",
        marks = listOf(
            Lines(ChartData.ofRows(courses.flatMap { it.forks }), "second", "value", series = "fork", color = "client", thin = true),
            Lines(ChartData.ofRows(courses.flatMap { it.median }), "second", "value", series = "panel", color = "client"),
        ),
        x = NumberAxis("seconds since the first request"),
        y = NumberAxis(shown.label, if (shown.log) NumberScale.LOG10 else NumberScale.LINEAR),
        facets = Facets("panel", courses.map { it.name }, columns = courses.size.coerceIn(1, PANELS_ABREAST)),
        runs = all.runs(),
    )
}

/** One treatment's column over the first [until] seconds. */
private class Course(val group: TreatmentTrials, val name: String, column: String, until: Double) {
    private val series = group.counted.map { row ->
        row.seriesOf("second").filterNotNull().zip(row.seriesOf(column)).filter {
            it.first <=
                until
        }
    }

    val forks: List<Map<String, Any?>> = series.flatMapIndexed { fork, points ->
        points.map { (at, value) ->
            row(at, value) +
                ("fork" to fork)
        }
    }

    /** The medians of the intervals that at least half of the forks have. */
    private val middle: List<Pair<Double, Double>> = (0 until (series.maxOfOrNull { it.size } ?: 0)).mapNotNull { interval ->
        val points = series.mapNotNull { it.getOrNull(interval) }.mapNotNull { (at, value) -> value?.let { at to it } }
        if (points.isEmpty() ||
            points.size * 2 < series.size
        ) {
            null
        } else {
            middleOf(points.map { it.first }) to middleOf(points.map { it.second })
        }
    }
    val median: List<Map<String, Any?>> = middle.map { (at, value) -> row(at, value) }

    val first: Double = middle.firstOrNull()?.second ?: Double.NaN

    /** The median of the last quarter. */
    val last: Double = middleOf(middle.takeLast((middle.size + 3) / 4).map { it.second })

    /** How much it changes, as the logarithm of a ratio; a very small number is as good as none. */
    val change: Double get() = abs(ln((first + LITTLE) / (last + LITTLE))).takeIf { it.isFinite() } ?: -1.0

    fun inWords(of: OverTime) = "$name: ${of.words} ${rounded(first)} at first, ${rounded(last)} in the last quarter"

    private fun row(at: Double, value: Double?) = mapOf(
        "panel" to name,
        "client" to group.treatment.subject,
        "second" to at,
        "value" to value,
    )
}

private fun titleOf(courses: List<Course>, of: OverTime): String {
    val most = courses.maxByOrNull { it.change }?.takeIf { it.change >= 0 } ?: return "No trial here is valid, so there is nothing to show"
    val verb = if (most.last > most.first) "rises" else "falls"
    return "${most.name} changes most: its ${of.words} $verb from ${rounded(most.first)} to ${rounded(most.last)} ${of.unit}"
}

private fun conditionsOver(courses: List<Course>): String {
    val first = courses.firstOrNull()?.group ?: return "no trials"
    val starts = courses.map { it.group.start }.distinct()
    val words = listOfNotNull(
        first.number(Factor.RATE)?.let { "$it requests a second" },
        first.number(Factor.DELAY_MS)?.let { "each answered after $it ms" },
        starts.singleOrNull()?.let { "$it forks" },
    )
    return words.joinToString().ifEmpty { "a load over time" }
}

/** A name for each treatment: its client, and the levels that distinguish it from the others. */
internal fun List<TreatmentTrials>.labels(): Map<TreatmentTrials, String> {
    val named = Factor.all.filter { factor -> factor == Factor.CLIENT || map { it[factor] }.distinct().size > 1 }
    return associateWith { group ->
        Treatment(group.treatment.levels.filterKeys { it in named }).toString().ifEmpty { "${group.treatment}" }
    }
}

private fun middleOf(values: List<Double>) = median(values.toDoubleArray())

private fun rounded(value: Double) = Estimate.rounded(value)

private const val PANELS_ABREAST = 3
private const val LITTLE = 1e-3
