package clientlab.notebook.run

import clientlab.*
import clientlab.child.*
import clientlab.notebook.fork.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.paths.shouldExist
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.minutes

class RunLockTest(
    @param:TempDir private val folder: Path,
) {
    private val file = folder.resolve("run.lock")
    private val me = ProcessHandle.current().pid()

    /** Another JVM that tries to take the lock, and what it said. */
    private fun <T> another(experiment: String, then: (ChildProcess, String) -> T): T =
        ChildProcess(ownJvm(LockRun::class.java.name, file.toString(), experiment)).use { child ->
            then(child, child.nextLine(1.minutes) ?: error("It said nothing: ${child.lastWords()}"))
        }

    private fun refusal() = shouldThrow<LabException> { RunLock.take("second", file) }.message.shouldNotBeNull()

    @Test
    fun `a second run in the same kernel is refused with who holds the lock`() {
        RunLock.take("threads", file).use {
            val sentence = refusal()
            sentence shouldStartWith "A run is going on already (threads, process $me, since 2"
            sentence shouldEndWith "Z). Concurrent runs disturb each other: wait for it, or stop it."
        }
    }

    @Test
    fun `a second run in another kernel is refused with who holds the lock`() {
        RunLock.take("threads", file).use {
            another("second") { _, said -> said shouldStartWith "A run is going on already (threads, process $me, since 2" }
        }
    }

    @Test
    fun `a refusal in the same kernel does not give the lock away to another`() {
        RunLock.take("threads", file).use {
            refusal()
            another("second") { _, said -> said shouldContain "process $me" }
        }
    }

    @Test
    fun `a run that another kernel makes is named with its process`() {
        another("far") { child, said ->
            said shouldBe "taken"
            refusal() shouldContain "(far, process ${child.pid}, since 2"
        }
    }

    @Test
    fun `a closed lock can be taken again, here and elsewhere, and leaves no file`() {
        RunLock.take("first", file).use { file.shouldExist() }
        file.shouldNotExist()
        RunLock.take("second", file).close()
        another("third") { child, said ->
            said shouldBe "taken"
            child.tell("end")
            child.awaitEnd(1.minutes) shouldBe true
        }
        file.shouldNotExist()
        RunLock.take("fourth", file).close()
        file.shouldNotExist()
    }

    @Test
    fun `the lock of a kernel that was killed is free`() {
        another("killed") { child, said ->
            said shouldBe "taken"
            child.close()
        }
        file.shouldExist()
        RunLock.take("next", file).use { refusal() shouldContain "next, process $me" }
        file.shouldNotExist()
    }

    @Test
    fun `who holds the lock is known here and in another kernel, with the run once it has a name`() {
        RunLock.holder(file) shouldBe null
        file.shouldNotExist()
        RunLock.take("threads", file).use { lock ->
            lock.names("20261121-120000-abcd")
            RunLock.holder(file).orEmpty() shouldEndWith "Z, run 20261121-120000-abcd"
            refusal() shouldContain "Z, run 20261121-120000-abcd). Concurrent runs"
            another("second") { _, said -> said shouldContain "Z, run 20261121-120000-abcd). Concurrent runs" }
        }
        another("far") { child, said ->
            said shouldBe "taken"
            RunLock.holder(file).orEmpty() shouldStartWith "far, process ${child.pid}, since 2"
        }
        // It was killed; to have looked is not to hold it.
        RunLock.holder(file) shouldBe null
        RunLock.take("next", file).close()
    }
}
