package clientlab.notebook.stats

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class ShareTest {
    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource(
        "0, 10, 0.0, 0.0, 0.3085",
        "1, 10, 0.1, 0.0025, 0.4450",
        "5, 10, 0.5, 0.1871, 0.8129",
        "10, 10, 1.0, 0.6915, 1.0",
        "0, 1, 0.0, 0.0, 0.9750",
        "4, 20, 0.2, 0.0573, 0.4366",
    )
    fun `the interval is the one in tables of Clopper and Pearson`(hits: Int, n: Int, value: Double, low: Double, high: Double) {
        val share = Share.of(hits, n)
        withClue(share.toString()) {
            share.value shouldBe (value plusOrMinus 1e-12)
            share.low shouldBe (low plusOrMinus 5e-5)
            share.high shouldBe (high plusOrMinus 5e-5)
            share.n shouldBe n
        }
    }

    @Test
    fun `of no forks nothing is said`() {
        Share.of(0, 0).n shouldBe 0
        Share.of(0, 0).value.isNaN() shouldBe true
    }

    @Test
    fun `more hits than forks are refused`() {
        shouldThrow<IllegalArgumentException> { Share.of(3, 2) }.message shouldBe "3 of 2 is no share."
        shouldThrow<IllegalArgumentException> { Share.of(-1, 2) }.message shouldBe "-1 of 2 is no share."
    }
}
