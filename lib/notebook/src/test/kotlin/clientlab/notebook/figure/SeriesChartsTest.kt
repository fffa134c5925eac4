package clientlab.notebook.figure

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.of
import clientlab.openloop.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test

/** Figures of loads over time, and of young forks beside steady ones. */
class SeriesChartsTest {
    private fun frame(vararg of: List<Trial>): Trials<OpenLoop> = of<OpenLoop>(*of.toList().flatten().toTypedArray())

    private val two = frame(
        MadeSeries.forks("jdk") { MadeSeries(10.0, firstP99Ms = 100.0) },
        MadeSeries.forks("okhttp") { MadeSeries(20.0, firstP99Ms = 900.0) },
    )

    @Test
    fun `each client has a panel with a thin line for each fork and their median in front`() {
        val chart = two.seriesChart(seconds = 30)
        chart.title shouldBe "okhttp changes most: its 99th percentile falls from 900 to 8 ms"
        chart.facets.shouldNotBeNull().order shouldBe listOf("okhttp", "jdk")
        val (forks, median) = chart.marks.filterIsInstance<Lines>()
        (forks.thin to median.thin) shouldBe (true to false)
        forks.data.size shouldBe 2 * 8 * 60
        median.data.size shouldBe 2 * 60
        median.data["second"].mapNotNull { it as Double? }.max() shouldBe 30.0
        chart.subtitle shouldBe "500 requests a second, each answered after 5 ms, cold forks"
        chart.caption shouldBe "n = 8 forks a panel, a thin line each; thick: their median in each interval; run ${MadeTrials.RUN}"
        chart.isDrawn()
    }

    @Test
    fun `the compilers' load and the cost of a request are drawn from zero`() {
        listOf("compilersProcessors" to "compilers' load", "requestCpuMs" to "processor time per request").forEach { (column, words) ->
            val chart = two.seriesChart(column)
            chart.title shouldContain " changes most: its $words falls from "
            (chart.y as NumberAxis).scale shouldBe NumberScale.LINEAR
            chart.isDrawn()
        }
    }

    @Test
    fun `of many treatments six are drawn, and the caption says so`() {
        val clients = listOf("retrofit", "okhttp", "ktor-okhttp", "ktor-cio", "ktor-java", "jdk", "fuel")
        val chart = frame(*clients.map { id -> MadeSeries.forks(id, forks = 1) { MadeSeries(10.0) } }.toTypedArray()).seriesChart()
        chart.facets.shouldNotBeNull().order shouldHaveSize 6
        chart.caption shouldContain "the first 6 of 7 treatments"
    }

    @Test
    fun `a run without series and an unknown column are refused in a sentence`() {
        val old = frame(MadeSeries.forks("jdk") { null })
        shouldThrow<LabException> { old.seriesChart() }.message shouldContain "No trial here has a series over time"
        shouldThrow<LabException> { two.seriesChart("p100Ms") }.message shouldBe
            "'p100Ms' is no column to draw over time; p50Ms, p99Ms, requestCpuMs, answers and compilersProcessors are."
    }

    private fun loads(start: String, p99: Double, cpu: Double, steady: Double = 1.0) =
        MadeSeries.forks("ktor-java", start, metrics = { round ->
            mapOf("latencyP99Ms" to p99 + round, "requestCpuMs" to cpu, "steady" to if (round == 0) steady else 1.0)
        }) { MadeSeries(10.0) }

    @Test
    fun `young and steady forks stand side by side, by latency and by cost`() {
        val chart = frame(loads("cold", 1_600.0, 1.1), loads("steady", 8.0, 0.4, steady = 0.0)).youngAndSteadyChart()
        chart.title shouldStartWith "A young ktor-java is at least 1"
        chart.title shouldEndWith " times as slow as a steady one"
        (chart.y as CategoryAxis).order shouldBe listOf("ktor-java, cold", "ktor-java, steady")
        chart.facets.shouldNotBeNull().order shouldBe listOf("latency at the 99th percentile, ms", "processor time per request, ms")
        chart.caption shouldEndWith "; left out: ktor-java, 1 of 16 trials not steady"
        chart.marks.filterIsInstance<Points>().first().data.size shouldBe 2 * (8 + 7)
        chart.isDrawn()
    }

    @Test
    fun `one start alone has nothing beside it`() {
        shouldThrow<LabException> { frame(loads("cold", 1_600.0, 1.1)).youngAndSteadyChart() }.message shouldBe
            "Young and steady trials are compared here, and there are no steady ones: run a load with start = listOf(Start.Cold, Start.Steady)."
    }

    @Test
    fun `where no fork got steady the figure says so, and shows the young ones`() {
        val never = loads("steady", 8.0, 0.4).map { it.copy(metrics = it.metrics + ("steady" to 0.0)) }
        val chart = frame(loads("cold", 1_600.0, 1.1), never).youngAndSteadyChart()
        chart.title shouldBe "No fork here got steady, so there is nothing to compare with"
        chart.caption shouldEndWith "; left out: ktor-java, 8 of 16 trials not steady"
    }

    private fun Chart.isDrawn() {
        isEmpty shouldBe false
        chartRenderer().render(this).svg shouldStartWith "<svg"
    }
}
