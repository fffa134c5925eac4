package clientlab.articles.ledger

import clientlab.notebook.chart.*
import clientlab.notebook.claim.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test

class LedgerChartTest {
    private val ledger = ledger()
    private val chart = ledger.chart()
    private val points = chart.marks.filterIsInstance<Points>().single().data

    @Test
    fun `every claim has a mark in the row of its source, in the colour of its outcome`() {
        points["claim"].toSet() shouldBe ledger.verdicts.map { it.claim.id }.toSet()
        points.size shouldBe ledger.verdicts.size
        val outcomes = points["claim"].zip(points["outcome"]).toMap()
        ledger.verdicts.forEach { outcomes[it.claim.id] shouldBe "${it.outcome}" }
    }

    @Test
    fun `the sources come first, and the title counts their claims alone`() {
        val rows = (chart.y as CategoryAxis).order
        rows.take(5) shouldContainExactly (0..4).map { "source 00$it says" }
        rows.last() shouldBe "checks"
        val said = ledger.verdicts.filter { it.claim.block == Block.Says }
        chart.title shouldStartWith "Of ${said.size} claims of the sources, "
        chart.title shouldContain "${said.count { it.outcome == VerdictOutcome.Refuted }} are refuted"
    }
}
