package clientlab.notebook.claim

import clientlab.notebook.stats.*
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class PartTest {
    private fun part(low: Double, high: Double, n: Int = 10, bound: Bound = Bound(1.0, 2.0), value: Double = (low + high) / 2) =
        Part("fuel at 100", "time / delay", bound, Estimate(value, low, high, n, "made"))

    @Test
    fun `an interval wholly inside the bound supports`() {
        part(1.2, 1.8).outcome shouldBe VerdictOutcome.Supported
        part(1.0, 2.0).outcome shouldBe VerdictOutcome.Supported
        part(1.2, 1.8).because shouldBe ""
    }

    @Test
    fun `an interval wholly outside refutes, on either side`() {
        part(2.1, 2.5).outcome shouldBe VerdictOutcome.Refuted
        part(0.1, 0.9).outcome shouldBe VerdictOutcome.Refuted
    }

    @Test
    fun `an interval that crosses an end is inconclusive, and says so`() {
        listOf(part(0.9, 1.1), part(1.9, 2.1), part(0.5, 2.5), part(2.0, 2.5)).forEach {
            it.outcome shouldBe VerdictOutcome.Inconclusive
            it.because shouldBe "the interval crosses the bound"
        }
    }

    @Test
    fun `four forks decide nothing, and say where they stand so far`() {
        part(1.2, 1.8, n = 4).outcome shouldBe VerdictOutcome.Inconclusive
        part(1.2, 1.8, n = 4).because shouldBe "4 forks, where 5 are needed; so far inside the bound"
        part(2.2, 2.8, n = 4).because shouldBe "4 forks, where 5 are needed; so far outside the bound"
        part(1.2, 1.8, n = 5).outcome shouldBe VerdictOutcome.Supported
    }

    @Test
    fun `without a trial nothing can be told`() {
        val none = Part.median("fuel", "time", Bound(1.0, 2.0), emptyList())
        none.outcome shouldBe VerdictOutcome.Inconclusive
        none.because shouldBe "no trial here can tell"
    }

    @Test
    fun `an open bound has one end`() {
        part(-1e9, 1.9, bound = Bound(high = 2.0)).outcome shouldBe VerdictOutcome.Supported
        part(2.1, 1e9, bound = Bound(high = 2.0)).outcome shouldBe VerdictOutcome.Refuted
        part(2.1, 1e9, bound = Bound(low = 2.0)).outcome shouldBe VerdictOutcome.Supported
    }

    @Test
    fun `a bound says what it allows`() {
        Bound(high = 10.0).toString() shouldBe "at most 10"
        Bound(low = 0.05).toString() shouldBe "at least 0.0500"
        Bound(0.98, 1.02).toString() shouldBe "0.98 to 1.02"
        Bound(64.0, 64.0).toString() shouldBe "64"
    }

    private val noise = NoiseFloor(1.0, 0.97, 1.03, "aa-2026-11")

    @Test
    fun `a difference within the noise is none, whichever way it points`() {
        val slower = part(1.01, 1.02, bound = Bound(low = 1.0))
        slower.outcome shouldBe VerdictOutcome.Supported
        slower.copy(floor = noise).outcome shouldBe VerdictOutcome.Inconclusive
        slower.copy(floor = noise).because shouldBe "inside the noise, for one and the same differs from itself by 0.97 to 1.03"
        part(0.98, 0.99, bound = Bound(low = 1.0)).copy(floor = noise).outcome shouldBe VerdictOutcome.Inconclusive
        part(1.02, 1.20, bound = Bound(low = 1.0)).copy(floor = noise).outcome shouldBe VerdictOutcome.Inconclusive
    }

    @Test
    fun `a difference beyond the noise is one`() {
        part(1.04, 1.20, bound = Bound(low = 1.0)).copy(floor = noise).outcome shouldBe VerdictOutcome.Supported
        part(0.80, 0.96, bound = Bound(low = 1.0)).copy(floor = noise).outcome shouldBe VerdictOutcome.Refuted
        part(2.1, 2.5, bound = Bound(low = 2.0)).copy(floor = noise).outcome shouldBe VerdictOutcome.Supported
    }

    @Test
    fun `what is true of equal things as well needs no more than its interval`() {
        val same = part(0.95, 1.04, bound = Bound(0.9, 1.1)).copy(floor = noise)
        same.outcome shouldBe VerdictOutcome.Supported
        part(0.99, 1.01, bound = Bound(low = 10.0)).copy(floor = noise).outcome shouldBe VerdictOutcome.Refuted
        part(1.0, 1.05, bound = Bound(high = 1.1)).copy(floor = noise).outcome shouldBe VerdictOutcome.Supported
    }

    @Test
    fun `outside of a bound but not of a wider noise is no refutation`() {
        val wide = NoiseFloor(1.0, 0.8, 1.25, "aa-2026-11")
        part(1.12, 1.2, bound = Bound(0.9, 1.1)).copy(floor = wide).outcome shouldBe VerdictOutcome.Inconclusive
        part(1.3, 1.4, bound = Bound(0.9, 1.1)).copy(floor = wide).outcome shouldBe VerdictOutcome.Refuted
    }

    @Test
    fun `a floor of differences lies around nothing`() {
        val floor = NoiseFloor(0.0, -30.0, 30.0, "aa-2026-11")
        part(10.0, 25.0, bound = Bound(low = 5.0)).copy(floor = floor).outcome shouldBe VerdictOutcome.Inconclusive
        part(50.0, 80.0, bound = Bound(low = 5.0)).copy(floor = floor).outcome shouldBe VerdictOutcome.Supported
        part(-3.0, 2.0, bound = Bound(high = 3.0)).copy(floor = floor).outcome shouldBe VerdictOutcome.Supported
    }

    @Test
    fun `what few forks or a crossing left open stays so for its own reason`() {
        part(1.01, 1.02, n = 4, bound = Bound(low = 1.0)).copy(floor = noise).because shouldBe
            "4 forks, where 5 are needed; so far inside the bound"
        part(0.99, 1.01, bound = Bound(low = 1.0)).copy(floor = noise).because shouldBe "the interval crosses the bound"
    }
}
