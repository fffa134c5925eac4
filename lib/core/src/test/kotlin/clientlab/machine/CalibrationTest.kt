package clientlab.machine

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import org.junit.jupiter.api.Test

class CalibrationTest {
    @Test
    fun `timers are never early, a byte takes time, and the percentiles are in order`() {
        val measured = Calibration.measure()
        measured.timerOvershootP50Us shouldBeGreaterThan 0.0
        measured.timerOvershootP99Us shouldBeGreaterThanOrEqual measured.timerOvershootP50Us
        measured.loopbackRoundTripP50Us shouldBeGreaterThan 0.0
        measured.loopbackRoundTripP99Us shouldBeGreaterThanOrEqual measured.loopbackRoundTripP50Us
    }

    @Test
    fun `nothing is left running`() {
        Calibration.measure()
        Thread.getAllStackTraces().keys.filter { it.name.startsWith("lab-calibration") }.shouldBeEmpty()
    }
}
