package clientlab.articles.latency

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.claim.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.of
import clientlab.openloop.*
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

/** Every claim about latency, and its figures, against trials made by hand. */
class LatencyClaimsTest : HeldToTrials(latencyClaims) {
    private fun forks(
        client: String,
        p99: Double,
        rate: Int = 500,
        loop: String = "open",
        arrivals: String = "constant",
        sent: Double = p99,
        lag: Double = 0.2,
        share: Double = 1.0,
        experiment: String = "latency",
    ): List<Trial> =
        List(6) { round ->
            Trial(
                experiment = experiment,
                round = round,
                treatment =
                    Treatment(
                        Factor.CLIENT to client,
                        Factor.RATE to rate,
                        Factor.SECONDS to 5,
                        Factor.DELAY_MS to 5,
                        Factor.ARRIVALS to arrivals,
                        Factor.LOOP to loop,
                    ),
                warmup = false,
                outcome = Outcome.Complete,
                metrics =
                    mapOf(
                        "latencyP99Ms" to p99 + round / 100.0,
                        "sentLatencyP99Ms" to sent,
                        "generatorLagP99Ms" to lag,
                        "answeredShare" to share,
                        "requestsPerSecond" to rate * share,
                    ),
                curves = mapOf(
                    "latencyMs" to listOf(listOf(0.5, 5.0), listOf(0.99, p99)),
                    "sentLatencyMs" to listOf(listOf(0.5, 5.0), listOf(0.99, sent)),
                ),
            )
        }

    private fun paused(open: Double, closed: Double) =
        listOf("jdk", "okhttp").flatMap { forks(it, open) + forks(it, open, loop = "closed", sent = closed) }

    private fun arrivals(random: Double) = forks("jdk", 8.0) + forks("jdk", random, arrivals = "poisson")

    /** Answers 1,200 of 2,000 a second at most; late by [lag] at [rate], and by more at every other. */
    private fun half(lag: Double, rate: Int = 600) =
        forks("jdk", 9.0, rate = 1_000, lag = 9.0) + forks("jdk", 900.0, rate = 2_000, lag = 9.0, share = 0.6) +
            forks("jdk", 8.0, rate = rate, lag = lag, experiment = "latency-half")

    override val cases: Map<String, Case> =
        mapOf(
            "latency.theory" to Case(paused(905.0, 6.0), paused(20.0, 6.0)),
            "latency.omission" to Case(paused(905.0, 6.0), paused(905.0, 900.0)),
            "latency.random" to Case(arrivals(16.0), arrivals(4.0)),
            "latency.generator" to Case(half(lag = 0.3), half(lag = 3.0)),
            "latency.all" to Case(forks("jdk", 8.0), forks("jdk", 800.0, share = 0.7)),
            "latency.half" to Case(forks("jdk", 8.0), forks("jdk", 80.0)),
        )

    @Test
    fun `the generator is held to half of what a client answers, and to no other rate`() {
        verdictShouldBe(VerdictOutcome.Inconclusive, "latency.generator", half(lag = 0.3, rate = 500))
        verdictShouldBe(VerdictOutcome.Inconclusive, "latency.generator", half(lag = 0.3, rate = 1_000))
    }

    @Test
    fun `the figure says who falls behind first, and at which rate`() {
        val trials =
            forks("jdk", 8.0) + forks("jdk", 9.0, rate = 2_000) + forks("fuel", 8.0) + forks("fuel", 3_000.0, rate = 2_000, share = 0.6)
        of<OpenLoop>(*trials.toTypedArray()).latencyChart().title shouldBe "First to fall behind: fuel at 2000 requests a second"
        of<OpenLoop>(*forks("jdk", 8.0).toTypedArray()).latencyChart().title shouldBe "Every client keeps up with 500 requests a second"
    }

    @Test
    fun `many clients have a panel each, and the figure counts those that keep up`() {
        val trials = (1..8).flatMap {
            forks("client $it", 8.0) +
                forks("client $it", 3_000.0, rate = 1_000 * it, share = if (it < 5) 0.6 else 1.0)
        }
        val chart = of<OpenLoop>(*trials.toTypedArray()).latencyChart()
        chart.title shouldBe "4 of 8 clients keep up with 8000 requests a second; first behind: client 1 at 1000"
        chart.facets?.order shouldBe (1..8).map { "client $it" }
        chart.x.shouldBeInstanceOf<NumberAxis>().breaks shouldBe listOf(1_000, 4_000)
        of<OpenLoop>(*trials.take(12).toTypedArray()).latencyChart().facets shouldBe null
    }

    @Test
    fun `where all fall behind the figure names the first and the last`() {
        val trials = (1..4).flatMap { forks("client $it", 8.0) + forks("client $it", 3_000.0, rate = 1_000 * it, share = 0.6) }
        of<OpenLoop>(*trials.toTypedArray()).latencyChart().title shouldBe
            "All 4 clients fall behind, client 1 at 1000 requests a second, client 4 at 4000"
    }

    @Test
    fun `the table of saturation has the most that each answers, and half of it`() {
        val trials = forks("jdk", 9.0, rate = 1_000) + forks("jdk", 900.0, rate = 2_000, share = 0.6) + forks("okhttp", 9.0, rate = 2_000)
        val table = of<OpenLoop>(*trials.toTypedArray()).mostAnswered()
        table.rows().map { row -> listOf("client", "fallsBehindAt", "halfOfMost").map { row[it] } }.toSet() shouldBe
            setOf(listOf("jdk", "2000", 600), listOf("okhttp", "nowhere", 1_000))
    }

    @Test
    fun `the two loops stand beside each other, each by its own clock`() {
        of<OpenLoop>(*paused(905.0, 6.0).toTypedArray()).loopChart("okhttp").title shouldBe
            "99 % within 6 ms, says the closed loop; within 905 ms, says the open one"
    }
}
