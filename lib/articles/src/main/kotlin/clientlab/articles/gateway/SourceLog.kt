package clientlab.articles.gateway

import clientlab.notebook.frame.*

/**
 * Source 000's figures for 500 requests of 2 s: a row of its second table, and the rows of its two logs.
 *
 * @property unparkedNew `ActiveUnparkedNew` in the first and in the second log.
 * @property activeNew `ActiveNew` in both.
 * @property timesMs the time in both.
 * @property tableThreads the number of threads in the table.
 * @property averageMs the table's time if it has ± 300, otherwise null.
 */
internal class SourceLog private constructor(
    val client: String,
    val blocking: Boolean,
    val unparkedNew: List<Int>,
    val activeNew: List<Int>,
    val timesMs: List<Int>,
    val tableThreads: Int,
    val averageMs: Int?,
) {
    companion object {
        val all: List<SourceLog> by lazy { SourceLog::class.java.sourceFigures("source-000-logs.csv").map(::read) }

        private fun read(row: Map<String, String>): SourceLog {
            fun both(column: String) = listOf("1", "2").map { row.getValue(column + it).toInt() }
            return SourceLog(
                client = row.getValue("client"),
                blocking = row.getValue("blocking").toBoolean(),
                unparkedNew = both("unparkedNew"),
                activeNew = both("activeNew"),
                timesMs = both("timeMs"),
                tableThreads = row.getValue("tableThreads").toInt(),
                averageMs = row.getValue("averageMs").toIntOrNull(),
            )
        }
    }
}
