package clientlab.notebook.stats

import clientlab.*
import clientlab.notebook.frame.*
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import kotlin.time.measureTimedValue

/** How long the statistics over 100,000 trials take here: printed, for a shared machine can promise nothing. */
@Tag("long")
class StatisticsTimeTest {
    private fun <T> timed(what: String, work: () -> T): T {
        val (cold, warm) = List(2) { measureTimedValue(work) }
        println("$what: ${cold.duration.inWholeMilliseconds} ms the first time, ${warm.duration.inWholeMilliseconds} ms the second")
        return warm.value
    }

    @Test
    fun `one treatment of 100,000 forks has every estimate`() {
        val draws = Draws(1)
        val (a, b) = List(2) { Shape.SKEWED.draw(draws, MANY) }
        timed("median of $MANY forks") { Bootstrap.median(a) }.n shouldBe MANY
        timed("mean") { Bootstrap.mean(a) }.n shouldBe MANY
        timed("ratio") { Bootstrap.ratio(a, b) }.n shouldBe MANY
        timed("difference") { Bootstrap.difference(a, b) }.n shouldBe MANY
        timed("Mann and Whitney") { Dominance.pValue(a, b) }.isNaN() shouldBe false
        timed("Cliff's delta") { Dominance.cliffsDelta(a, b) }.n shouldBe MANY
        timed("percentiles") { Percentiles(a) }.n shouldBe MANY.toLong()
        val points = ForkPoints(a.chunked(MANY / 1_000).withIndex().associate { (place, values) -> place to values })
        timed("slope of 1,000 points") { Slope.of(points) }.n shouldBe MANY / 1_000
    }

    @Test
    fun `100,000 trials of 500 treatments have their tables`() {
        val draws = Draws(2)
        val trials =
            (1..250).flatMap { level ->
                listOf("A", "A again").flatMap { alias -> List(MANY / 500) { round -> trial(level, alias, round, draws) } }
            }
        val frame = timed("frame of $MANY trials") { trials.toTrials("made") }
        timed("summary of five metrics") { frame.summary() }.rowsCount() shouldBe 500
        timed(
            "each level against itself by three metrics, by Holm",
        ) { frame.aa("durationMs", "rssBytes", "threadsNew") }.rowsCount() shouldBe
            750
        timed("pairs by one metric") { frame.pairs("durationMs", Factor.ALIAS) }.rowsCount() shouldBe 250
    }

    private fun trial(level: Int, alias: String, round: Int, draws: Draws) =
        Trial(
            "made",
            round,
            Treatment(Factor.CLIENT to "retrofit", Factor.IN_FLIGHT to level, Factor.ALIAS to alias),
            warmup = false,
            outcome = Outcome.Complete,
            metrics = METRICS.associateWith { Shape.NORMAL.draw(draws) },
        )

    private companion object {
        const val MANY = 100_000
        val METRICS = listOf("durationMs", "threadsBlocked", "activeUnparkedNew", "threadsNew", "rssBytes")
    }
}
