package clientlab.notebook.output

import clientlab.notebook.frame.ORIGIN
import clientlab.notebook.frame.TrialRow
import clientlab.notebook.frame.origin
import clientlab.notebook.stats.Estimate
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.remove
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.jupyter.api.MimeTypedResult
import org.jetbrains.kotlinx.jupyter.api.mimeResult

/** A frame as a reader sees it: a plain table in HTML and the same in text, for the front ends that show no HTML. */
public object FrameOutput {
    private const val MOST_ROWS = 60
    private const val WIDEST = 60

    internal fun of(whole: AnyFrame): MimeTypedResult {
        val (html, plain) = shown(whole)
        return mimeResult("text/html" to html, "text/plain" to plain)
    }

    /** The table alone, for a panel. */
    public fun html(whole: AnyFrame): String = shown(whole).first

    private fun shown(whole: AnyFrame): Pair<String, String> {
        val origin = origin(whole)
        val frame = if (origin != null && ORIGIN in whole.columnNames()) whole.remove(ORIGIN) else whole
        val names = frame.columnNames()
        val rows = frame.rows().take(MOST_ROWS)
        val cells = rows.map { row -> names.map { text(row[it]) } }
        val right = names.indices
            .filter { column ->
                rows.any { it[names[column]] != null } && rows.all { isNumber(it[names[column]]) }
            }.toSet()
        val size = "${frame.rowsCount()} rows, ${names.size} columns"
        val first = if (frame.rowsCount() > MOST_ROWS) "The first $MOST_ROWS of $size." else null
        val more = listOfNotNull(first, origin).joinToString(" ").ifEmpty { null }
        return Html.table(names, cells, right, more) to plain(names, cells, right, more)
    }

    /** Where all rows come from, by their own column or, of trials, by their runs; null where rows differ, or nothing tells. */
    private fun origin(frame: AnyFrame): String? {
        val names = frame.columnNames()
        return when {
            frame.rowsCount() == 0 -> {
                null
            }

            ORIGIN in names -> {
                frame
                    .rows()
                    .map { "${it[ORIGIN]}" }
                    .distinct()
                    .singleOrNull()
            }

            "run" in names && "round" in names && "outcome" in names -> {
                frame.cast<TrialRow>().origin()
            }

            else -> {
                null
            }
        }
    }

    /** The table in text, columns padded to their widest cell. */
    internal fun plain(names: List<String>, cells: List<List<String>>, right: Set<Int>, more: String?): String {
        val widths = names.indices.map { column -> (cells.map { it[column] } + names[column]).maxOf { minOf(it.length, WIDEST) } }

        fun line(row: List<String>) =
            row
                .mapIndexed { column, cell ->
                    val short = if (cell.length > WIDEST) cell.take(WIDEST - 1) + "…" else cell
                    if (column in right) short.padStart(widths[column]) else short.padEnd(widths[column])
                }.joinToString("  ")
                .trimEnd()
        return (
            listOf(
                line(names),
                widths.joinToString("  ") { "-".repeat(it) },
            ) + cells.map(::line) + listOfNotNull(more)
        ).joinToString("\n")
    }

    private fun isNumber(value: Any?) = value == null || value is Number || (value is String && INTERVAL.matches(value))

    private fun text(value: Any?): String =
        when (value) {
            null -> ""
            is Double -> Estimate.rounded(value)
            is AnyFrame -> "${value.rowsCount()} rows"
            else -> value.toString()
        }

    private val INTERVAL = Regex("-?[\\d.,e+-]+ \\[.*]")
}
