package clientlab.probe

import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds

class PauseWatchTest {
    @Test
    fun `a look that comes late is a pause, and the longest one stays`() {
        val times = ArrayDeque(listOf(0L, 5L, 10L, 95L, 100L, 112L).map { it * 1_000_000 })
        val pauses = Pauses(5.milliseconds) { times.removeFirst() }
        List(5) { pauses.look().let { pauses.longestMs } } shouldBe listOf(0.0, 0.0, 80.0, 80.0, 80.0)
    }

    @Test
    fun `it watches while it is open, and its thread ends with it`() {
        val watch = PauseWatch()
        Thread.sleep(20)
        watch.longestMs shouldBeGreaterThanOrEqual 0.0
        watch.close()
        Thread.getAllStackTraces().keys.none { it.name == "${ThreadOwners.HARNESS_PREFIX}pauses" } shouldBe true
    }
}
