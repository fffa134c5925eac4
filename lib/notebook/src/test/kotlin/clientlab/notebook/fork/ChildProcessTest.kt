package clientlab.notebook.fork

import clientlab.child.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

class ChildProcessTest {
    private fun echo(vararg words: String) = ChildProcess(ownJvm(EchoRun::class.java.name, *words))

    @Test
    fun `it is told lines and answers in lines`() {
        echo("one", "two").use { child ->
            child.nextLine(1.minutes) shouldBe "one"
            child.nextLine(1.minutes) shouldBe "two"
            child.tell("three")
            child.nextLine(1.minutes) shouldBe "heard three"
            child.exitCode shouldBe null
        }
    }

    @Test
    fun `a closed child is gone when close returns`() {
        val child = echo("one")
        child.nextLine(1.minutes) shouldBe "one"
        child.alive shouldBe true
        child.close()
        child.alive shouldBe false
        ProcessHandle.of(child.pid).map { it.isAlive }.orElse(false) shouldBe false
    }

    @Test
    fun `one that says nothing is waited for no longer than asked`() {
        echo().use { child ->
            child.nextLine(Duration.ZERO) shouldBe null
            child.alive shouldBe true
        }
    }

    @Test
    fun `one that ended has no next line, but an exit code and its last words`() {
        ChildProcess(ownJvm("clientlab.NoSuchMain")).use { child ->
            child.nextLine(1.minutes) shouldBe null
            child.awaitEnd(1.minutes) shouldBe true
            child.exitCode shouldBe 1
            child.lastWords().shouldNotBeEmpty()
            child.lastWords().first() shouldContain "clientlab.NoSuchMain"
        }
    }

    @Test
    fun `an interrupt ends the wait for a line, and the child can be closed all the same`() {
        val child = echo("one")
        child.nextLine(1.minutes) shouldBe "one"
        try {
            Thread.currentThread().interrupt()
            shouldThrow<InterruptedException> { child.nextLine(1.minutes) }
            Thread.currentThread().interrupt()
        } finally {
            child.close()
        }
        Thread.interrupted() shouldBe true
        child.alive shouldBe false
    }
}
