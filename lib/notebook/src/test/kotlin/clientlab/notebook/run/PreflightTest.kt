package clientlab.notebook.run

import clientlab.*
import clientlab.machine.*
import io.kotest.assertions.throwables.shouldNotThrowAny
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
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
}
