package clientlab.notebook.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class DominanceTest {
    private val low = listOf(1.0, 2.0, 3.0, 4.0, 5.0)
    private val high = listOf(6.0, 7.0, 8.0, 9.0, 10.0)

    @Test
    fun `five below five others is one order of 252, either way round`() {
        Dominance.pValue(low, high) shouldBe (2.0 / 252 plusOrMinus 1e-12)
        Dominance.pValue(high, low) shouldBe (2.0 / 252 plusOrMinus 1e-12)
    }

    @Test
    fun `of equal values nothing is likelier than that they are the same, and of none nothing is said`() {
        Dominance.pValue(listOf(3.0, 3.0), listOf(3.0, 3.0, 3.0)) shouldBe 1.0
        Dominance.pValue(low, low) shouldBe (1.0 plusOrMinus 1e-9)
        Dominance.pValue(low, emptyList()).isNaN() shouldBe true
    }

    @Test
    fun `of 1,000 runs that do not differ, five in a hundred seem to, or a few less`() {
        val draws = Draws(3)
        val wrong = (1..1_000).count { Dominance.pValue(Shape.SKEWED.draw(draws, 10), Shape.SKEWED.draw(draws, 10)) <= 0.05 }
        wrong shouldBeInRange 30..60
    }

    @Test
    fun `delta is the share of pairs one way less that the other way`() {
        // By hand: of 60 pairs the first is the larger in 17 and the smaller in 32; 11 are equal.
        val a = listOf(10.0, 10.0, 20.0, 20.0, 20.0, 30.0, 30.0, 30.0, 40.0, 50.0)
        val b = listOf(10.0, 20.0, 30.0, 40.0, 40.0, 50.0)
        Dominance.cliffsDelta(a, b).value shouldBe (-0.25 plusOrMinus 1e-12)
        Dominance.cliffsDelta(b, a).value shouldBe (0.25 plusOrMinus 1e-12)
        Dominance.cliffsDelta(a, b).n shouldBe 6
    }

    @Test
    fun `where every pair says the same, the interval ends at 1 and begins where the largest variance puts it`() {
        val delta = Dominance.cliffsDelta(high, low)
        delta.value shouldBe 1.0
        delta.high shouldBe 1.0
        // (n − t²) / (n + t²) with n = 5 and t = 2.306, Student's with 8 degrees.
        delta.low shouldBe (-0.0308 plusOrMinus 1e-3)
        Dominance.cliffsDelta(low, high).high shouldBe (-delta.low plusOrMinus 1e-12)
    }

    @Test
    fun `the interval turns with its sides and stays between the ends of the scale`() {
        val a = listOf(1.0, 2.0, 3.0, 4.0, 9.0)
        val b = listOf(5.0, 6.0, 7.0, 8.0)
        val (there, back) = Dominance.cliffsDelta(a, b) to Dominance.cliffsDelta(b, a)
        there.low shouldBe (-back.high plusOrMinus 1e-12)
        there.high shouldBe (-back.low plusOrMinus 1e-12)
        -1.0 shouldBeLessThan there.low
        there.low shouldBeLessThan there.value
        there.value shouldBeLessThan there.high
    }

    @Test
    fun `one fork says nothing, and none has no value`() {
        Dominance.cliffsDelta(listOf(2.0), low).let { it.low to it.high } shouldBe (-1.0 to 1.0)
        Dominance.cliffsDelta(emptyList(), low).n shouldBe 0
    }
}
