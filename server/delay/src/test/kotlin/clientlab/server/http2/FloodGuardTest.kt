package clientlab.server.http2

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class FloodGuardTest {
    @Test
    fun `as many as are allowed are allowed, and one more is not`() {
        val floodGuard = FloodGuard()
        (1..FloodGuard.MOST).all { floodGuard.allows(it.toLong()) } shouldBe true
        floodGuard.allows(FloodGuard.MOST + 1L) shouldBe false
    }

    @Test
    fun `a window later all is forgotten`() {
        val floodGuard = FloodGuard()
        repeat(FloodGuard.MOST + 5) { floodGuard.allows(7) }
        floodGuard.allows(7 + FloodGuard.WINDOW_NANOS - 1) shouldBe false
        floodGuard.allows(7 + FloodGuard.WINDOW_NANOS) shouldBe true
    }
}
