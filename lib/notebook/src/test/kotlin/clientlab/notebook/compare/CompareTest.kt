package clientlab.notebook.compare

import Line_9_jupyter
import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.jars.*
import clientlab.notebook.made.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.readText

private const val SPUN = 500L

/** Whole comparisons, with real forks. */
class CompareTest(
    @param:TempDir private val data: Path,
) {
    @Tag("long")
    @Test
    fun `a release is not told from a copy of its own jar, and its page says how that was measured`() =
        withDataIn(data) {
            val copy = released().copyTo(data.resolve("okhttp-jvm-copy.jar"))
            val found = compare("okhttp:5.5.1", "$copy", only = listOf("threads", "memory"), forks = 6)
            found.measured.forEach { it.base.n shouldBeIn listOf(6, 12) }
            found.outcome shouldBeIn listOf(CompareOutcome.Equivalent, CompareOutcome.Undecided)
            found.markdown().let { page ->
                page shouldContain Regex("new platform threads while 500 calls wait . 5\\d\\d \\[")
                page shouldContain
                    " pairs of fresh JVMs, in the same rounds; medians with 95 % intervals. Equal is what differs by 10 % at most, set before."
            }
            found.write(data.resolve("page"))
            data.resolve("page/compare.md").readText() shouldBe found.markdown()
            data.resolve("page/compare.html").readText() shouldContain
                "<td style=\"text-align:left\">new platform threads while 500 calls wait</td>"
        }

    @Tag("long")
    @Test
    fun `a jar that spins for half a millisecond before each request costs that much more, and is worse`() =
        withDataIn(data) {
            val slow = spun(released(), micros = SPUN, to = data.resolve("okhttp-jvm-slow.jar"))
            val found = compare("okhttp:5.5.1", "$slow", only = listOf("cost"), forks = 6)
            found.measured.first { it.measure.metric == "requestCpuMs" }.let { cost ->
                cost.difference.value shouldBe (SPUN.toDouble() plusOrMinus SPUN / 4.0)
                cost.outcome shouldBe CompareOutcome.Worse
            }
        }

    private fun released(): Path {
        val library = clients("okhttp").single().library
        return JarStore().jars(VersionLock.read().artifacts(library, "5.5.1")!!).first { "okhttp-jvm" in "$it" }
    }

    @Tag("long")
    @Test
    fun `the conduct of two releases is told where it differs`() =
        withDataIn(data) {
            val found = compare("ktor-apache5:3.5.1", "ktor-apache5:3.5.0", only = listOf("conduct"))
            // A fork in which it is otherwise leaves the outcome open, and the row is there all the same.
            found.outcome shouldBeIn listOf(CompareOutcome.Worse, CompareOutcome.Undecided)
            found.markdown() shouldContain "| cancellation.reading | the caller is free at once, the connection is closed"
        }

    @Test
    fun `what cannot be compared is refused`() {
        shouldThrow<LabException> { compare("okhttp", "okhttp") }.message shouldBe
            "Both are okhttp: give two clients, two releases, or a jar that differs."
        shouldThrow<LabException> { compare("okhttp", "retrofit", only = listOf("speed")) }.message shouldBe
            "The suite has no 'speed': it has threads, memory, cost, capacity, conduct."
        shouldThrow<LabException> { compare("okhttp", "retrofit", margin = 0) }.message shouldBe
            "A margin of 0 % tells nothing: give 1 to 100."
        val cell = Line_9_jupyter()
        shouldThrow<LabException> { compare(cell.ofClass(), cell.ofObject(), only = listOf("memory")) }.message shouldBe
            "Memory is compared in a JVM under limits, and a client from a cell cannot be carried into one: ask for another part."
    }
}
