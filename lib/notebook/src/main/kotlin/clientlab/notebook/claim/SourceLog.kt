package clientlab.notebook.claim

/**
 * What source 000 prints for 500 requests of 2 s: a row of its second table, and the rows of its two logs.
 *
 * @property unparkedNew `ActiveUnparkedNew` in the first and in the second log.
 * @property activeNew `ActiveNew` in both.
 * @property timesMs the time in both.
 * @property tableThreads the number of threads in the table.
 * @property averageMs the table's time where it carries ± 300, else null.
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
        val all: List<SourceLog> =
            listOf(
                SourceLog("retrofit", true, listOf(501, 501), listOf(506, 516), listOf(2442, 3253), 501, 2619),
                SourceLog("ktor-okhttp", true, listOf(501, 501), listOf(552, 581), listOf(2428, 3038), 501, 2425),
                SourceLog("ktor-java", false, listOf(1, 1), listOf(100, 91), listOf(2687, 3144), 1, 2511),
                SourceLog("ktor-apache", false, listOf(5, 5), listOf(76, 41), listOf(2558, 5057), 5, null),
                SourceLog("ktor-apache5", false, listOf(4, 4), listOf(110, 109), listOf(2583, 2830), 4, 2624),
                SourceLog("ktor-cio", false, listOf(1, 1), listOf(85, 89), listOf(11411, 11310), 1, 11118),
                SourceLog("fuel", true, listOf(501, 501), listOf(516, 516), listOf(2357, 3900), 501, 2585),
            )
    }
}
