package clientlab.notebook.compare

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ComparedTest {
    private val cost = Measure("µs for each call", "requestCpuMs", times = 1e3)
    private val rate = Measure("calls a second", "capacityPerSecond", less = false)

    /** Rounds drift by a factor of two, as machines do, and the candidate takes [times] as much in each of them. */
    private fun compared(measure: Measure, times: Double, rounds: Int = 8): Compared {
        val base = (0 until rounds).associateWith { 0.2 * (1 + it / 8.0) }
        return Compared.of(measure, base, base.mapValues { (round, value) -> value * times * (1 + (round % 3 - 1) / 200.0) }, margin = 1.1)
    }

    @Test
    fun `what is paired by round is told apart although the rounds drift`() {
        compared(cost, 1.0).outcome shouldBe CompareOutcome.Equivalent
        compared(cost, 1.25).outcome shouldBe CompareOutcome.Worse
        compared(cost, 0.8).outcome shouldBe CompareOutcome.Better
        compared(cost, 1.1).outcome shouldBe CompareOutcome.Worse
        compared(cost, 1.05).outcome shouldBe CompareOutcome.Equivalent
        compared(cost, 1.25).ratio.value shouldBe (1.25 plusOrMinus 0.01)
    }

    @Test
    fun `pairs that point both ways decide nothing`() {
        val base = (0..7).associateWith { 1.0 }
        Compared.of(cost, base, base.mapValues { (round, _) -> if (round % 2 == 0) 1.3 else 0.8 }, margin = 1.1).outcome shouldBe
            CompareOutcome.Undecided
    }

    @Test
    fun `of a rate more is better`() {
        compared(rate, 1.25).outcome shouldBe CompareOutcome.Better
        compared(rate, 0.8).outcome shouldBe CompareOutcome.Worse
    }

    @Test
    fun `fewer than five pairs decide nothing`() {
        compared(cost, 2.0, rounds = 4).outcome shouldBe CompareOutcome.Undecided
    }

    @Test
    fun `a round in which one of them has no value is left out`() {
        val both = Compared.of(cost, (0..7).associateWith { 1.0 }, (2..9).associateWith { 1.0 }, margin = 1.1)
        both.ratio.n shouldBe 6
        both.outcome shouldBe CompareOutcome.Equivalent
    }

    @Test
    fun `nothing and nothing are equal`() {
        Compared.of(cost, (0..7).associateWith { 0.0 }, (0..7).associateWith { 0.0 }, margin = 1.1).outcome shouldBe
            CompareOutcome.Equivalent
    }

    @Test
    fun `what crosses an end of the margin is asked with twice as many pairs, and what is clear is not`() {
        fun asked(times: Double, scatter: Double): Pair<Int, CompareOutcome> {
            var most = 0
            val found = Compared.untilClear { runs ->
                most = runs
                val base = (0 until runs * 12).associateWith { 1.0 }
                listOf(Compared.of(cost, base, base.mapValues { (round, _) -> times * (1 + (round % 5 - 2) * scatter) }, margin = 1.1))
            }
            return most to found.single().outcome
        }
        asked(1.0, scatter = 0.01) shouldBe (1 to CompareOutcome.Equivalent)
        asked(1.3, scatter = 0.05) shouldBe (1 to CompareOutcome.Worse)
        asked(1.08, scatter = 0.04) shouldBe (2 to CompareOutcome.Worse)
    }

    @Test
    fun `fewer than five pairs are not asked again`() {
        compared(cost, 1.1, rounds = 4).isOpen shouldBe false
        compared(cost, 1.1, rounds = 5).isOpen shouldBe true
    }

    /** How often [cases] simulated comparisons are equivalent, if the ratio of a pair scatters by 7 % around [ratio], as in cost. */
    private fun equivalent(ratio: Double, cases: Int = 200): Double {
        val chance = java.util.Random(11)
        return (1..cases).count {
            val pairs = mutableMapOf<Int, Double>()
            val found = Compared.untilClear { runs ->
                while (pairs.size < runs * 12) pairs[pairs.size] = ratio * Math.exp(0.07 * chance.nextGaussian())
                listOf(Compared.of(cost, pairs.mapValues { 1.0 }, pairs, margin = 1.1))
            }
            found.single().outcome == CompareOutcome.Equivalent
        } / cases.toDouble()
    }

    @Test
    fun `equals are equivalent in nineteen of twenty simulated comparisons, and what lies on the margin hardly ever`() {
        equivalent(1.0) shouldBeGreaterThan 0.95
        equivalent(1.1) shouldBeLessThan 0.10
    }

    private fun seen(vararg forks: Pair<String, String>) = mapOf("idle.closed-post" to forks.toList())

    @Test
    fun `conduct is told where it differs, as worse where it has become a concern`() {
        val fails = seen("fails" to "", "fails" to "", "fails" to "")
        val repeats = seen("sends it twice" to "dangerous", "sends it twice" to "dangerous", "sends it twice" to "dangerous")
        OtherConduct.of(fails, fails).shouldBeEmpty()
        OtherConduct.of(fails, repeats).map { it.outcome } shouldContainExactly listOf(CompareOutcome.Worse)
        OtherConduct.of(repeats, fails).map { it.outcome } shouldContainExactly listOf(CompareOutcome.Better)
    }

    @Test
    fun `conduct that is not the same in each fork decides nothing`() {
        val uneven = seen("fails" to "", "sends it twice" to "dangerous")
        OtherConduct.of(seen("fails" to "", "fails" to ""), uneven).single().let { it.outcome to it.candidate } shouldBe
            (CompareOutcome.Undecided to "fails / sends it twice")
    }
}
