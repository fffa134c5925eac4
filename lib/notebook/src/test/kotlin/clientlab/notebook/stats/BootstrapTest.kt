package clientlab.notebook.stats

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import java.util.Random

class BootstrapTest {
    private fun Estimate.shouldBeAbout(value: Double, low: Double, high: Double) {
        withClue(toString()) {
            this.value shouldBe (value plusOrMinus 1e-12)
            this.low shouldBe (low plusOrMinus 1e-12)
            this.high shouldBe (high plusOrMinus 1e-12)
        }
    }

    @Test
    fun `of constant data the interval is the constant`() {
        Bootstrap.median(List(7) { 3.5 }).shouldBeAbout(3.5, 3.5, 3.5)
        Bootstrap.mean(List(7) { 3.5 }).shouldBeAbout(3.5, 3.5, 3.5)
        Bootstrap.ratio(List(7) { 6.0 }, List(5) { 2.0 }).shouldBeAbout(3.0, 3.0, 3.0)
    }

    @Test
    fun `medians are those that a hand finds`() {
        Bootstrap.median(listOf(100.0, 1.0, 3.0, 2.0, 4.0)).value shouldBe 3.0
        Bootstrap.median(listOf(4.0, 1.0, 3.0, 2.0)).value shouldBe 2.5
        Bootstrap.mean(listOf(4.0, 1.0, 3.0, 2.0)).value shouldBe 2.5
        Bootstrap.ratio(listOf(10.0, 20.0, 90.0), listOf(4.0, 5.0, 6.0)).value shouldBe 4.0
    }

    @Test
    fun `the interval of many values lies about their middle, in whatever order they come`() {
        // Ranks 50 and 71 of 120 enclose the true median in 95 of 100 cases, by the binomial distribution.
        listOf((1..120).toList(), (120 downTo 1).toList(), (1..120).shuffled(Random(7))).forEach { values ->
            val found = Bootstrap.median(values.map { it.toDouble() })
            withClue(found) {
                found.value shouldBe 60.5
                found.low shouldBe (50.0 plusOrMinus 1.5)
                found.high shouldBe (71.0 plusOrMinus 1.5)
            }
        }
    }

    @Test
    fun `the interval of five forks spans them all, for a resample has its median at the least of them in 5,8 of 100`() {
        Bootstrap.median(listOf(1.0, 2.0, 3.0, 4.0, 5.0)).shouldBeAbout(3.0, 1.0, 5.0)
    }

    @Test
    fun `the interval of nine forks leaves out the first and the last, for a resample has its median there in less than 1 of 100`() {
        val nine = Bootstrap.median((1..9).map { it.toDouble() })
        withClue(nine.toString()) {
            nine.value shouldBe 5.0
            nine.low shouldBeGreaterThan 1.0
            nine.high shouldBeLessThan 9.0
            nine.low shouldBeLessThan 5.0
            nine.high shouldBeGreaterThan 5.0
        }
    }

    @Test
    fun `the interval contains the estimate`() {
        val random = Random(7)
        repeat(50) {
            val values = List(6) { random.nextGaussian() * 10 + 50 }
            listOf(Bootstrap.median(values), Bootstrap.mean(values), Bootstrap.ratio(values, values.reversed())).forEach { estimate ->
                withClue("${estimate.method} of $values: $estimate") {
                    estimate.value shouldBeGreaterThanOrEqual estimate.low
                    estimate.value shouldBeLessThanOrEqual estimate.high
                }
            }
        }
    }

    @Test
    fun `the same seed gives the same interval, and another seed another`() {
        val values = List(12) { Random(it.toLong()).nextGaussian() }
        Bootstrap.mean(values, seed = 1) shouldBe Bootstrap.mean(values, seed = 1)
        Bootstrap.mean(values, seed = 1) shouldNotBe Bootstrap.mean(values, seed = 2)
    }

    @Test
    fun `one fork is its own interval`() {
        val one = Bootstrap.median(listOf(7.0))
        one.shouldBeAbout(7.0, 7.0, 7.0)
        one.n shouldBe 1
    }

    @Test
    fun `of no forks nothing is said`() {
        listOf(Bootstrap.median(emptyList()), Bootstrap.mean(emptyList()), Bootstrap.ratio(listOf(1.0), emptyList())).forEach {
            it.n shouldBe 0
            it.value.isNaN() shouldBe true
            it.low.isNaN() shouldBe true
            it.high.isNaN() shouldBe true
        }
    }

    @Test
    fun `a ratio rests on as many forks as its smaller side`() {
        Bootstrap.ratio(List(9) { 1.0 }, List(4) { 1.0 }).n shouldBe 4
    }

    @Test
    fun `the method is written beside the number`() {
        Bootstrap.median(listOf(1.0)).method shouldContain "median"
        Bootstrap.mean(listOf(1.0)).method shouldContain "mean"
    }

    @Test
    fun `differences are of medians, and their interval turns with their sides`() {
        val (a, b) = listOf(10.0, 20.0, 90.0, 30.0, 25.0, 22.0) to listOf(4.0, 5.0, 6.0, 5.5, 4.5)
        Bootstrap.difference(a, b).value shouldBe 18.5
        Bootstrap.difference(b, a).value shouldBe -18.5
        Bootstrap.difference(a, b).low shouldBeGreaterThan 9.0
        Bootstrap.difference(b, a).high shouldBeLessThan -9.0
        Bootstrap.difference(a, emptyList()).n shouldBe 0
    }

    @Test
    fun `nothing against nothing is as much, and something against nothing is infinitely more`() {
        Bootstrap.ratio(List(5) { 0.0 }, List(5) { 0.0 }).shouldBeAbout(1.0, 1.0, 1.0)
        val more = Bootstrap.ratio(List(5) { 2.0 }, List(5) { 0.0 })
        listOf(more.low, more.value, more.high) shouldBe List(3) { Double.POSITIVE_INFINITY }
        val perhaps = Bootstrap.ratio(listOf(1.0, 1.0, 1.0, 1.0, 1.0), listOf(0.0, 0.0, 1.0, 1.0, 1.0))
        perhaps.value shouldBe 1.0
        perhaps.low shouldBe 1.0
        perhaps.high shouldBe Double.POSITIVE_INFINITY
    }

    @Test
    fun `the mean of skewed values has an interval that reaches farther up than down`() {
        val mean = Bootstrap.mean(listOf(1.0, 1.0, 1.1, 1.2, 1.2, 1.3, 1.4, 1.5, 2.0, 6.0))
        withClue(mean.toString()) { mean.high - mean.value shouldBeGreaterThan 2 * (mean.value - mean.low) }
    }

    @Test
    fun `beyond a thousand forks the interval of a mean is Student's, and before it much the same`() {
        val values = Shape.NORMAL.draw(Draws(1), 1_001)
        val (many, fewer) = Bootstrap.mean(values) to Bootstrap.mean(values.dropLast(1))
        many.method shouldContain "Student"
        many.low shouldBe (fewer.low plusOrMinus 0.01)
        many.high shouldBe (fewer.high plusOrMinus 0.01)
    }
}
