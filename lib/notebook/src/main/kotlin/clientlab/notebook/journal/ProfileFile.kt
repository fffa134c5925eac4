package clientlab.notebook.journal

import clientlab.*
import java.nio.file.Path
import java.util.Locale
import java.util.zip.GZIPInputStream
import java.util.zip.GZIPOutputStream
import kotlin.io.path.inputStream
import kotlin.io.path.outputStream
import kotlin.io.path.useLines

/** One stack of a profile, the thread's name first and the innermost frame last, with its number of samples or bytes. */
public data class Stack(val frames: List<String>, val weight: Long)

/** The profile of one fork, beside the journal: a compressed file with one line per stack and its frames separated by semicolons. */
public object ProfileFile {
    internal const val FOLDER = "profiles"

    /** The file of the profile of round [round] of [treatment] in a run's [folder]. */
    public fun path(folder: Path, round: Int, treatment: Treatment): Path =
        folder.resolve(FOLDER).resolve("%03d-%s.collapsed.gz".format(Locale.ROOT, round, treatment.key.replace(AWKWARD, "_")))

    /** Keeps the profile that async-profiler wrote to [raw]. Stacks of threads whose names differ in a number alone are added up. */
    internal fun keep(raw: Path, kept: Path) {
        val weights = sortedMapOf<String, Long>()
        raw.useLines { lines ->
            lines.filter { ' ' in it }.forEach { line ->
                weights.merge(alike(line.substringBeforeLast(' ')), line.substringAfterLast(' ').toLong(), Long::plus)
            }
        }
        GZIPOutputStream(kept.outputStream()).bufferedWriter().use { out ->
            weights.forEach { (stack, weight) -> out.write("$stack $weight\n") }
        }
    }

    public fun read(path: Path): List<Stack> = GZIPInputStream(path.inputStream()).bufferedReader().useLines { lines ->
        lines.map { Stack(it.substringBeforeLast(' ').split(';'), it.substringAfterLast(' ').toLong()) }.toList()
    }

    /** Names threads without their number, and lambdas without the address that differs between forks. */
    private fun alike(stack: String): String {
        val thread = stack.substringBefore(';').replace(THREAD_ID, "]").replace(DIGITS, "#")
        return stack.replaceBefore(';', thread, missingDelimiterValue = thread).replace(ADDRESS, "")
    }

    private val AWKWARD = Regex("[^A-Za-z0-9.=@-]+")
    private val THREAD_ID = Regex(" tid=\\d+]$")
    private val DIGITS = Regex("\\d+")
    private val ADDRESS = Regex("[./+]0x[0-9a-f]{6,}")
}
