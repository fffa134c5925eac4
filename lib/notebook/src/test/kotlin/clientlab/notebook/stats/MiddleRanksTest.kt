package clientlab.notebook.stats

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeSameInstanceAs
import org.apache.commons.rng.simple.RandomSource
import org.apache.commons.statistics.descriptive.Median
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

class MiddleRanksTest {
    @ParameterizedTest
    @ValueSource(ints = [1, 2, 3, 5, 6, 10, 31])
    fun `the medians are distributed as those of resamples`(n: Int) {
        val values = DoubleArray(n) { (it * it).toDouble() }
        val drawn = MiddleRanks.of(n, TIMES, 7).medians(values)
        val random = RandomSource.XO_RO_SHI_RO_128_PP.create(8)
        val resampled = DoubleArray(TIMES) { Median.withDefaults().evaluate(DoubleArray(n) { values[random.nextInt(n)] }) }
        values.forEach { value ->
            val (found, expected) = listOf(drawn, resampled).map { medians -> medians.count { it <= value }.toDouble() / TIMES }
            // Two shares of 40,000 differ by 0.0035, their standard deviation at most, and not by five of them.
            withClue("share of medians up to $value of $n") { found shouldBe (expected plusOrMinus 0.0175) }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = [4, 100_000])
    fun `places are drawn once for sets of one size, however many values they have`(n: Int) {
        MiddleRanks.of(n, 100, 1) shouldBeSameInstanceAs MiddleRanks.of(n, 100, 1)
        MiddleRanks.of(n, 100, 1).medians(DoubleArray(n) { 2.0 }).distinct() shouldBe listOf(2.0)
    }

    private companion object {
        const val TIMES = 40_000
    }
}
