package clientlab.notebook.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import org.apache.commons.rng.simple.RandomSource
import org.apache.commons.statistics.distribution.NormalDistribution
import org.junit.jupiter.api.Test

class SlopeTest {
    private val line = ForkPoints(mapOf(0 to listOf(3.0, 3.0), 1 to listOf(5.0, 5.0), 10 to listOf(23.0, 23.0)))

    @Test
    fun `a line has its slope and its beginning, and no doubt about them`() {
        line.slope() shouldBe (2.0 plusOrMinus 1e-12)
        line.intercept() shouldBe (3.0 plusOrMinus 1e-12)
        val slope = Slope.of(line)
        slope.low shouldBe (2.0 plusOrMinus 1e-12)
        slope.high shouldBe (2.0 plusOrMinus 1e-12)
        slope.n shouldBe 2
    }

    @Test
    fun `the slope is that of least squares`() {
        // Longley-like by hand: x 1, 2, 3, 4 and y 6, 5, 7, 10 have the slope 1.4 and begin at 3.5.
        val points = ForkPoints(mapOf(1 to listOf(6.0), 2 to listOf(5.0), 3 to listOf(7.0), 4 to listOf(10.0)))
        points.slope() shouldBe (1.4 plusOrMinus 1e-12)
        points.intercept() shouldBe (3.5 plusOrMinus 1e-12)
    }

    @Test
    fun `one fork has an estimate without an interval, and one point has none`() {
        val single = Slope.of(ForkPoints(mapOf(0 to listOf(1.0), 2 to listOf(5.0))))
        listOf(single.low, single.value, single.high) shouldBe listOf(2.0, 2.0, 2.0)
        Slope.of(ForkPoints(mapOf(5 to listOf(1.0, 2.0)))).n shouldBe 0
        Slope.of(ForkPoints(mapOf(5 to listOf(1.0, 2.0), 6 to emptyList()))).n shouldBe 0
    }

    @Test
    fun `the same seed gives the same interval`() {
        val points = noisy(7, 5)
        Slope.of(points) shouldBe Slope.of(points)
    }

    @Test
    fun `a ratio of a mechanism with itself includes one, and that of twice as much does not`() {
        val same = Slope.ratio(noisy(1, 8), noisy(2, 8))
        same.low shouldBeLessThan 1.0
        same.high shouldBeGreaterThan 1.0
        Slope.ratio(noisy(1, 8, slope = 2.0), noisy(2, 8)).low shouldBeGreaterThan 1.5
    }

    @Test
    fun `fewer values have their ends farther out`() {
        Resampled.tail(5) shouldBeLessThan Resampled.tail(10)
        Resampled.tail(1_000) shouldBe (0.025 plusOrMinus 0.0005)
    }

    @Test
    fun `of a hundred runs with five forks a point, at least ninety intervals hold the true slope`() {
        val held = (1..100).count { seed -> Slope.of(noisy(seed.toLong(), 5)).let { 1.0 in it.low..it.high } }
        held shouldBeGreaterThanOrEqual 90
    }

    private fun noisy(seed: Long, forks: Int, slope: Double = 1.0): ForkPoints {
        val sampler = NormalDistribution.of(0.0, 5.0).createSampler(RandomSource.XO_RO_SHI_RO_128_PP.create(seed))
        return ForkPoints(listOf(0, 10, 50, 100).associateWith { x -> List(forks) { x * slope + sampler.sample() } })
    }
}
