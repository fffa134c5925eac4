package clientlab.churn

import clientlab.*
import clientlab.client.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledOnOs
import org.junit.jupiter.api.condition.OS
import java.io.IOException
import java.net.Socket
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.seconds

/** Whole churns, in this JVM, against the real server. */
class ChurnTrialTest {
    private val server = RunningServer()
    private val held = ArrayList<AutoCloseable>()
    private val arrays = ArrayList<ByteArray>()

    @AfterEach
    fun close() {
        held.forEach { it.close() }
        server.close()
    }

    private val churn = Churn(listOf(info("mine")), cycles = 200)

    @Test
    fun `a client that closes what it opened leaves nothing behind`() {
        val trial = trial { SocketSession(it) }
        trial.outcome shouldBe Outcome.Complete
        trial.metrics["requests"] shouldBe 200.0
        trial.metrics["cyclesCounted"] shouldBe 180.0
        trial.metrics.getValue("descriptorsPerCycle") shouldBeLessThan 0.05
        trial.metrics.getValue("threadsLeftPerCycle") shouldBeLessThan 0.05
        trial.metrics.getValue("cycleHeapBytes") shouldBeLessThan 10_000.0
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    fun `what each cycle leaves behind is counted`() {
        val leaking = trial { conditions ->
            Around(SocketSession(conditions), onClose = {
                // Socket and thread, and 50,000 bytes of heap.
                val socket = Socket(conditions.baseUrl.host, conditions.baseUrl.port)
                val left = thread(isDaemon = true) { runCatching { Thread.sleep(60_000) } }
                arrays += ByteArray(50_000)
                held += AutoCloseable {
                    socket.close()
                    left.interrupt()
                }
            })
        }
        // The server is in this JVM, so each connection has both of its ends here.
        leaking.metrics.getValue("descriptorsPerCycle") shouldBe (2.0 plusOrMinus 0.05)
        leaking.metrics.getValue("threadsLeftPerCycle") shouldBe (1.0 plusOrMinus 0.05)
        leaking.metrics.getValue("cycleHeapBytes") shouldBe (50_000.0 plusOrMinus 15_000.0)
    }

    @Test
    fun `a churn that takes too long ends before, and says so`() {
        val slow = trial(churn.copy(atMost = 1.seconds)) { Around(SocketSession(it), onClose = { Thread.sleep(10) }) }
        slow.outcome shouldBe Outcome.Complete
        slow.metrics.getValue("cyclesCounted") shouldBeLessThan 81.0
        slow.warnings.single() shouldStartWith
            "${slow.metrics.getValue("cyclesCounted").toInt()} of 180 cycles came: then the time was over"
    }

    @Test
    fun `a request that fails makes the trial invalid`() {
        val broken = trial { Around(SocketSession(it)) { _, _ -> throw IOException("cut") } }
        broken.outcome shouldBe Outcome.Invalid
        broken.reasons.single() shouldStartWith "200 requests failed. The first: java.io.IOException: cut"
    }

    @Test
    fun `what cannot be is refused in a sentence`() {
        shouldThrow<LabException> { Churn(emptyList()) }.message.orEmpty() shouldStartWith "A churn needs a client"
        shouldThrow<LabException> { churn.copy(cycles = 2) }.message shouldBe "2 cycles are impossible here: ask for 20 to 100000."
    }

    private fun trial(churn: Churn = this.churn, session: (Conditions) -> Session): Trial {
        val kept = ArrayList<Trial>()
        server.probe().use { probe ->
            val spec = TrialSpec("made", 0, churn, churn.treatments.single(), server.address)
            ChurnTrial(TrialScope(spec, probe, client(session)) { kept += it }, churn).run()
        }
        return kept.single()
    }
}
