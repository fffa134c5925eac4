package clientlab.notebook.fork

import clientlab.*
import clientlab.idle.*
import clientlab.trial.*
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.minutes

class OutOfMemoryTest {
    private val server = ServerProcess.start()

    @AfterEach
    fun closeServer() = server.close()

    @Test
    @Tag("long")
    fun `a fork without memory is an invalid trial with that reason, and the next one is as good as ever`() {
        val broken = trial(IdleTasks(listOf(1_000_000), listOf(Mechanism.Coroutines), heapMiB = 32))
        broken.outcome shouldBe Outcome.Invalid
        broken.reasons.single() shouldContain "java.lang.OutOfMemoryError: Java heap space"
        trial(IdleTasks(listOf(10), listOf(Mechanism.Coroutines), heapMiB = 32)).outcome shouldBe Outcome.Complete
    }

    private fun trial(residents: IdleTasks) =
        residents.treatments.single().let { treatment ->
            TrialProcess(TrialJvm.classpath(), TrialJvm.options + residents.jvmArgs(treatment))
                .run(TrialSpec("made", 0, residents, treatment, server.address), 2.minutes)
                .single()
        }
}
