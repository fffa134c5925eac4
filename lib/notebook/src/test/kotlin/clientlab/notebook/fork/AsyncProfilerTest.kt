package clientlab.notebook.fork

import clientlab.*
import clientlab.child.*
import clientlab.notebook.journal.*
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Assumptions.assumeFalse
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.time.Duration.Companion.minutes

@Timeout(120)
class AsyncProfilerTest {
    @TempDir
    private lateinit var folder: Path

    @ParameterizedTest
    @ValueSource(strings = ["cpu-profile", "allocation-profile"])
    fun `a fork that halts leaves its stacks beside the journal`(instrument: String) {
        assumeFalse(System.getProperty("os.name").startsWith("Windows"), "there is no async-profiler for Windows")
        val treatment = Treatment("client" to "busy", "instrument" to instrument)
        val profiler = AsyncProfiler.of(folder, 0, treatment).shouldNotBeNull()
        val own = ownJvm(BusyRun::class.java.name)
        ChildProcess(own.take(1) + profiler.jvmArgs + own.drop(1)).use { it.awaitEnd(1.minutes) shouldBe true }
        profiler.keep() shouldBe true
        val stacks: List<Stack> = ProfileFile.read(ProfileFile.path(folder, 0, treatment))
        stacks.filter { stack -> stack.frames.any { "BusyRun" in it } }.shouldNotBeEmpty()
        profiler.keep() shouldBe false
    }

    @Test
    fun `nothing is loaded where no profile is asked for`() {
        AsyncProfiler.of(folder, 0, Treatment("client" to "busy")).shouldBeNull()
        AsyncProfiler.of(folder, 0, Treatment("client" to "busy", "instrument" to "none")).shouldBeNull()
        folder.resolve(ProfileFile.FOLDER).exists() shouldBe false
    }
}

/** Allocates and computes for a while, and halts as a trial does. */
internal object BusyRun {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val end = System.nanoTime() + 300_000_000
        var kept = emptyList<ByteArray>()
        while (System.nanoTime() < end) kept = List(100) { ByteArray(1_000) }
        if (kept.isNotEmpty()) Runtime.getRuntime().halt(0)
    }
}
