package clientlab.articles.gateway

import clientlab.notebook.frame.*

/**
 * Source 000's figures for 500 requests of 2 s: a row of its second table, and the rows of its two logs. The second log is said to be of
 * another experiment, and does not show it; so claims about the first experiment leave it out.
 *
 * @property unparkedNew `ActiveUnparkedNew` in the first and in the second log.
 * @property averageMs the table's time if it has ± 300, otherwise null.
 */
internal class SourceLog(row: Map<String, String>) {
    val blocking: Boolean = row.getValue("blocking").toBoolean()
    val unparkedNew: List<Int> = row.inBoth("unparkedNew")
    val timesMs: List<Int> = row.inBoth("timeMs")
    val tableThreads: Int = row.getValue("tableThreads").toInt()
    val averageMs: Int? = row.getValue("averageMs").toIntOrNull()

    private fun Map<String, String>.inBoth(column: String) = listOf("1", "2").map { getValue(column + it).toInt() }

    companion object {
        val all: List<SourceLog> by lazy { SourceLog::class.java.sourceFigures("source-000-logs.csv").map(::SourceLog) }
    }
}
