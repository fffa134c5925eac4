package clientlab.notebook.compare

import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.output.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.jupyter.api.DisplayResult
import org.jetbrains.kotlinx.jupyter.api.mimeResult
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

/**
 * A candidate beside its base: every measure with its interval, and every situation in which they behave differently.
 *
 * @property base the id of one client, and [candidate] that of the other.
 * @property margin how far apart equals may be, as a factor that was set before: 1.1 for a tenth.
 */
public class Comparison internal constructor(
    public val base: String,
    public val candidate: String,
    internal val measured: List<Compared>,
    private val conduct: List<OtherConduct>?,
    private val margin: Double,
    private val runs: List<String>,
    private val lost: List<String> = emptyList(),
) : Shown {
    private val outcomes = measured.map { it.outcome } + conduct.orEmpty().map { it.outcome }

    /** Worse if anything is; otherwise undecided if anything is; otherwise better if anything is; otherwise equivalent. */
    public val outcome: CompareOutcome = listOf(CompareOutcome.Worse, CompareOutcome.Undecided, CompareOutcome.Better)
        .firstOrNull { it in outcomes } ?: CompareOutcome.Equivalent

    /** The outcome in a sentence. */
    public val finding: String
        get() {
            val named = measured.filter { it.outcome == outcome }.map { it.measure.what } +
                conduct.orEmpty().filter { it.outcome == outcome }.map { it.situation }
            val verb = if (outcome == CompareOutcome.Undecided) "cannot be told from" else "is $outcome than"
            return if (outcome == CompareOutcome.Equivalent) {
                "$candidate is equivalent to $base, within ${percent()} in each measure."
            } else {
                "$candidate $verb $base in ${named.size} of ${outcomes.size}: ${named.joinToString("; ")}."
            }
        }

    /** One page for a pull request, in Markdown. */
    public fun markdown(): String = buildString {
        appendLine("## $base → $candidate: $outcome").appendLine()
        appendLine(finding).appendLine()
        if (measured.isNotEmpty()) appendTable(MEASURES, measured.map { it.cells() })
        conduct?.let {
            if (it.isEmpty()) appendLine(SAME).appendLine() else appendTable(CONDUCT, it.map { seen -> seen.cells() })
        }
        lost.forEach { appendLine(it).appendLine() }
        appendLine(footer())
    }

    /** The same page as HTML that asks no other file. */
    public fun html(): String {
        val tables = listOfNotNull(
            measured.takeIf { it.isNotEmpty() }?.let { Html.table(MEASURES, it.map { row -> row.cells() }, setOf(1, 2, 3, 4)) },
            conduct?.let {
                if (it.isEmpty()) "<p>$SAME</p>" else Html.table(CONDUCT, it.map { row -> row.cells() }, emptySet())
            },
        )
        val title = Html.escape("$base → $candidate: $outcome")
        val notes = (lost + footer()).joinToString("\n") { "<p>${Html.escape(it)}</p>" }
        return "<h2>$title</h2>\n<p>${Html.escape(finding)}</p>\n${tables.joinToString("\n")}\n$notes"
    }

    /** Writes `compare.md` and `compare.html` into [folder]. */
    public fun write(folder: Path) {
        folder.createDirectories()
        folder.resolve("compare.md").writeText(markdown())
        val head = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>${Html.escape("$base → $candidate")}</title>"
        folder.resolve("compare.html").writeText("$head\n<body style=\"$LOOK\">\n${html()}\n</body></html>\n")
    }

    override fun shown(): DisplayResult = mimeResult("text/html" to html(), "text/plain" to markdown())

    override fun toString(): String = markdown()

    private fun footer(): String {
        val machine = RunFolder.withId(runs.first()).manifest.machine
        val pairs = measured
            .map { it.ratio.n }
            .filter { it > 0 }
            .minOrNull()
            ?.let { "At least $it pairs of fresh JVMs, $PAIRED. " }
            .orEmpty()
        return "${pairs}Equal is what differs by ${percent()} at most, set before. " +
            "${machine.cpu}, ${machine.cores} processors, Java ${machine.java}. Runs ${runs.joinToString()}."
    }

    private fun percent() = "${Estimate.rounded(Math.rint((margin - 1) * 100))} %"

    private fun Compared.cells() = listOf(measure.what, "$base", "$candidate", "$ratio", "$difference", "$outcome")

    private fun OtherConduct.cells() = listOf(situation, base, candidate, "$outcome")

    private fun StringBuilder.appendTable(head: List<String>, rows: List<List<String>>) {
        (listOf(head, head.map { "---" }) + rows).forEach { row ->
            appendLine(row.joinToString(" | ", "| ", " |") { it.replace("|", "\\|") })
        }
        appendLine()
    }

    private companion object {
        private const val SAME = "Both do the same in every situation of conduct."
        private const val PAIRED = "in the same rounds; medians with 95 % intervals"
        private const val LOOK = "font-family:sans-serif;max-width:60em;margin:2em auto"
        private val MEASURES = listOf("measure", "base", "candidate", "ratio", "difference", "outcome")
        private val CONDUCT = listOf("situation", "base", "candidate", "outcome")
    }
}
