package clientlab.notebook.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.exp
import kotlin.random.Random
import kotlin.random.asJavaRandom

class SlowRoundsTest {
    private val random = Random(42)

    /** Five treatments of very different size, in [rounds] rounds that take [factor] times as long. */
    private fun treatments(
        rounds: Int,
        noise: Double = 0.1,
        factor: (Int) -> Double = { 1.0 },
    ): List<Map<Int, Double>> = List(5) { number ->
        (0 until rounds).associateWith { exp(number.toDouble()) * factor(it) * exp(noise * random.asJavaRandom().nextGaussian()) }
    }

    @Test
    fun `a ratio is the median over treatments of each one's share of its own median`() {
        SlowRounds.ratios(
            listOf(
                mapOf(0 to 10.0, 1 to 10.0, 2 to 20.0),
                mapOf(0 to 300.0, 1 to 200.0, 2 to 900.0),
                mapOf(0 to 1.0, 1 to 2.0),
                mapOf(0 to 7.0),
                mapOf(0 to 0.0, 1 to 5.0),
            ),
        ) shouldBe mapOf(0 to 1.0, 1 to 1.0, 2 to 2.5)
        SlowRounds.ratios(emptyList()) shouldBe emptyMap()
    }

    @Test
    fun `a slow stretch of rounds is found with its size, and so are a first and a single slow round`() {
        fun slow(vararg rounds: Int) = SlowRounds.of(SlowRounds.ratios(treatments(12, noise = 0.03) { if (it in rounds) 1.5 else 1.0 }))
        slow(9, 10, 11).let { found ->
            found.keys shouldBe setOf(9, 10, 11)
            found.getValue(10) shouldBe (1.5 plusOrMinus 0.05)
        }
        slow(0).keys shouldBe setOf(0)
        slow(5).keys shouldBe setOf(5)
        slow().keys shouldBe emptySet()
    }

    @Test
    fun `a fast stretch is not slow, and of few rounds nothing is said`() {
        SlowRounds.of(SlowRounds.ratios(treatments(12) { if (it < 3) 0.6 else 1.0 })) shouldBe emptyMap()
        SlowRounds.of(SlowRounds.ratios(treatments(5) { if (it == 4) 3.0 else 1.0 })) shouldBe emptyMap()
    }

    @Test
    fun `of runs with nothing but noise fewer than one in fifteen has a slow round`() {
        listOf(8, 12, 20).forEach { rounds ->
            val named = List(300) { SlowRounds.of(SlowRounds.ratios(treatments(rounds))) }.count { it.isNotEmpty() }
            named / 300.0 shouldBeLessThan 1 / 15.0
        }
        val found = List(100) { SlowRounds.of(SlowRounds.ratios(treatments(12) { if (it in 4..6) 1.5 else 1.0 })) }
        found.count { it.keys == setOf(4, 5, 6) } shouldBeGreaterThan 80
    }
}
