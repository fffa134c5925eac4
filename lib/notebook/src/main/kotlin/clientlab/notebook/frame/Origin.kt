package clientlab.notebook.frame

import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.name

/** The column with the origin of each row of a table. If all rows have the same origin, it is shown below the table. */
public const val ORIGIN: String = "origin"

/** Where a table comes from: the [runs], and the [words] that are shown below it. */
public data class Origin(val words: String, val runs: List<String> = emptyList()) {
    override fun toString(): String = words
}

/**
 * The origin of these trials as in a caption, such as `n = 10 forks a treatment, run 20261121-033050-e87d (commit 0123456 + changes), on an
 * unsettled machine: load 7.5 before the first trial`.
 */
public fun Trials<*>.origin(): String =
    "${forks()}, ${originOf(runs())}" + rows().toList().leftOutRounds().joinToString("") { "; left out: $it" }

/** The part of a caption after `n`: run, commit, whether the lab's files differed from it, and what unsettled the machine. */
public fun originOf(runs: List<String>): String {
    if (runs.isEmpty()) return "no run"
    val known = runs.map { Origins.of(it) }
    val named = "run " + known.joinToString { it.named }
    val unsettled = known.filter { it.unsettled.isNotEmpty() }
    if (unsettled.isEmpty()) return named
    val words = unsettled.map { it.unsettled }.distinct()
    val whose = if (known.size == unsettled.size && words.size == 1) "" else " in ${unsettled.joinToString { it.run }}"
    return "$named, on an unsettled machine$whose: ${words.joinToString(", ")}"
}

private fun Trials<*>.forks(): String {
    val forks = byTreatment().map { it.counted.size }
    return "n = ${fromTo(forks)} ${if ((forks.maxOrNull() ?: 0) == 1) "fork" else "forks"} a treatment"
}

/** The range of [counts], as in `5` or `4 to 5`. */
internal fun fromTo(counts: List<Int>): String = listOf(counts.minOrNull() ?: 0, counts.maxOrNull() ?: 0).distinct().joinToString(" to ")

/** The name under which the run with the id [run] is published, as in `threads-2026-11`; null where it is not. */
public fun publishedAs(run: String): String? = RunFolder.nameOf(run)

/** This table with the column [ORIGIN], if it was made from [trials]. */
public fun AnyFrame.from(vararg trials: Trials<*>): AnyFrame =
    from(Origin(trials.joinToString("; ") { it.origin() }, trials.flatMap { it.runs() }.distinct()))

/** This table with an origin that is known already. */
public fun AnyFrame.from(origin: Origin): AnyFrame = dataFrameOf(columns() + List(rowsCount()) { origin }.toColumn(ORIGIN))

/** The text of a caption about single runs. A run that has ended is read once. */
private object Origins {
    class Of(val run: String, val named: String, val unsettled: String)

    private val ended = ConcurrentHashMap<Path, Of>()

    fun of(run: String): Of {
        val folder = RunFolder.find(run) ?: return Of(run, run, "")
        ended[folder.path]?.let { return it }
        val manifest = folder.manifest
        val commit = manifest.commit?.let { "commit ${it.take(7)}${if (manifest.dirty == true) " + changes" else ""}" } ?: "no commit known"
        val unsettled = manifest.findings().filter { it.unsettles }.joinToString { it.clause }
        return Of(run, "$run ($commit)", unsettled).also { if (manifest.state != "running") ended[folder.path] = it }
    }
}
