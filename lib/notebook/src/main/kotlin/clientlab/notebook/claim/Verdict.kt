package clientlab.notebook.claim

import clientlab.Refusal
import clientlab.notebook.Html
import clientlab.notebook.frame.Trials
import clientlab.notebook.frame.runs
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** How a claim stands; of several parts the worst counts, and refuted is the worst. */
public enum class VerdictOutcome {
    Supported,
    Inconclusive,
    Refuted,
    ;

    override fun toString(): String = name.lowercase()
}

/** A claim held against trials. */
public class Verdict internal constructor(
    public val claim: Claim,
    public val parts: List<Part>,
    public val runs: List<String>,
) {
    /** The worst of the parts; inconclusive where there is none. */
    public val outcome: VerdictOutcome get() = parts.maxOfOrNull { it.outcome } ?: VerdictOutcome.Inconclusive

    private val run get() = "run ${runs.joinToString()}"
    private val header = listOf("of", "measured", "bound", "estimate [95 % interval]", "n", "verdict")

    private fun cells() =
        parts.map { part ->
            val verdict = if (part.because.isEmpty()) part.outcome.toString() else "${part.outcome}: ${part.because}"
            listOf(part.of, part.metric, part.bound.toString(), part.estimate.toString(), part.estimate.n.toString(), verdict)
        }

    internal fun html(): String =
        "<p><strong>${claim.id}: $outcome.</strong> ${Html.escape(
            claim.words,
        )} <em>Source ${claim.source}: ${Html.escape(claim.figure)}.</em></p>\n" +
            Html.table(header, cells(), right = setOf(4), more = run)

    override fun toString(): String =
        buildString {
            appendLine("${claim.id}: $outcome. ${claim.words} (source ${claim.source}: ${claim.figure}; $run)")
            cells().forEach { (of, measured, bound, estimate, n, verdict) ->
                appendLine("  $of, $measured: $estimate, bound $bound, n = $n: $verdict")
            }
        }.trimEnd()

    private operator fun <T> List<T>.component6() = this[5]
}

/** Holds the claim [id] against [trials]; fails for an id that no source's file has, and lists those there are. */
public fun verdict(id: String, trials: Trials): Verdict {
    val claim =
        Claims.all.firstOrNull { it.id == id } ?: throw Refusal("No claim '$id'. Known claims: ${Claims.all.joinToString { it.id }}.")
    return Verdict(claim, claim.parts(trials), trials.runs())
}

/** All claims that [trials] can say something about, a row each; with [topic] those of one topic only. */
public fun verdicts(trials: Trials, topic: String = "threads"): AnyFrame {
    val verdicts = Claims.all.filter { it.id.startsWith("$topic.") }.map { verdict(it.id, trials) }.filter { v ->
        v.parts.any {
            it.estimate.n >
                0
        }
    }
    return dataFrameOf(
        verdicts.map { it.claim.id }.toColumn("claim"),
        verdicts.map { it.claim.words }.toColumn("words"),
        verdicts.map { it.claim.figure }.toColumn("source"),
        verdicts.map { v -> deciding(v).let { "${it.of}: ${it.estimate}" } }.toColumn("decidedBy"),
        verdicts.map { v -> deciding(v).bound.toString() }.toColumn("bound"),
        verdicts.map { v -> v.parts.filter { it.estimate.n > 0 }.minOf { it.estimate.n } }.toColumn("n"),
        verdicts.map { it.outcome.toString() }.toColumn("verdict"),
    )
}

/** The part that makes the verdict what it is. */
private fun deciding(verdict: Verdict): Part = verdict.parts.first { it.outcome == verdict.outcome }
