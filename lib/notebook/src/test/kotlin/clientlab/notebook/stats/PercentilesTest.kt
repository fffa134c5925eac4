package clientlab.notebook.stats

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class PercentilesTest {
    private val thousand = Percentiles((1..1_000).map { it.toDouble() })

    @Test
    fun `a percentile is the value that so many do not exceed, to a thousandth`() {
        listOf(50.0 to 500.0, 99.0 to 990.0, 99.9 to 999.0, 100.0 to 1_000.0, 0.0 to 1.0).forEach { (share, value) ->
            thousand.at(share) shouldBe (value plusOrMinus value / 1_000)
        }
        thousand.n shouldBe 1_000L
    }

    @Test
    fun `values of a microsecond and of an hour are told apart as well as each other`() {
        val wide = Percentiles(listOf(0.0, 0.001, 3_600_000.0))
        wide.at(50.0) shouldBe (0.001 plusOrMinus 1e-6)
        wide.at(100.0) shouldBe (3_600_000.0 plusOrMinus 3_600.0)
        wide.at(10.0) shouldBe (0.0 plusOrMinus 1e-6)
    }

    @Test
    fun `two sets are put together, and their percentiles not averaged`() {
        val both = Percentiles(List(900) { 1.0 }) + Percentiles(List(100) { 100.0 })
        both.n shouldBe 1_000L
        both.at(90.0) shouldBe (1.0 plusOrMinus 0.001)
        both.at(95.0) shouldBe (100.0 plusOrMinus 0.1)
    }

    @Test
    fun `over forks each fork is one value, however many requests it holds`() {
        val forks = List(5) { fork -> List(if (fork == 0) 1_000 else 10) { (fork + 1) * 10.0 } } + listOf(emptyList())
        val middle = Percentiles.overForks(forks, 99.0)
        middle.n shouldBe 5
        middle.value shouldBe (30.0 plusOrMinus 0.03)
        middle.method shouldContain "percentile 99 of each fork"
    }

    @Test
    fun `of no values nothing is said, and what cannot be held is refused with what can`() {
        Percentiles(emptyList()).at(50.0).isNaN() shouldBe true
        shouldThrow<IllegalArgumentException> { Percentiles(listOf(1.0, -2.0)) }.message shouldBe
            "A histogram cannot hold -2.0: give finite values from 0 up."
        shouldThrow<IllegalArgumentException> { Percentiles(listOf(Double.NaN)) }.message shouldContain "cannot hold NaN"
        shouldThrow<IllegalArgumentException> { thousand.at(101.0) }.message shouldBe
            "There is no percentile 101.0: ask for one from 0 to 100."
    }
}
