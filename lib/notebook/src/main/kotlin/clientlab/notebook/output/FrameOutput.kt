package clientlab.notebook.output

import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import org.jetbrains.kotlinx.dataframe.AnyCol
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.remove
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.columns.FrameColumn
import org.jetbrains.kotlinx.jupyter.api.MimeTypedResultEx

/** A frame as a reader sees it: a plain table in HTML, the same in text for the front ends that show no HTML, and the data part. */
public object FrameOutput {
    private const val MOST_ROWS = 60
    private const val WIDEST = 60

    internal fun of(whole: AnyFrame): MimeTypedResultEx = Shown(whole).run { output(html(), plain(), data()) }

    /** The table alone, for a panel. */
    public fun html(whole: AnyFrame): String = Shown(whole).html()

    /** The table as text, for a terminal. */
    internal fun plain(whole: AnyFrame): String = Shown(whole).plain()

    /** An output of a cell: the page, the text and the data part say the same. */
    internal fun output(html: String, plain: String, data: JsonObject): MimeTypedResultEx =
        MimeTypedResultEx(
            JsonObject(mapOf("text/html" to JsonPrimitive(html), "text/plain" to JsonPrimitive(plain), DataPart.MIME to data)),
        )

    /** What is shown of a frame: its first rows, and below them where it comes from. */
    private class Shown(whole: AnyFrame) {
        private val origin = origin(whole)
        private val frame = if (origin != null && ORIGIN in whole.columnNames()) whole.remove(ORIGIN) else whole
        private val names = frame.columnNames()
        private val rows = frame.rows().take(MOST_ROWS)
        private val cells = rows.map { row -> names.map { text(row[it]) } }
        private val right = names.indices.filterTo(HashSet()) { column -> isNumeric(rows.map { it[names[column]] }) }
        private val size = "${frame.rowsCount()} rows, ${names.size} columns"
        private val first = if (frame.rowsCount() > MOST_ROWS) "The first $MOST_ROWS of $size." else null
        private val more = listOfNotNull(first, origin?.words).joinToString(" ").ifEmpty { null }

        fun html(): String = Html.table(names, cells, right, more)

        fun plain(): String = plain(names, cells, right, more)

        fun data(): JsonObject =
            DataPart.of("table") {
                putJsonArray("columns") {
                    frame.columns().forEach { column ->
                        addJsonObject {
                            put("name", column.name())
                            put("type", typeOf(column))
                            Dictionary.unitOf(column.name())?.ifEmpty { null }?.let { put("unit", it) }
                        }
                    }
                }
                put("rows", frame.rowsCount())
                putJsonArray("values") { rows.forEach { row -> add(JsonArray(names.map { value(row[it]) })) } }
                origin?.let {
                    put("origin", it.words)
                    put("runs", DataPart.texts(it.runs))
                }
            }

        private fun value(cell: Any?): JsonElement = DataPart.cell((cell as? AnyFrame)?.rowsCount() ?: cell)
    }

    /** `table` for a table within a cell, whose value is its number of rows. */
    private fun typeOf(column: AnyCol): String {
        val values = column.values().filterNotNull()
        return when {
            column is FrameColumn<*> -> "table"
            values.isEmpty() -> "text"
            values.all { it is Int || it is Long } -> "integer"
            values.all { it is Number } -> "number"
            values.all { it is Boolean } -> "boolean"
            else -> "text"
        }
    }

    /** Where all rows come from: their own column, or for trials their runs. Null if rows differ or nothing says it. */
    private fun origin(frame: AnyFrame): Origin? {
        val names = frame.columnNames()
        if (frame.rowsCount() == 0) return null
        if (ORIGIN in names) {
            return frame
                .rows()
                .map { it[ORIGIN] as? Origin ?: Origin("${it[ORIGIN]}") }
                .distinct()
                .singleOrNull()
        }
        if (!names.containsAll(listOf("run", "round", "outcome"))) return null
        return frame.cast<TrialRow<*>>().let { Origin(it.origin(), it.runs()) }
    }

    /** The table in text, columns padded to their widest cell. */
    internal fun plain(names: List<String>, cells: List<List<String>>, right: Set<Int>, more: String?): String {
        val widths = names.indices.map { column -> (cells.map { it[column] } + names[column]).maxOf { minOf(it.length, WIDEST) } }

        fun padded(column: Int, cell: String): String {
            val short = if (cell.length > WIDEST) cell.take(WIDEST - 1) + "…" else cell
            return if (column in right) short.padStart(widths[column]) else short.padEnd(widths[column])
        }

        fun line(row: List<String>) = row.mapIndexed(::padded).joinToString("  ").trimEnd()
        val head = listOf(line(names), widths.joinToString("  ") { "-".repeat(it) })
        return (head + cells.map(::line) + listOfNotNull(more)).joinToString("\n")
    }

    private fun isNumeric(cells: List<Any?>) = cells.any { it != null } && cells.all(::isNumber)

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
