package clientlab.notebook.journal

import clientlab.Treatment
import java.nio.file.Path
import java.util.zip.GZIPInputStream
import java.util.zip.GZIPOutputStream
import kotlin.io.path.inputStream
import kotlin.io.path.outputStream
import kotlin.io.path.useLines

/** One stack of a profile, the thread's name first and the innermost frame last, with the samples or bytes that it was seen with. */
public data class Stack(val frames: List<String>, val weight: Long)

/** The profile of one fork, beside the journal: a compressed file of one line a stack, its frames divided by semicolons. */
public object ProfileFile {
    internal const val FOLDER = "profiles"

    /** Where the profile of round [round] of [treatment] is in a run's [folder]. */
    public fun path(folder: Path, round: Int, treatment: Treatment): Path =
        folder.resolve(FOLDER).resolve("%03d-%s.collapsed.gz".format(java.util.Locale.ROOT, round, treatment.key.replace(AWKWARD, "_")))

    /** Keeps what async-profiler wrote to [raw], with the stacks of like threads put together: they differ in a number alone. */
    internal fun keep(raw: Path, kept: Path) {
        val weights = sortedMapOf<String, Long>()
        raw.useLines { lines ->
            lines.filter { ' ' in it }.forEach { line ->
                weights.merge(alike(line.substringBeforeLast(' ')), line.substringAfterLast(' ').toLong(), Long::plus)
            }
        }
        GZIPOutputStream(kept.outputStream()).bufferedWriter().use { out ->
            weights.forEach { (stack, weight) ->
                out
                    .append(stack)
                    .append(' ')
                    .append(weight.toString())
                    .append('\n')
            }
        }
    }

    public fun read(path: Path): List<Stack> =
        GZIPInputStream(path.inputStream()).bufferedReader().useLines { lines ->
            lines.map { Stack(it.substringBeforeLast(' ').split(';'), it.substringAfterLast(' ').toLong()) }.toList()
        }

    /** Threads by the name of their kind, lambdas without the address that differs from fork to fork. */
    private fun alike(stack: String): String {
        val thread = stack.substringBefore(';').replace(THREAD_ID, "]").replace(DIGITS, "#")
        return (thread + stack.substring(stack.substringBefore(';').length)).replace(ADDRESS, "")
    }

    private val AWKWARD = Regex("[^A-Za-z0-9.=@-]+")
    private val THREAD_ID = Regex(" tid=\\d+]$")
    private val DIGITS = Regex("\\d+")
    private val ADDRESS = Regex("[./+]0x[0-9a-f]{6,}")
}
