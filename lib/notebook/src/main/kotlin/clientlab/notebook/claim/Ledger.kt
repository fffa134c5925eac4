package clientlab.notebook.claim

import clientlab.notebook.frame.*
import clientlab.notebook.output.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn
import kotlin.math.pow

/** Every claim with its verdict, computed from the published runs: block by block, and source by source within it. */
public class Ledger internal constructor(public val verdicts: List<Verdict>) {
    /** The number of claims per verdict: one row for each source of each block. */
    public fun count(): AnyFrame {
        val groups = groups()
        val counts = VerdictOutcome.entries.map { outcome ->
            groups.values.map { of -> of.count { it.outcome == outcome } }.toColumn("$outcome")
        }
        val names = listOf(groups.keys.map { "${it.first}" }.toColumn("block"), groups.keys.map { it.second }.toColumn("source"))
        return dataFrameOf(names + counts)
    }

    /** One row per claim: statement, the source's figure, our estimate with its interval, n, verdict, notebook and data. */
    public fun frame(): AnyFrame =
        dataFrameOf(
            verdicts.map { it.claim.id }.toColumn("claim"),
            verdicts.map { "${it.claim.block}" }.toColumn("block"),
            verdicts.map { it.claim.source }.toColumn("source"),
            verdicts.map { it.claim.words }.toColumn("words"),
            verdicts.map { it.claim.figure }.toColumn("figure"),
            verdicts.map { it.deciding?.let { part -> "${part.of}, ${part.metric}" }.orEmpty() }.toColumn("decidedBy"),
            verdicts.map { it.deciding?.estimate?.value }.toColumn("estimate"),
            verdicts.map { it.deciding?.estimate?.low }.toColumn("low"),
            verdicts.map { it.deciding?.estimate?.high }.toColumn("high"),
            verdicts.map { it.deciding?.estimate?.n ?: 0 }.toColumn("n"),
            verdicts.map { it.outcome.toString() }.toColumn("verdict"),
            verdicts.map { it.because }.toColumn("because"),
            verdicts.map { it.claim.notebook }.toColumn("notebook"),
            verdicts.map { it.registered }.toColumn("registered"),
            verdicts.map { it.days }.toColumn("days"),
            verdicts.map { it.claim.evidence.joinToString() }.toColumn("data"),
            verdicts.map { it.basis }.toColumn(ORIGIN),
        )

    /** How many claims chance alone would refute if all were true, and how many are refuted, in a sentence. */
    public fun chance(): String {
        val measured = verdicts.filter { verdict -> verdict.parts.any { it.byChance } }
        val expected = measured.sumOf { (ALPHA / 2).pow(1 + it.again.size) }
        val refuted = measured.count { it.outcome == VerdictOutcome.Refuted }
        return "If all ${measured.size} claims that forks decide were true, and days did not differ, chance would refute at most about " +
            "${Estimate.rounded(expected)} of them; $refuted are refuted."
    }

    public fun html(): String {
        val head = HEADER.joinToString("") { "<th style=\"text-align:left\">$it</th>" }
        return groups().entries.joinToString("\n") { (group, of) ->
            val (block, source) = group
            val title = "$block".replaceFirstChar(Char::uppercase) + if (source == Claim.BEYOND) "" else ": source $source"
            val rows = of.joinToString("\n", transform = ::row)
            "<h3>$title</h3>\n<table>\n<thead><tr>$head</tr></thead>\n<tbody>\n$rows\n</tbody>\n</table>"
        }
    }

    private fun row(verdict: Verdict): String {
        val claim = verdict.claim
        val deciding = verdict.deciding
        val decided = deciding?.let { "${it.of}, ${it.metric}: ${it.estimate}, bound ${it.bound}" } ?: claim.untestable.orEmpty()
        // Two hundred tables that can be sorted would take more than a tenth of a page's room, and those of other days a third.
        val days = if (verdict.again.isEmpty()) "" else ", on the first day"
        val details = "<details><summary>all ${verdict.parts.size} parts$days</summary>${verdict.partsTable(sorts = false)}</details>"
        val published = claim.evidence + verdict.again.flatMap { it.evidence }
        val links = published.joinToString(", ") { "<a href=\"../data/published/$it\">$it</a>" }
        val data = listOf(links, Html.escape(verdict.basis)).filter { it.isNotEmpty() }.joinToString(": ")
        val cells = listOf(
            "<code>${claim.id}</code>",
            Html.escape(claim.words),
            Html.escape(claim.figure),
            Html.escape(decided) + if (verdict.parts.size > 1) details else "",
            "${deciding?.estimate?.n ?: ""}",
            "<strong>${verdict.outcome}</strong>" + if (verdict.because.isEmpty()) "" else ": ${Html.escape(verdict.because)}",
            listOf("<a href=\"${claim.notebook}.ipynb\">${claim.notebook}</a>", data, Html.escape(verdict.registered), verdict.days)
                .filter { it.isNotEmpty() }
                .joinToString("; "),
        )
        return "<tr>${cells.joinToString("") { "<td style=\"text-align:left;vertical-align:top\">$it</td>" }}</tr>"
    }

    override fun toString(): String = verdicts.joinToString("\n") { it.line() }

    private fun groups() = verdicts.groupBy { it.claim.block to it.claim.source }

    private companion object {
        val HEADER = listOf("claim", "what it says", "the source's figure", "what decides it", "n", "verdict", "where")
    }
}

/** Every claim, or those about [topic], with the verdict from the published runs that decide it. */
public fun ledger(topic: String? = null): Ledger {
    val claims = Claims.all.filter { topic == null || it.id.startsWith("$topic.") }
    return Ledger(claims.sortedWith(compareBy({ it.block }, { it.source })).map { it.heldAgainst(null) })
}
