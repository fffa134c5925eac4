package clientlab.server.evidence

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class OvershootHistogramTest {
    private val counts = OvershootHistogram()

    @Test
    fun `below two milliseconds every percentile is exact to the microsecond`() {
        for (micros in 1..2_000) counts.record(micros * 1_000L)
        val read = counts.read()
        read.count shouldBe 2_000
        listOf(read.p50, read.p90, read.p99, read.max) shouldContainExactly listOf(1.0, 1.8, 1.98, 2.0)
    }

    @Test
    fun `above it is exact to a thousandth, and the maximum to the microsecond`() {
        repeat(99) { counts.record(123_456_789) }
        counts.record(987_654_321)
        val read = counts.read()
        read.p50!! / 123.456 shouldBe (1.0 plusOrMinus 0.001)
        read.max shouldBe 987.654
    }

    @Test
    fun `the distribution says how many kept each time, up to the one that all kept`() {
        listOf(0L, 9_999, 10_000, 199_999, 200_000, 1_500_000).forEach(counts::record)
        counts.read().within shouldContainExactly
            listOf(
                listOf(0.01, 2.0),
                listOf(0.02, 3.0),
                listOf(0.05, 3.0),
                listOf(0.1, 3.0),
                listOf(0.2, 4.0),
                listOf(0.5, 5.0),
                listOf(1.0, 5.0),
                listOf(2.0, 6.0),
            )
    }

    @Test
    fun `what is early counts as on time, and what is later than an hour as an hour`() {
        counts.record(-5)
        counts.record(Long.MAX_VALUE)
        counts.read().count shouldBe 2
        counts.read().within.first() shouldContainExactly listOf(0.01, 1.0)
        counts.read().within.last()[1] shouldBe 1.0
    }

    @Test
    fun `a reset forgets the maximum too`() {
        counts.record(5_000_000)
        counts.reset()
        counts.record(1_000)
        counts.read().max shouldBe 0.001
        counts.read().count shouldBe 1
    }
}
