package clientlab.notebook.figure

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.trial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.concat
import org.junit.jupiter.api.Test

class DriftChartsTest {
    private fun drifting(client: String, by: Double, inFlight: Int = 100) =
        List(10) { trial(client, inFlight, round = it, metrics = mapOf("durationMs" to 2000.0 + by * it + 7 * ((it * 7) % 10))) }

    private fun frame(vararg of: List<clientlab.Trial>): Trials<*> = of.toList().flatten().toTrials(MadeTrials.RUN)

    @Test
    fun `the title names the one treatment that drifts, and a panel has its change and p`() {
        val chart = frame(drifting("retrofit", 40.0), drifting("fuel", 0.0)).driftChart()
        chart.title shouldStartWith "durationMs of retrofit drifts by +"
        val panels = chart.facets.shouldNotBeNull().order
        panels.map { it.substringBefore(':') } shouldBe listOf("retrofit", "fuel")
        panels.first() shouldContain ", p = "
        chart.caption shouldBe "n = 10 forks a panel; run ${MadeTrials.RUN}"
        chart.alt shouldContain "fuel: "
    }

    @Test
    fun `every trial is a dot at its round, in percent of its treatment's median, and the line goes from first to last`() {
        val chart = frame(List(5) { trial("fuel", round = it, metrics = mapOf("durationMs" to 1000.0 + 100 * it)) }).driftChart()
        val points = chart.marks.filterIsInstance<Points>().single().data
        points["round"] shouldBe listOf(1, 2, 3, 4, 5)
        points["percent"].map { Math.round(it as Double) } shouldBe listOf(83L, 92L, 100L, 108L, 117L)
        val line = chart.marks.filterIsInstance<Lines>().single().data
        line["round"] shouldBe listOf(1, 5)
        line["percent"].map { Math.round(it as Double) } shouldBe listOf(83L, 117L)
    }

    @Test
    fun `of many treatments those with the least p are drawn, in their order, and the caption says how many`() {
        val steady = (1..14).map { drifting("jdk", 0.0, it * 10) }.toTypedArray()
        val chart = frame(drifting("fuel", 40.0, 500), *steady).driftChart()
        chart.facets.shouldNotBeNull().order shouldHaveSize MOST_PANELS
        chart.facets.shouldNotBeNull().order.first() shouldStartWith "fuel, 500 in flight: +"
        chart.caption shouldContain "the $MOST_PANELS of 15 treatments with the least p"
    }

    @Test
    fun `what no rounds could show is said, and one round is drawn as nothing`() {
        val few = frame(List(3) { trial("fuel", round = it, metrics = mapOf("durationMs" to 2000.0 + it)) })
        few.driftChart().title shouldBe "With so few rounds no drift of durationMs could be told from chance"
        frame(drifting("fuel", 0.0)).driftChart().title shouldBe "durationMs drifts in no treatment"
        frame(listOf(trial("fuel"))).driftChart().isEmpty shouldBe true
    }

    @Test
    fun `several runs have no common course`() {
        val both: Trials<*> = listOf(
            listOf(trial("fuel"), trial("fuel", round = 1)).toTrials("a"),
            listOf(trial("fuel"), trial("fuel", round = 1)).toTrials("b"),
        ).concat()
            .cast()
        shouldThrow<LabException> { both.driftChart() }.message shouldBe
            "These trials are of 2 runs; filter them by run, for a drift is within one."
    }
}
