package clientlab.trial

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import kotlin.io.path.Path
import kotlin.io.path.readLines
import kotlin.io.path.readText

class PriorityThreadTest {
    /** The real-time priority of this thread, 0 where it has none, and its niceness. */
    private fun standing(): Pair<Int, Int> {
        val fields = Path("/proc/thread-self/stat").readText().substringAfterLast(") ").split(' ')
        return fields[REAL_TIME].toInt() to fields[NICE].toInt()
    }

    /** Whether this process may go before others: bit 23 of what it may do. */
    private val may =
        Path("/proc/self/status")
            .readLines()
            .first { it.startsWith("CapEff:") }
            .substringAfter(':')
            .trim()
            .toULong(16)
            .shr(CAP_SYS_NICE)
            .and(1uL) == 1uL

    @Test
    fun `work goes before all others where the system allows that, and is done like any other where not`() {
        val here = standing()
        val there = PriorityThread.run { standing() }
        if (may) there shouldBeIn listOf(1 to here.second, 0 to -20) else there shouldBe here
        standing() shouldBe here
    }

    @Test
    fun `who is started from there goes before nobody`() {
        val started =
            PriorityThread.run {
                val begun = FutureTask { standing() }
                Thread(begun).start()
                standing() to begun.get()
            }
        val (first, second) = started
        assumeTrue(first.first == 1, "This system gives no thread a real-time priority.")
        second.first shouldBe 0
    }

    @Test
    fun `what work throws reaches whoever asked for it`() {
        shouldThrow<ExecutionException> { PriorityThread.run { error("spoilt") } }.cause?.message shouldBe "spoilt"
    }

    private companion object {
        /** Counted from the third field of a thread's stat, the first behind its name. */
        const val NICE = 16
        const val REAL_TIME = 37
        const val CAP_SYS_NICE = 23
    }
}
