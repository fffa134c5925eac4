package clientlab.junit

import clientlab.client.*
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Test
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class CallsUnderWayTest {
    private val begun = AtomicInteger()
    private val ended = AtomicInteger()

    private val waiting = object : Session {
        override suspend fun send(request: Request): Reply = try {
            begun.incrementAndGet()
            awaitCancellation()
        } finally {
            // As a blocking call does, it ends only after its thread has seen the interrupt.
            withContext(NonCancellable) { delay(50.milliseconds) }
            ended.incrementAndGet()
        }

        override fun close() = Unit
    }

    @Test
    fun `calls that are cancelled end on the harness's own thread, and leave no other`() = runBlocking<Unit> {
        val calls = CallsUnderWay(waiting, 200)
        eventually(5.seconds) { begun.get() shouldBe 200 }
        val before = threads().toSet()
        calls.close()
        eventually(5.seconds) { ended.get() shouldBe 200 }
        delay(50.milliseconds)
        (threads() - before).map { it.name }.shouldBeEmpty()
        eventually(5.seconds) { before.count { it.name == "lab-calls" && it.isAlive } shouldBe 0 }
    }

    private fun threads() = Thread.getAllStackTraces().keys
}
