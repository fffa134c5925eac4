package clientlab.outage

import clientlab.*
import clientlab.child.*
import clientlab.client.*
import clientlab.testing.*
import clientlab.trial.*
import clientlab.wire.Relay
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.maps.shouldNotContainKey
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.net.InetSocketAddress
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Whole trials in this JVM: real streams through a real relay to the real server. */
class OutageTrialTest {
    private val outage = Outage(listOf(info("mine")), streams = 5, readTimeout = 1.5.seconds, silence = 2.seconds, after = 4.seconds)
    private val server = RunningServer()
    private val relay = Relay(InetSocketAddress(server.address.host, server.address.port))
    private val relayed = relay.start().let { server.address.copy(port = it.port, relayControlPort = it.controlPort) }

    @AfterEach
    fun close() {
        relay.close()
        server.close()
    }

    @Test
    fun `a client with a read time-out notices, and its callers read again`() {
        val trial = trial { StreamingSession(it, readTimeoutMs = 1_500) }
        trial.outcome shouldBe Outcome.Complete
        trial.metrics["heldInFlight"] shouldBe 5.0
        trial.metrics["noticedShare"] shouldBe 1.0
        // The last event came up to a second before the silence.
        trial.metrics.getValue("noticedMs").shouldBeBetween(450.0, 1_900.0, 0.0)
        trial.metrics["backShare"] shouldBe 1.0
        trial.metrics.getValue("backMaxMs").shouldBeBetween(1.0, 2_000.0, 0.0)
        trial.metrics["deadStreams"] shouldBe 5.0
        trial.errors shouldBe mapOf("SocketTimeoutException" to trial.metrics.getValue("failed").toInt())
    }

    @Test
    fun `a client without one never notices, and the next trial finds no dead stream of it`() {
        val trial = trial { StreamingSession(it) }
        trial.outcome shouldBe Outcome.Complete
        trial.metrics["noticedShare"] shouldBe 0.0
        trial.metrics["backShare"] shouldBe 0.0
        trial.metrics["deadStreams"] shouldBe 5.0
        listOf("noticedMs", "backMs", "backMaxMs").forEach { trial.metrics shouldNotContainKey it }
        trial(outage.copy(after = 1.seconds)) { StreamingSession(it) }.metrics["heldInFlight"] shouldBe 5.0
    }

    @Test
    fun `a client that opens fewer streams, or ends them early, tells nothing`() {
        val limited = trial { conditions ->
            val places = Semaphore(3)
            Around(StreamingSession(conditions)) { _, send -> places.withPermit { send() } }
        }
        limited.outcome shouldBe Outcome.Invalid
        limited.reasons.first() shouldBe "The server saw 3 streams of 5 before the silence."
        val hasty = trial { StreamingSession(it, readTimeoutMs = 700) }
        hasty.outcome shouldBe Outcome.Invalid
        hasty.reasons.last() shouldContain "streams had ended before the silence. The first: java.net.SocketTimeoutException"
    }

    @Test
    fun `what cannot be is refused in a sentence`() {
        shouldThrow<LabException> { Outage(emptyList()) }.message.orEmpty() shouldStartWith "An outage needs a client"
        shouldThrow<LabException> { outage.copy(readTimeout = 900.milliseconds) }.message shouldBe
            "A read time-out of 900ms ends streams that live, because an event comes every second: give 1.5s at least."
        shouldThrow<LabException> { outage.copy(silence = 40.seconds, after = 10.seconds) }.message shouldBe
            "A silence of 40s and 10s behind it are impossible: give 2s and 1 s at least, and 45s for both at most."
    }

    private fun trial(outage: Outage = this.outage, session: (Conditions) -> Session): Trial {
        val kept = ArrayList<Trial>()
        server.probe().use { probe ->
            val spec = TrialSpec("made", 0, outage, outage.treatments.single(), relayed)
            OutageTrial(TrialScope(spec, probe, client(session)) { kept += it }, outage).run()
        }
        return kept.single()
    }
}
