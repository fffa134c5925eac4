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
    private val cio = MadeSeries.forks("ktor-cio") { MadeSeries(80.0, seconds = 120, firstP99Ms = 300.0, pileUpP99Ms = 900.0) }
    private val all = frame(cio, retrofit, jdk)

    @Test
    fun `the table has the quickest client first, with its costs at first and later`() {
        val rows = all.warmUps().rows().toList()
        rows.map { it["client"] } shouldContainExactly listOf("jdk", "retrofit", "ktor-cio")
        "${rows[0]["settledAfterSeconds"]}" shouldStartWith "20 ["
        "${rows[1]["settledAfterSeconds"]}" shouldStartWith "30 ["
        "${rows[2]["settledAfterSeconds"]}" shouldStartWith "80 ["
        "${rows[1]["firstCostMs"]}" shouldStartWith "2 ["
        "${rows[1]["laterCostMs"]}" shouldStartWith "0.50 ["
        "${rows[1]["firstByLater"]}" shouldStartWith "4 ["
        "${rows[1]["compilersCostMs"]}" shouldStartWith "1.60 ["
        "${rows[1]["worstP99Ms"]}" shouldStartWith "400 ["
        "${rows[2]["worstP99Ms"]}" shouldStartWith "900 ["
        "${rows[1]["laterP99Ms"]}" shouldStartWith "8 ["
    }

    @Test
    fun `the answer has the quickest, the slowest, the dearest and the longest wait`() {
        val answer = all.warmUpAnswer()
        answer shouldStartWith "A new instance costs at least a quarter more for 20 [10, 20] s (jdk) to 80 ["
        answer shouldContain "up to 4 [4, 4] times as much"
        answer shouldEndWith "more than 900 [900, 900] ms (ktor-cio)."
        answer.count { it == '\n' } shouldBe 0
        frame(MadeSeries.forks("jdk", forks = 1) { MadeSeries(5.0, seconds = 20) }).warmUpAnswer() shouldBe
            "No fork here ran for long enough to say what it costs later."
    }

    @Test
    fun `seconds until the cost has settled are dots behind an interval, sorted`() {
        val chart = all.settledChart()
        chart.title shouldBe "A fresh instance costs a quarter more than later for 20 s (jdk) to 80 s (ktor-cio)"
        (chart.y as CategoryAxis).order shouldContainExactly listOf("jdk", "retrofit", "ktor-cio")
        chart.marks.filterIsInstance<Points>().first().data.size shouldBe 24
        chart.marks.filterIsInstance<Labels>().single().data["text"] shouldContainExactly listOf("20", "30", "80")
        chart.subtitle shouldBe "fresh forks, 500 requests a second from the first one on, each answered after 5 ms"
        chart.caption shouldBe "n = 8 forks a point, medians with 95 % intervals; run $RUN"
        chart.isDrawn()
        frame(cio).settledChart().title shouldBe "A fresh ktor-cio costs a quarter more than later for 80 s"
    }

    @Test
    fun `the cost at first stands beside that of the compilers and that of later`() {
        val chart = all.warmUpCostChart()
        chart.title shouldBe "In the first ten seconds a request costs 2 to 4 times as much as later, and the compilers come on top"
        chart.facets.shouldNotBeNull().order shouldContainExactly
            listOf("client, first ten seconds", "compilers, first ten seconds", "client, later")
        chart.marks.filterIsInstance<Points>().first().data.size shouldBe 72
        chart.isDrawn()
        frame(retrofit).warmUpCostChart().title shouldBe "In the first ten seconds a request of retrofit costs 4 times as much as later"
    }

    @Test
    fun `an invalid trial is left out and named, and flat and slow series are taken`() {
        val invalid = MadeSeries.forks("jdk", forks = 1, outcome = Outcome.Invalid) { null }.map { it.copy(round = 9) }
        val flat = MadeSeries.forks("ktor-java") { MadeSeries(0.0, shape = "flat") }
        val chart = frame(jdk, invalid, flat).warmUpCostChart()
        chart.caption shouldEndWith "; left out: jdk, 1 of 9 trials invalid"
        frame(jdk, flat).warmUps().rows().first()["client"] shouldBe "ktor-java"
        frame(jdk, flat).settledChart().isDrawn()
    }

    @Test
    fun `a run without series, and a warm one, is refused in a sentence`() {
        val old = frame(MadeSeries.forks("jdk") { null })
        val warm = frame(MadeSeries.forks("jdk", start = "warm") { MadeSeries(0.0) })
        listOf(old, warm).forEach { trials ->
            listOf<() -> Any>(trials::warmUps, trials::warmUpAnswer, trials::settledChart, trials::warmUpCostChart).forEach { made ->
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
