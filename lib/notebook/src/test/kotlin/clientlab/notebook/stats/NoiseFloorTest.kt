package clientlab.notebook.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class NoiseFloorTest {
    private fun estimate(low: Double, high: Double, n: Int = 20) = Estimate((low + high) / 2, low, high, n, "made")

    @Test
    fun `a floor of ratios reaches as far as the farthest end of any, and as many times down as up`() {
        val floor = NoiseFloor.ofRatios(listOf(estimate(0.99, 1.01), estimate(0.8, 1.05)), "made").shouldNotBeNull()
        floor.same shouldBe 1.0
        floor.high shouldBe (1.25 plusOrMinus 1e-12)
        floor.low shouldBe (0.8 plusOrMinus 1e-12)
        floor.toString() shouldBe "0.80 to 1.25"
    }

    @Test
    fun `a floor holds no difference at all even where a thing seems to differ from itself`() {
        val floor = NoiseFloor.ofRatios(listOf(estimate(1.02, 1.04)), "made").shouldNotBeNull()
        floor.low shouldBe (1 / 1.04 plusOrMinus 1e-12)
        floor.touches(estimate(1.0, 1.0)) shouldBe true
        floor.touches(estimate(1.05, 1.1)) shouldBe false
    }

    @Test
    fun `where one of two things may be nothing, a floor of ratios has no end`() {
        val floor = NoiseFloor.ofRatios(listOf(estimate(0.0, 1.0)), "made").shouldNotBeNull()
        floor.high shouldBe Double.POSITIVE_INFINITY
        floor.low shouldBe 0.0
        floor.touches(estimate(5.0, 6.0)) shouldBe true
    }

    @Test
    fun `a floor of differences reaches as far down as up`() {
        val floor = NoiseFloor.ofDifferences(listOf(estimate(-3.0, 1.0), estimate(-1.0, 2.0)), "made").shouldNotBeNull()
        listOf(floor.same, floor.low, floor.high) shouldBe listOf(0.0, -3.0, 3.0)
    }

    @Test
    fun `of nothing measured, or of one fork, there is no floor`() {
        NoiseFloor.ofRatios(emptyList(), "made") shouldBe null
        NoiseFloor.ofRatios(listOf(estimate(1.0, 1.0, n = 1)), "made") shouldBe null
        NoiseFloor.ofDifferences(listOf(estimate(Double.NaN, Double.NaN, n = 0)), "made") shouldBe null
    }
}
