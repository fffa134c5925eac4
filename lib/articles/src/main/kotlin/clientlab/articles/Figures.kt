package clientlab.articles

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/** One line of a figure of forks: the [cells] that place it, a dot per fork, the median in the column [value], and its [text]. */
internal class ForkRow(
    val cells: Map<String, Any?>,
    val dots: List<Map<String, Any?>>,
    val median: Estimate,
    val text: String = Estimate.rounded(median.value),
    val value: String = "value",
)

internal fun TreatmentTrials.forkRow(cells: Map<String, Any?>, metric: String, scale: Double = 1.0): ForkRow =
    ForkRow(cells, dots(metric) { cells + ("value" to it * scale) }, Bootstrap.median(values(metric).map { it * scale }))

internal fun TreatmentTrials.forkRow(cells: Map<String, Any?>, values: List<Double>): ForkRow =
    ForkRow(cells, dots(values) { cells + ("value" to it) }, Bootstrap.median(values))

internal fun List<ForkRow>.marks(row: String, color: String = row, lane: String? = null, text: Boolean = true): List<Mark> {
    val value = firstOrNull()?.value ?: "value"
    val medians = map { it.cells + it.median.cells(value) + if (text) mapOf("text" to it.text) else emptyMap() }
    return forksAndMedians(
        ChartData.ofRows(flatMap { it.dots }),
        ChartData.ofRows(medians),
        row,
        value,
        color,
        lane = lane,
        text = "text".takeIf { text },
    )
}

/** A figure of forks in the panels that the cell `panel` names; the cell [row] names the lines of a panel. */
internal fun forkPanels(
    title: String,
    subtitle: String,
    groups: List<TreatmentTrials>,
    rows: List<ForkRow>,
    x: NumberAxis,
    facets: Facets?,
    row: String = "client",
    color: String = row,
    order: List<String> = rows.map { it.cells[row].toString() }.distinct(),
): Chart = Chart(
    title = title,
    subtitle = subtitle,
    caption = groups.captionOfMedians(),
    runs = groups.runs(),
    alt = "$title. ${rows.inWords(row)}.",
    marks = rows.marks(row, color),
    x = x,
    y = CategoryAxis(order),
    facets = facets,
)

internal fun List<ForkRow>.inWords(row: String): String = joinToString("; ") { "${it.cells[row]}, ${it.cells["panel"]}: ${it.text}" }

/** The caption of medians, with the number of forks of all these trials. */
internal fun Trials<*>.captionOfForks(groups: List<TreatmentTrials>): String =
    "medians over forks with 95 % intervals; ${origin()}${groups.leftOut()}"

/** The caption of medians, with the smallest number of forks of a point. */
internal fun List<TreatmentTrials>.captionOfLeast(point: String): String =
    "n = ${minOfOrNull { it.counted.size } ?: 0} forks $point, medians with 95 % intervals; ${origin()}"

internal fun List<TreatmentTrials>.conditionsOfBursts(): String {
    val first = firstOrNull()
    val seconds = Estimate.rounded((first?.number(Factor.DELAY_MS) ?: 0) / 1000.0)
    return "${first?.inFlight ?: 0} requests asked at once, each answered after $seconds s"
}

/** An estimate as cells of a figure's row. */
internal fun Estimate.cells(name: String = "value", scale: Double = 1.0): Map<String, Any?> =
    mapOf(name to value * scale, "low" to low * scale, "high" to high * scale)

/** The last point of each line. The columns [of] name the lines. */
internal fun List<Map<String, Any?>>.ends(x: String, vararg of: String): List<Map<String, Any?>> =
    groupBy { row -> of.map { row[it] } }.values.map { line -> line.maxBy { (it.getValue(x) as Number).toDouble() } }

/** The names of lines, in their colours, at their [ends]. */
internal fun endLabels(ends: List<Map<String, Any?>>, x: String, y: String, name: String): Labels =
    Labels(ChartData.ofRows(ends), x, y, text = name, color = name, place = LabelPlace.END)
