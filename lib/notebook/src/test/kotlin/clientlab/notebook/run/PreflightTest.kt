package clientlab.notebook.run

import clientlab.*
import clientlab.closedloop.*
import clientlab.machine.*
import io.kotest.assertions.throwables.shouldNotThrowAny
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class PreflightTest {
    private fun refusal(files: Long) =
        shouldThrow<LabException> { Preflight.check(MadeRun.experiment("retrofit"), Machine.read().copy(openFiles = files)) }.message

    private val raise =
        "raise the limit (`ulimit -n 20000`) in the shell that starts the notebook; where that is refused, an administrator raises it " +
            "(Linux: nofile in /etc/security/limits.conf; macOS: launchctl limit maxfiles)."

    @Test
    fun `too low a limit of open files is refused with what would fit and how to raise it`() {
        refusal(305) shouldBe "10 in flight need as many open files, and a process here may have 305: ask for at most 5, or $raise"
    }

    @Test
    fun `a limit of open files that leaves no room for a request says so`() {
        val sentence = "open files, and the lab itself needs 300, so there is no room for a request: $raise"
        refusal(256) shouldBe "A process here may have 256 $sentence"
        refusal(300) shouldBe "A process here may have 300 $sentence"
    }

    @Test
    fun `enough open files, and a system that does not tell, are no hindrance`() {
        shouldNotThrowAny { Preflight.check(MadeRun.experiment("retrofit"), Machine.read().copy(openFiles = 310)) }
        shouldNotThrowAny { Preflight.check(MadeRun.experiment("retrofit"), Machine.read().copy(openFiles = null)) }
    }

    private fun processorsRefused(most: Int, cores: Int, allowed: List<Int>, canPin: Boolean = true): String? {
        val loop = ClosedLoop(listOf(MadeRun.client("retrofit")), processors = (1..most).toList())
        return runCatching { Preflight.checkProcessors(Experiment("made", loop), cores, allowed) { canPin } }.exceptionOrNull()?.message
    }

    @Test
    fun `processors that leave one for server and generator are no hindrance`() {
        processorsRefused(1, 2, listOf(0, 1)) shouldBe null
        processorsRefused(3, 4, listOf(2, 5, 6, 7)) shouldBe null
        shouldNotThrowAny { Preflight.checkProcessors(MadeRun.experiment("retrofit"), 1, emptyList()) { false } }
    }

    @Test
    fun `too few processors are refused with what was asked, what there is and what to do`() {
        processorsRefused(1, 1, listOf(3)) shouldBe
            "processors = 1 needs 2 or more, because the server and the generator run on others, and this process may use 1: leave out " +
            "processors, or use a larger machine."
        processorsRefused(2, 2, listOf(0, 1)) shouldBe
            "processors = 2 needs 3 or more, because the server and the generator run on others, and this process may use 2: ask for at " +
            "most 1, or use a larger machine."
    }

    @Test
    fun `a container's quota counts as the processors that there are`() {
        processorsRefused(2, 2, (0..15).toList()).shouldNotBeNull() shouldContain "this process may use 2: ask for at most 1"
    }

    @Test
    fun `another system than Linux, and one without taskset, are refused with what to do`() {
        val sentence =
            "processors gives the client processors of its own by Linux's program taskset, which cannot be used here: install it " +
                "(package util-linux), run on Linux, or leave out processors."
        processorsRefused(1, 8, emptyList()) shouldBe sentence
        processorsRefused(1, 8, listOf(0, 1), canPin = false) shouldBe sentence
    }

    @Test
    fun `a duet needs two servers of its own`() {
        shouldThrow<LabException> { Preflight.checkRemote(MadeRun.duet(forks = 1)) }.message shouldBe
            "Each trial of a duet has a delay server of its own, and yours is one: leave out duet = true, or run without a remote server."
        Preflight.checkRemote(MadeRun.duet(forks = 1).copy(duet = false))
    }
}
