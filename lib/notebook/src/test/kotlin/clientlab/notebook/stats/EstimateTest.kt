package clientlab.notebook.stats

import clientlab.notebook.made.*
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class EstimateTest {
    @Test
    fun `a number has as many digits as a reader can use, whatever the locale`() =
        underLocales { locale ->
            withClue(locale) {
                Estimate.rounded(501.0) shouldBe "501"
                Estimate.rounded(-3.0) shouldBe "-3"
                Estimate.rounded(0.0) shouldBe "0"
                Estimate.rounded(501.4) shouldBe "501"
                Estimate.rounded(12345.6) shouldBe "12,346"
                Estimate.rounded(52.14) shouldBe "52.1"
                Estimate.rounded(1.046) shouldBe "1.05"
                Estimate.rounded(-1.046) shouldBe "-1.05"
                Estimate.rounded(0.985) shouldBe "0.99"
                Estimate.rounded(0.01234) shouldBe "0.0123"
            }
        }

    @Test
    fun `what is not a number is none`() {
        Estimate.rounded(Double.NaN) shouldBe "none"
    }

    @Test
    fun `an estimate prints its interval, whatever the locale`() =
        underLocales { locale ->
            withClue(locale) { Estimate(52.14, 50.26, 54.05, 10, "median").toString() shouldBe "52.1 [50.3, 54.1]" }
        }
}
