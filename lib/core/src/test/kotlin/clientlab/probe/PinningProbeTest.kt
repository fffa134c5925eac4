package clientlab.probe

import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.util.concurrent.CountDownLatch
import java.util.concurrent.locks.LockSupport

@Tag("long")
class PinningProbeTest {
    @Test
    fun `a virtual thread that waits while it initializes a class is seen as pinned`() {
        val pinning = PinningProbe().use { probe ->
            Thread.ofVirtual().start { SlowToInitialize.touch() }.join()
            probe.finish()
        }
        pinning.events shouldBeGreaterThanOrEqual 1
        pinning.ms shouldBeGreaterThan 0.0
        pinning.reasons.values.sum() shouldBe pinning.events
    }

    @Test
    fun `virtual threads that only wait are not pinned`() {
        val gate = CountDownLatch(1)
        val pinning = PinningProbe().use { probe ->
            val waiting = List(10) { Thread.ofVirtual().start { gate.await() } }
            gate.countDown()
            waiting.forEach { it.join() }
            probe.finish()
        }
        pinning.submitFailures shouldBe 0
        pinning.events shouldBe 0
    }

    /** Its initializer parks, with the JVM's own frame below it, which cannot leave the carrier. */
    private object SlowToInitialize {
        init {
            LockSupport.parkNanos(20_000_000)
        }

        fun touch() = Unit
    }
}
