package clientlab.notebook.claim

import clientlab.notebook.stats.*
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.Random
import kotlin.math.exp

/** How often a verdict is right where a run differs from the next one by a tenth, and forks of one run by a twentieth. */
class VerdictOfDaysTest {
    /** A ratio that is 1, asked against a bound which is up to a fifth away from it. */
    private class Asked(random: Random) {
        val bound = Bound(high = exp(NEAR * (2 * random.nextDouble() - 1)))
        val right = if (bound.high >= 1.0) VerdictOutcome.Supported else VerdictOutcome.Refuted
        val first = run(random)
        val second = run(random)

        private fun run(random: Random): Part {
            val day = exp(OF_RUNS * random.nextGaussian())
            return Part.median("made", "ratio", bound, List(FORKS) { day * (1 + OF_FORKS * random.nextGaussian()) })
        }
    }

    private fun verdict(vararg days: Part): VerdictOutcome {
        val claim = Claim("made.ratio", Claim.BEYOND, "A ratio is at most its bound.", "none", emptyList(), "made") { emptyList() }
        val (first, again) = days.first() to days.drop(1)
        return Verdict(claim, listOf(first), emptyList(), again = again.map { Verdict(claim, listOf(it), emptyList()) }).outcome
    }

    /** The share of verdicts that are right among those that are decided. */
    private fun List<Asked>.right(verdict: (Asked) -> VerdictOutcome): Double {
        val decided = map { it.right to verdict(it) }.filter { (_, given) -> given != VerdictOutcome.Inconclusive }
        return decided.count { (right, given) -> right == given }.toDouble() / decided.size
    }

    @Test
    fun `of verdicts that two runs agree on nine in ten are right, and of those of one run fewer`() {
        val random = Random(41)
        val asked = List(1_000) { Asked(random) }
        val one = asked.right { verdict(it.first) }
        val two = asked.right { verdict(it.first, it.second) }
        println("right of one run: $one, of two that agree: $two")
        two shouldBeGreaterThanOrEqual 0.9
        one shouldBeLessThan 0.9
    }

    @Test
    fun `two runs that disagree decide nothing`() {
        val (low, high) = listOf(0.8, 1.2).map { day -> Part.median("made", "ratio", Bound(high = 1.0), List(FORKS) { day }) }
        verdict(low) shouldBe VerdictOutcome.Supported
        verdict(low, high) shouldBe VerdictOutcome.Inconclusive
        verdict(low, low) shouldBe VerdictOutcome.Supported
    }

    private companion object {
        const val FORKS = 8
        const val NEAR = 0.2
        const val OF_RUNS = 0.1
        const val OF_FORKS = 0.05
    }
}
