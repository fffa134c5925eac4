package clientlab.notebook.stats

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class HolmTest {
    @Test
    fun `each p-value is multiplied by how many are left, and none falls below the one before it`() {
        val adjusted = Holm.adjusted(listOf(0.01, 0.04, 0.03, 0.005))
        adjusted.zip(listOf(0.03, 0.06, 0.06, 0.02)).forEach { (found, expected) -> found shouldBe (expected plusOrMinus 1e-12) }
        Holm.adjusted(listOf(0.6, 0.9)) shouldContainExactly listOf(1.0, 1.0)
        Holm.adjusted(emptyList()) shouldBe emptyList()
    }

    @Test
    fun `what has no p-value counts for nothing`() {
        val adjusted = Holm.adjusted(listOf(0.01, Double.NaN))
        adjusted[0] shouldBe 0.01
        adjusted[1].isNaN() shouldBe true
    }

    @Test
    fun `the interval of one comparison is the plain one, and of many each is wider`() {
        val pairs = pairs(20)
        val plain = Holm.ratios(pairs.take(1)).single()
        val among = Holm.ratios(pairs).first()
        plain.value shouldBe Bootstrap.ratio(pairs[0].first, pairs[0].second).value
        plain.low shouldBe (Bootstrap.ratio(pairs[0].first, pairs[0].second).low plusOrMinus 0.01)
        among.low shouldBeLessThan plain.low
        among.high shouldBeGreaterThan plain.high
    }

    @Test
    fun `a comparison that speaks louder leaves the next one more room to speak`() {
        val draws = Draws(5)
        val far = Shape.NORMAL.draw(draws, 20).map { it * 3 } to Shape.NORMAL.draw(draws, 20)
        val near = Shape.NORMAL.draw(draws, 20) to Shape.NORMAL.draw(draws, 20)
        val (loud, quiet) = Holm.ratios(listOf(far, near))
        loud.low shouldBeGreaterThan 2.0
        quiet shouldBe Holm.ratios(listOf(near)).single().copy(method = quiet.method)
    }

    @Test
    fun `of 100 families of eight comparisons of one thing with itself, about five err, and not a third`() {
        val families = (1..100).count { family -> Holm.ratios(pairs(8, family.toLong())).any { 1.0 !in it.low..it.high } }
        val uncorrected =
            (1..100).count { family -> pairs(8, family.toLong()).any { (a, b) -> Bootstrap.ratio(a, b).let { 1.0 !in it.low..it.high } } }
        withClue("$families with the correction, $uncorrected without") {
            families shouldBeLessThanOrEqual 10
            uncorrected shouldBeGreaterThan 15
        }
    }

    @Test
    fun `differences are corrected likewise, and a pair without values has none`() {
        val (none, some) = Holm.differences(listOf(emptyList<Double>() to listOf(1.0), List(6) { 4.0 } to List(6) { 1.5 }))
        none.n shouldBe 0
        listOf(some.low, some.value, some.high) shouldContainExactly listOf(2.5, 2.5, 2.5)
    }

    private infix fun Int.shouldBeGreaterThan(other: Int) = toDouble() shouldBeGreaterThan other.toDouble()

    private fun pairs(count: Int, seed: Long = 1) =
        Draws(seed).let { draws -> List(count) { Shape.NORMAL.draw(draws, 20) to Shape.NORMAL.draw(draws, 20) } }
}
