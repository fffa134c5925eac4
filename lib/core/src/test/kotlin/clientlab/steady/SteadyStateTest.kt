package clientlab.steady

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.exp
import kotlin.random.Random
import kotlin.random.asJavaRandom

class SteadyStateTest {
    @Test
    fun `of 400 synthetic series at least 95 percent get their shape, and 9 in 10 of each shape`() {
        val found = SyntheticSeries.all(each = 100, seed = 20).map { it to SteadyState.of(it.values) }
        val wrong = found.filter { (series, state) -> series.shape != state.shape }
        val recall = Shape.entries.associateWith { shape -> 100 - wrong.count { it.first.shape == shape } }
        println("Recall of the shapes in percent: $recall")
        withClue(wrong.joinToString("\n") { (series, state) -> "${series.name}: ${series.shape} is called $state" }) {
            wrong.size shouldBeLessThanOrEqual 20
            recall.values.forEach { it shouldBeGreaterThanOrEqual 90 }
        }
    }

    @Test
    fun `a series is steady from its last real step`() {
        val state = SteadyState.of(noisy(120) { if (it < 40) 2.0 else 1.0 })
        state.shape shouldBe Shape.WARM_UP
        state.from shouldBe 40
        state.changePoints shouldBe listOf(40)
        SteadyState.of(noisy(120) { 1.0 }) shouldBe SteadyState(Shape.FLAT, from = 0, changePoints = emptyList())
    }

    @Test
    fun `a step within the tolerance is a change point and no warm-up`() {
        val state = SteadyState.of(noisy(200, noise = 0.01) { if (it < 100) 1.04 else 1.0 })
        state.changePoints shouldBe listOf(100)
        state.shape shouldBe Shape.FLAT
        state.from shouldBe 0
    }

    @Test
    fun `single outliers are no change, and a slow start is`() {
        val values = noisy(100) { 1.0 }
        listOf(20, 50, 51, 99).forEach { values[it] = 7.0 }
        SteadyState.of(values).shape shouldBe Shape.FLAT
        listOf(0, 1).forEach { values[it] = 7.0 }
        SteadyState.of(values).shape shouldBe Shape.WARM_UP
    }

    @Test
    fun `a series shorter than the tail, one whose last quarter changes, and a noisy short one have no steady state`() {
        SteadyState.of(noisy(19) { 1.0 }).from shouldBe null
        SteadyState.of(noisy(200) { if (it < 160) 1.0 else 0.8 }).shape shouldBe Shape.NO_STEADY_STATE
        SteadyState.of(noisy(20, noise = 0.4) { 1.0 }).from shouldBe null
        SteadyState.of(doubleArrayOf()).from shouldBe null
    }

    @Test
    fun `several series are steady from where all are and the compilers are quiet`() {
        val processor = noisy(120) { if (it < 30) 2.0 else 1.0 }
        val latency = noisy(120) { if (it < 45) 3.0 else 1.0 }
        SteadyState.of(listOf(processor, latency)).from shouldBe 45
        val compilers = DoubleArray(120) {
            if (it < 60) {
                0.5
            } else if (it == 80) {
                0.1
            } else {
                0.005
            }
        }
        val state = SteadyState.of(listOf(processor, latency), compilers)
        state.from.shouldNotBeNull() shouldBeInRange 58..61
        state.shape shouldBe Shape.WARM_UP
        state.changePoints shouldBe listOf(30, 45)
        SteadyState.of(listOf(processor), DoubleArray(120) { 0.03 }).shape shouldBe Shape.NO_STEADY_STATE
        SteadyState.of(listOf(processor, noisy(120) { if (it < 45) 1.0 else 2.0 })).shape shouldBe Shape.SLOWDOWN
        shouldThrow<IllegalArgumentException> { SteadyState.of(listOf(processor), DoubleArray(119)) }
    }

    @Test
    fun `an interval without a value takes the one before it`() {
        val values = noisy(120) { if (it < 40) 2.0 else 1.0 }
        listOf(0, 17, 90, 119).forEach { values[it] = Double.NaN }
        SteadyState.of(values).shape shouldBe Shape.WARM_UP
        SteadyState.of(DoubleArray(60) { Double.NaN }).shape shouldBe Shape.NO_STEADY_STATE
    }

    @Test
    fun `asked again and again, a decaying load is called steady when it is within 15 percent, for noise of 3, 10 and 20 percent`() {
        for (noise in listOf(0.03, 0.1, 0.2)) {
            val left = List(40) { seed ->
                val values = noisy(240, noise, seed) { 1 + 3 * exp(-it / 8.0) }
                val asked = (SteadyState.TAIL..240 step 4).first { it == 240 || SteadyState.of(values.copyOf(it)).from != null }
                3 * exp(-(asked - SteadyState.TAIL) / 8.0)
            }
            withClue("noise $noise") { left.sorted()[37] shouldBeLessThan 0.15 }
        }
    }

    private fun noisy(n: Int, noise: Double = 0.03, seed: Int = 1, level: (Int) -> Double): DoubleArray {
        val random = Random(seed).asJavaRandom()
        return DoubleArray(n) { level(it) * (1 + noise * random.nextGaussian()) }
    }
}
