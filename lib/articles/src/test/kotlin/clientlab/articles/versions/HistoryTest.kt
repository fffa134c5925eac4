package clientlab.articles.versions

import clientlab.notebook.chart.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test

class HistoryTest {
    @Test
    fun `every finding is a claim of the ledger, and has several releases`() {
        Claims.all.map { it.id } shouldContainAll findings.map { it.claim }
        findings.forEach { finding ->
            withClue("${finding.subject} ${finding.words}") { finding.releases(published(finding.run)).size shouldBeGreaterThan 1 }
        }
    }

    @Test
    fun `where its makers name a change, the finding changes`() {
        findings.forEach { finding ->
            val changes = finding.releases(published(finding.run)).map { it.second }.distinct().size > 1
            if (finding.entry.isNotEmpty()) withClue("${finding.subject} ${finding.words}") { changes shouldBe true }
        }
    }

    @Test
    fun `the figure has those that change on top, and says until when each held`() {
        val chart = historyChart()
        val rows = chart.y.shouldBeInstanceOf<CategoryAxis>().order
        val changing = findings.filter { finding -> finding.releases(published(finding.run)).map { it.second }.distinct().size > 1 }
        val names = changing.map { it.line }
        rows.map { it !in names }.shouldBeSorted()
        chart.alt shouldContain "okhttp is late while a shorter time-out runs: from 5.3.0 to 5.3.1"
    }
}
