package clientlab.probe

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import java.time.Instant
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds

class ClockWatchTest {
    private var ahead = ServerClock(3.days.inWholeNanoseconds, 10_000)
    private var jumpMs = 0L
    private val watch = ClockWatch({ ahead }, { Instant.now().plusMillis(jumpMs) })

    @Test
    fun `clocks that keep step are no reason and no warning, however far apart they are`() {
        val seen = watch.finish()
        seen.reasons shouldBe emptyList()
        seen.warnings shouldBe emptyList()
        seen.server shouldBe ahead
    }

    @Test
    fun `a server's clock that jumps is a reason, and its last reading is told`() {
        ahead = ahead.copy(aheadNanos = ahead.aheadNanos - 150.milliseconds.inWholeNanoseconds)
        val seen = watch.finish()
        seen.reasons shouldContainExactly
            listOf("The server's clock moved by -150 ms against the client's during the trial, so no time of it counts.")
        seen.warnings shouldBe emptyList()
        seen.server shouldBe ahead
    }

    @Test
    fun `a date that jumps is a warning, to either side`() {
        listOf(-2.hours, 2.hours).forEach {
            jumpMs = 0
            val watch = ClockWatch({ ahead }, { Instant.now().plusMillis(jumpMs) })
            jumpMs = it.inWholeMilliseconds
            val seen = watch.finish()
            seen.reasons shouldBe emptyList()
            seen.warnings.single() shouldStartWith "The system's date moved by ${if (jumpMs < 0) "-" else ""}7"
        }
    }

    @Test
    fun `what the errors of both readings explain is no jump, nor what a clock drifts by in that time`() {
        val before = ServerClock(0, errorNanos = 40.milliseconds.inWholeNanoseconds)

        fun movedMs(ms: Int, errorMs: Int, elapsedMs: Int) =
            ServerClock(ms * 1_000_000L, errorMs * 1_000_000L).movedSince(before, elapsedMs * 1_000_000L) / 1_000_000
        movedMs(90, errorMs = 30, elapsedMs = 0) shouldBe 0
        movedMs(91, errorMs = 30, elapsedMs = 0) shouldBe 91
        movedMs(-91, errorMs = 30, elapsedMs = 0) shouldBe -91
        movedMs(91, errorMs = 30, elapsedMs = 1_000) shouldBe 0
        movedMs(92, errorMs = 30, elapsedMs = 1_000) shouldBe 92
    }
}
