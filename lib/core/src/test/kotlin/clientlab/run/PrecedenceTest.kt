package clientlab.run

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.ExecutionException
import kotlin.io.path.Path
import kotlin.io.path.readLines
import kotlin.io.path.readText

class PrecedenceTest {
    private fun niceness() =
        Path("/proc/thread-self/stat")
            .readText()
            .substringAfterLast(") ")
            .split(' ')[NICE]
            .toInt()

    /** Whether this process may lower a niceness: bit 23 of what it may do. */
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
        val here = niceness()
        Precedence.run("test-first") { niceness() } shouldBe if (may) -20 else here
        niceness() shouldBe here
    }

    @Test
    fun `what work throws reaches whoever asked for it`() {
        shouldThrow<ExecutionException> { Precedence.run("test-first") { error("spoilt") } }.cause?.message shouldBe "spoilt"
    }

    private companion object {
        /** Counted from the third field of a thread's stat, the first behind its name. */
        const val NICE = 16
        const val CAP_SYS_NICE = 23
    }
}
