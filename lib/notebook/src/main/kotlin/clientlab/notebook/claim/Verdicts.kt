package clientlab.notebook.claim

import clientlab.notebook.frame.*
import clientlab.notebook.output.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** Several verdicts, shown as a table with the deciding part of each. */
public class Verdicts internal constructor(public val all: List<Verdict>) {
    /** One row per claim: its words, the source's figure, the deciding part, its bound, n and the verdict. */
    public fun frame(): AnyFrame =
        dataFrameOf(
            all.map { it.claim.id }.toColumn("claim"),
            all.map { it.claim.words }.toColumn("words"),
            all.map { it.claim.figure }.toColumn("source"),
            all.map(::decidedBy).toColumn("decidedBy"),
            all
                .map {
                    it.deciding
                        ?.bound
                        ?.toString()
                        .orEmpty()
                }.toColumn("bound"),
            all.map { it.deciding?.estimate?.n ?: 0 }.toColumn("n"),
            all.map { it.words }.toColumn("verdict"),
            all.map { it.basis }.toColumn(ORIGIN),
        )

    internal fun html(): String {
        val rows = all.map {
            listOf(
                it.claim.id,
                it.claim.words,
                it.claim.figure,
                decidedBy(it),
                it.deciding
                    ?.bound
                    ?.toString()
                    .orEmpty(),
                "${it.deciding?.estimate?.n ?: 0}",
                it.words,
            )
        }
        return Html.table(HEADER, rows, right = setOf(5), more = all.map { it.basis }.distinct().joinToString("; "))
    }

    override fun toString(): String = all.joinToString("\n") { verdict -> "${verdict.line()}\n  ${decidedBy(verdict)}${because(verdict)}" }

    private fun because(verdict: Verdict) = verdict.deciding
        ?.because
        .orEmpty()
        .let { if (it.isEmpty()) "" else ": $it" }

    private fun decidedBy(verdict: Verdict) = verdict.deciding?.let { "${it.of}, ${it.metric}: ${it.estimate}" }.orEmpty()

    private companion object {
        val HEADER = listOf("claim", "words", "source", "decided by", "bound", "n", "verdict")
    }
}
