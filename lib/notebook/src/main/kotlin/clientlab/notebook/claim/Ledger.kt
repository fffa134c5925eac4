package clientlab.notebook.claim

import clientlab.notebook.frame.*
import clientlab.notebook.output.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** Every claim with its verdict, computed from the published runs: source by source, in the order of the sources. */
public class Ledger internal constructor(public val verdicts: List<Verdict>) {
    /** The number of claims per verdict. */
    public fun count(): AnyFrame {
        val outcomes = VerdictOutcome.entries
        return dataFrameOf(
            listOf(sources().toColumn("source")) +
                outcomes.map { outcome ->
                    sources().map { source -> verdicts.count { it.claim.source == source && it.outcome == outcome } }.toColumn("$outcome")
                },
        )
    }

    /** One row per claim: statement, the source's figure, our estimate with its interval, n, verdict, notebook and data. */
    public fun frame(): AnyFrame =
        dataFrameOf(
            verdicts.map { it.claim.id }.toColumn("claim"),
            verdicts.map { it.claim.source }.toColumn("source"),
            verdicts.map { it.claim.words }.toColumn("words"),
            verdicts.map { it.claim.figure }.toColumn("figure"),
            verdicts.map { it.deciding?.let { part -> "${part.of}, ${part.metric}" }.orEmpty() }.toColumn("decidedBy"),
            verdicts.map { it.deciding?.estimate?.value }.toColumn("estimate"),
            verdicts.map { it.deciding?.estimate?.low }.toColumn("low"),
            verdicts.map { it.deciding?.estimate?.high }.toColumn("high"),
            verdicts.map { it.deciding?.estimate?.n ?: 0 }.toColumn("n"),
            verdicts.map { it.outcome.toString() }.toColumn("verdict"),
            verdicts.map { it.claim.untestable ?: it.deciding?.because.orEmpty() }.toColumn("because"),
            verdicts.map { it.claim.notebook }.toColumn("notebook"),
            verdicts.map { it.claim.evidence.joinToString() }.toColumn("data"),
            verdicts.map { it.basis }.toColumn(ORIGIN),
        )

    public fun html(): String =
        sources().joinToString("\n") { source ->
            val rows = claimsOf(source).joinToString("\n", transform = ::row)
            "<h3>${claimsOf(source).first().claim.saidBy.replaceFirstChar(Char::uppercase)}</h3>\n<table>\n<thead><tr>${HEADER.joinToString(
                "",
            ) { "<th style=\"text-align:left\">$it</th>" }}</tr></thead>\n" +
                "<tbody>\n$rows\n</tbody>\n</table>"
        }

    private fun claimsOf(source: String) = verdicts.filter { it.claim.source == source }

    private fun row(verdict: Verdict): String {
        val claim = verdict.claim
        val decided = verdict.deciding?.let { "${it.of}, ${it.metric}: ${it.estimate}, bound ${it.bound}" } ?: claim.untestable.orEmpty()
        val all = if (verdict.parts.size > 1) {
            "<details><summary>all ${verdict.parts.size} parts</summary>${verdict.partsTable()}</details>"
        } else {
            ""
        }
        val links = claim.evidence.joinToString(", ") { "<a href=\"../data/published/$it\">$it</a>" }
        val data = listOf(links, Html.escape(verdict.basis)).filter { it.isNotEmpty() }.joinToString(": ")
        val cells =
            listOf(
                "<code>${claim.id}</code>",
                Html.escape(claim.words),
                Html.escape(claim.figure),
                Html.escape(decided) + all,
                "${verdict.deciding?.estimate?.n ?: ""}",
                "<strong>${verdict.outcome}</strong>" +
                    verdict.deciding
                        ?.because
                        ?.takeIf { it.isNotEmpty() }
                        ?.let { ": ${Html.escape(it)}" }
                        .orEmpty(),
                "<a href=\"${claim.notebook}.ipynb\">${claim.notebook}</a>; $data",
            )
        return "<tr>${cells.joinToString("") { "<td style=\"text-align:left;vertical-align:top\">$it</td>" }}</tr>"
    }

    override fun toString(): String = verdicts.joinToString("\n") { it.line() }

    private fun sources() = verdicts.map { it.claim.source }.distinct().sorted()

    private companion object {
        val HEADER = listOf("claim", "what it says", "the source's figure", "what decides it", "n", "verdict", "where")
    }
}

/** Every claim, or those about [topic], with the verdict from the published runs that decide it. */
public fun ledger(topic: String? = null): Ledger =
    Ledger(
        Claims.all
            .filter { topic == null || it.id.startsWith("$topic.") }
            .sortedBy { it.source }
            .map { it.heldAgainst(null) },
    )
