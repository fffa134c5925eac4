package clientlab.notebook.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.apache.commons.rng.simple.RandomSource
import org.junit.jupiter.api.Test
import kotlin.math.PI
import kotlin.math.tan

class DriftTest {
    private fun rounds(vararg values: Double): Map<Int, Double> = values.mapIndexed { round, value -> round to value }.toMap()

    @Test
    fun `of five rounds one order and its reverse are the most extreme of 120`() {
        Drift.p(rounds(1.0, 2.0, 3.0, 4.0, 5.0)) shouldBe (2.0 / 120 plusOrMinus 1e-12)
        Drift.p(rounds(5.0, 4.0, 3.0, 2.0, 1.0)) shouldBe (2.0 / 120 plusOrMinus 1e-12)
        // One inversion: four orders have it, and one has none.
        Drift.p(rounds(1.0, 2.0, 3.0, 5.0, 4.0)) shouldBe (2.0 * 5 / 120 plusOrMinus 1e-12)
        Drift.smallestP(5) shouldBe (2.0 / 120 plusOrMinus 1e-12)
    }

    @Test
    fun `of many rounds as many orders are drawn, and p is never zero`() {
        Drift.p((0 until 12).associateWith { it.toDouble() }) shouldBe (1e-4 plusOrMinus 1e-12)
        Drift.smallestP(12) shouldBe (1e-4 plusOrMinus 1e-12)
        // Three inversions: 1 + 7 + 27 + 76 of the 40,320 orders of eight have as many or fewer.
        val eight = rounds(2.0, 1.0, 4.0, 3.0, 6.0, 5.0, 7.0, 8.0)
        Drift.p(eight) shouldBe (2.0 * 111 / 40_320 plusOrMinus 0.003)
        Drift.p(eight, seed = 1) shouldBe Drift.p(eight, seed = 1)
    }

    @Test
    fun `of more than thirty rounds the normal distribution says what orders would`() {
        val random = RandomSource.XO_RO_SHI_RO_128_PP.create(3)
        listOf(0.0, 0.01, 0.02, 0.04).forEach { drift ->
            val values = (0 until 40).associateWith { round -> round * drift + random.nextDouble() }
            Drift.p(values) shouldBe (Drift.together(listOf(values)) plusOrMinus 0.02)
        }
        // Ties leave less to be seen: of forty equal values, nothing.
        Drift.p((0 until 40).associateWith { 1.0 }) shouldBe 1.0
        // The exact distribution of thirty rounds leaves out 161 slopes at each end; of 31 it would be 174.
        RankCorrelation.cut(30)!!.toDouble() shouldBe (161.0 plusOrMinus 1.0)
        RankCorrelation.cut(31)!!.toDouble() shouldBe (174.0 plusOrMinus 2.0)
    }

    @Test
    fun `equal values are no drift`() {
        val same = rounds(100.0, 100.0, 100.0, 100.0, 100.0, 100.0)
        Drift.p(same) shouldBe 1.0
        Drift.change(same).value shouldBe 0.0
        Drift.change(rounds(0.0, 0.0, 0.0)).value shouldBe 0.0
    }

    @Test
    fun `too few rounds say nothing`() {
        Drift.p(rounds(1.0)) shouldBe 1.0
        Drift.p(emptyMap()) shouldBe 1.0
        Drift.change(rounds(1.0)).value.isNaN() shouldBe true
        Drift.line(rounds(1.0)) shouldBe null
    }

    @Test
    fun `the change is the median slope from the first round to the last, in percent of the line's start`() {
        val steady = Drift.change((0..9).associateWith { 100.0 + it })
        steady.value shouldBe (9.0 plusOrMinus 1e-9)
        steady.low shouldBe (9.0 plusOrMinus 1e-9)
        // One wild round in ten moves it by little.
        val wild = Drift.change((0..9).associateWith { 100.0 + it } + (4 to 9000.0))
        wild.value shouldBe (9.0 plusOrMinus 1.5)
        Drift.line((2..6).associateWith { 10.0 * it }) shouldBe (20.0 to 60.0)
    }

    @Test
    fun `a round that is missing keeps its distance`() {
        Drift.change(mapOf(0 to 100.0, 1 to 101.0, 5 to 105.0, 9 to 109.0)).value shouldBe (9.0 plusOrMinus 1e-9)
    }

    @Test
    fun `the interval leaves out as many slopes as Kendall's distribution allows`() {
        // Of 24 orders of four the most extreme is one, more than 2.5 %; M. Hollander and D. Wolfe, table of Kendall's K, for the others.
        (1..4).map { RankCorrelation.cut(it) } shouldBe listOf(null, null, null, null)
        listOf(5, 6, 7, 8, 9, 10).map { RankCorrelation.cut(it) } shouldBe listOf(0, 1, 3, 5, 8, 11)
        val few = Drift.change(rounds(1.0, 2.0, 3.0, 4.0))
        few.low.isNaN() shouldBe true
        val five = Drift.change(rounds(100.0, 103.0, 101.0, 104.0, 106.0))
        five.low shouldBe (100 * 4 * -2.0 / (103 - 2 * 17.0 / 12) plusOrMinus 1e-9)
    }

    @Test
    fun `without drift a heavy-tailed metric gives an alarm in one run of twenty`() {
        val random = RandomSource.XO_RO_SHI_RO_128_PP.create(7)
        val alarms = (1..400).count { Drift.p((0..6).associateWith { tan(PI * (random.nextDouble() - 0.5)) }) < 0.05 }
        alarms shouldBeGreaterThan 4
        alarms shouldBeLessThan 32
    }

    @Test
    fun `the interval holds the true change in 95 of 100 runs or more`() {
        val random = RandomSource.XO_RO_SHI_RO_128_PP.create(11)
        val held = (1..400).count {
            val change = Drift.change((0..9).associateWith { round -> 1000.0 + 10 * round + 20 * (random.nextDouble() - 0.5) })
            9.0 in change.low..change.high
        }
        held shouldBeGreaterThan 370
    }

    @Test
    fun `all treatments together show what none can alone`() {
        fun exchanged(vararg at: Int) =
            rounds(
                *(1..6)
                    .map { it.toDouble() }
                    .toMutableList()
                    .apply { at.forEach { add(it, removeAt(it + 1)) } }
                    .toDoubleArray(),
            )
        val treatments = listOf(exchanged(0, 2), exchanged(1, 3), exchanged(2, 4), exchanged(0, 3), exchanged(1, 4))
        treatments.forEach { Drift.p(it) shouldBe (2.0 * 20 / 720 plusOrMinus 1e-12) }
        Drift.together(treatments) shouldBe (2.0 / 720 plusOrMinus 1e-12)
        // A round is one disturbance, however many treatments it has: eight copies of one are no more than that one.
        Drift.together(List(8) { treatments[0] }) shouldBe Drift.p(treatments[0])
    }
}
