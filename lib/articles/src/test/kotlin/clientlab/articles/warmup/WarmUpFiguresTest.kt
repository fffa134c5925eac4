package clientlab.articles.warmup

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.claim.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import clientlab.openloop.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

/** The table, the sentence and the figures of fresh forks; they are what the notebook shows of its published run. */
class WarmUpFiguresTest {
    private fun frame(vararg of: List<Trial>): Trials<OpenLoop> = of.toList().flatten().toTrials(RUN).cast()

    private val jdk = MadeSeries.forks("jdk") { MadeSeries(12.0 + it / 2.0, firstP99Ms = 120.0, youngCpuMs = 1.0) }
    private val retrofit = MadeSeries.forks("retrofit") { MadeSeries(24.0) }
    private val cio = MadeSeries.forks("ktor-cio") { MadeSeries(if (it < 6) null else 40.0, firstP99Ms = 900.0) }
    private val all = frame(cio, retrofit, jdk)

    @Test
    fun `the table has the quickest client first, and says of a time that it is the least it can be`() {
        val rows = all.warmUps().rows().toList()
        rows.map { it["client"] } shouldContainExactly listOf("jdk", "retrofit", "ktor-cio")
        rows.map { it["steadyForks"] } shouldContainExactly listOf(8, 8, 2)
        "${rows[0]["steadyAfterSeconds"]}" shouldStartWith "13.8 ["
        "${rows[2]["steadyAfterSeconds"]}" shouldStartWith "at least 60 ["
        "${rows[1]["clientCpuSeconds"]}" shouldStartWith "24 ["
        "${rows[1]["compilersCpuSeconds"]}" shouldStartWith "19.2 ["
        "${rows[1]["firstSecondP99Ms"]}" shouldStartWith "400 ["
        "${rows[1]["steadyP99Ms"]}" shouldStartWith "8 ["
        "${rows[1]["youngCostBySteady"]}" shouldStartWith "4 ["
    }

    @Test
    fun `the answer is one sentence with the quickest, the slowest, the dearest and the longest first second`() {
        val answer = all.warmUpAnswer()
        answer shouldStartWith "A fresh fork of jdk is steady after 13.8 ["
        answer shouldContain "one of ktor-cio after at least 60 ["
        answer shouldContain "up to 900 [900, 900] ms (ktor-cio)"
        answer shouldEndWith "."
        answer.count { it == '\n' } shouldBe 0
        frame(MadeSeries.forks("jdk", forks = 1) { MadeSeries(null, seconds = 2, shape = null) }).warmUpAnswer() shouldBe
            "No fork here ran for long enough to say when it is steady."
    }

    @Test
    fun `seconds until steady are dots behind an interval, sorted, and forks that never got there are named`() {
        val chart = all.steadyAfterChart()
        chart.title shouldBe "jdk is steady first; most forks of ktor-cio never are"
        (chart.y as CategoryAxis).order shouldContainExactly listOf("jdk", "retrofit", "ktor-cio")
        chart.marks.filterIsInstance<Points>().first().data.size shouldBe 24
        chart.marks.filterIsInstance<Labels>().single().data["text"] shouldContainExactly listOf("13.8", "24", "60 (6 never)")
        chart.subtitle shouldBe "fresh forks, 500 requests a second from the first one on, each answered after 5 ms"
        chart.caption shouldBe "n = 8 forks a point, medians with 95 % intervals; run $RUN"
        chart.isDrawn()
        frame(jdk, retrofit).steadyAfterChart().title shouldBe "Of the clients jdk is steady first, and retrofit last"
        frame(cio).steadyAfterChart().title shouldBe "A fresh ktor-cio needs 60 s to get steady"
    }

    @Test
    fun `what is burnt until steady has a panel for the client and one for the compilers`() {
        val chart = all.burntChart()
        chart.title shouldBe "Until steady, the compilers take more time than jdk"
        chart.facets.shouldNotBeNull().order shouldContainExactly listOf("client", "compilers")
        chart.marks.filterIsInstance<Points>().first().data.size shouldBe 48
        chart.isDrawn()
        frame(retrofit).burntChart().title shouldBe "Until steady, every client takes more time than the compilers"
        frame(jdk).burntChart().title shouldBe "Until steady, the compilers take more time than every client"
    }

    @Test
    fun `an invalid trial is left out and named, and flat and slow series are taken`() {
        val invalid = MadeSeries.forks("jdk", forks = 1, outcome = Outcome.Invalid) { null }.map { it.copy(round = 9) }
        val flat = MadeSeries.forks("ktor-java") { MadeSeries(0.0, shape = "flat") }
        val chart = frame(jdk, invalid, flat).burntChart()
        chart.caption shouldEndWith "; left out: jdk, 1 of 9 trials invalid"
        frame(jdk, flat).warmUps().rows().first()["client"] shouldBe "ktor-java"
        frame(jdk, flat).steadyAfterChart().isDrawn()
    }

    @Test
    fun `a run without series, and a warm one, is refused in a sentence`() {
        val old = frame(MadeSeries.forks("jdk") { null })
        val warm = frame(MadeSeries.forks("jdk", start = "warm") { MadeSeries(0.0) })
        listOf(old, warm).forEach { trials ->
            listOf<() -> Any>(trials::warmUps, trials::warmUpAnswer, trials::steadyAfterChart, trials::burntChart).forEach { made ->
                shouldThrow<LabException> { made() }.message shouldContain "start = listOf(Start.Cold)"
            }
        }
    }

    @Test
    fun `every cell of the notebook that reads the run works on made trials`() {
        all.seriesChart("p99Ms", seconds = 30).isDrawn()
        all.seriesChart("compilersProcessors").isDrawn()
        all.shapes().rowsCount() shouldBe 3
        all.series().filter { it["client"] == "jdk" && (it["second"] as Double) <= 5.0 }.rowsCount() shouldBe 80
        all.summary("latencyP99Ms", "requestCpuMs").rowsCount() shouldBe 3
        warmUpClaims.forEach { verdict(it, all).toString() shouldContain it.id }
    }

    private fun Chart.isDrawn() {
        isEmpty shouldBe false
        chartRenderer().render(this).svg shouldStartWith "<svg"
    }

    private companion object {
        const val RUN = "20261121-120000-abcd"
    }
}
