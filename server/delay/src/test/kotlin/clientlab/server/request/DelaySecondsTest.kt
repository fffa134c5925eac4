package clientlab.server.request

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.ValueSource
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class DelaySecondsTest {
    @ParameterizedTest
    @CsvSource("0,0", "2,2000000000", "1.5,1500000000", ".25,250000000", "3.,3000000000", "0.000000001,1", "007,7000000000")
    fun `seconds with or without a point are read exactly`(text: String, nanos: Long) {
        parseSeconds(text) shouldBe nanos
    }

    @Test
    fun `what lies below a nanosecond is rounded up, so that no answer is early`() {
        parseSeconds("1.0000000001") shouldBe 1_000_000_001
        parseSeconds("1.0000000000") shouldBe 1_000_000_000
    }

    @ParameterizedTest
    @ValueSource(strings = ["", ".", "-1", "+1", "NaN", "Infinity", "1e3", "0x1p3", "1f", " 1", "1 ", "1,5", "1.2.3", "two", "١"])
    fun `what is not digits and a point is not seconds`(text: String) {
        parseSeconds(text) shouldBe NOT_SECONDS
    }

    @Test
    fun `a number too long for any type is read as very many seconds`() {
        parseSeconds("9".repeat(400)) shouldBe 1_000_000_000_000_000_000
    }

    @Test
    fun `seconds are written as a person would`() {
        60.seconds.asSecondsText() shouldBe "60"
        1500.milliseconds.asSecondsText() shouldBe "1.5"
    }
}
