package clientlab.notebook.stats

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.Random

class EquivalenceTest {
    private val equivalence = Equivalence()

    private fun estimate(value: Double, low: Double, high: Double, n: Int = 10) = Estimate(value, low, high, n, "made")

    @Test
    fun `intervals that lie within the bounds agree, however little they overlap`() {
        equivalence.of(estimate(100.0, 99.0, 101.0), estimate(110.0, 109.0, 111.0)) shouldBe Agreement.Agrees
    }

    @Test
    fun `intervals that lie beyond the bounds differ`() {
        equivalence.of(estimate(100.0, 99.0, 101.0), estimate(140.0, 139.0, 141.0)) shouldBe Agreement.Differs
        equivalence.of(estimate(140.0, 139.0, 141.0), estimate(100.0, 99.0, 101.0)) shouldBe Agreement.Differs
    }

    @Test
    fun `wide intervals decide nothing, and least of all that two runs agree`() {
        equivalence.of(estimate(100.0, 60.0, 160.0), estimate(100.0, 60.0, 160.0)) shouldBe Agreement.Undecided
    }

    @Test
    fun `counts that are the same in every fork agree, zero too`() {
        equivalence.of(estimate(500.0, 500.0, 500.0), estimate(500.0, 500.0, 500.0)) shouldBe Agreement.Agrees
        equivalence.of(estimate(0.0, 0.0, 0.0), estimate(0.0, 0.0, 0.0)) shouldBe Agreement.Agrees
    }

    @Test
    fun `where there is no ratio the difference decides`() {
        equivalence.of(estimate(0.0, 0.0, 0.0), estimate(3.0, 3.0, 3.0)) shouldBe Agreement.Differs
        equivalence.of(estimate(-10.0, -10.1, -9.9), estimate(-10.0, -10.1, -9.9)) shouldBe Agreement.Agrees
        equivalence.of(estimate(0.2, -0.4, 0.8), estimate(0.1, -0.5, 0.7)) shouldBe Agreement.Undecided
    }

    @Test
    fun `nothing agrees with nothing`() {
        val none = estimate(Double.NaN, Double.NaN, Double.NaN, n = 0)
        equivalence.of(none, none) shouldBe Agreement.Undecided
        equivalence.of(estimate(1.0, 1.0, 1.0), none) shouldBe Agreement.Undecided
    }

    @Test
    fun `the interval of the ratio is that of the logarithms`() {
        val ratio = equivalence.ratio(estimate(100.0, 100.0, 100.0), estimate(120.0, 110.0, 140.0))
        ratio.value shouldBe (1.2 plusOrMinus 1e-9)
        ratio.low shouldBe (1.1 plusOrMinus 1e-9)
        ratio.high shouldBe (1.4 plusOrMinus 1e-9)
    }

    @Test
    fun `two runs of the same thing are hardly ever said to differ, and mostly agree where forks are many and alike`() {
        val random = Random(7)

        fun run() = Bootstrap.median(List(10) { 100 + 5 * random.nextGaussian() }, seed = random.nextLong())
        val said = List(300) { equivalence.of(run(), run()) }
        said.count { it == Agreement.Differs } shouldBe 0
        said.count { it == Agreement.Agrees } shouldBeGreaterThan 280
    }

    @Test
    fun `a bound that holds nothing equal is refused`() {
        shouldThrow<IllegalArgumentException> { Equivalence(1.0) }
    }
}
