package clientlab.closedloop

import clientlab.*
import clientlab.client.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.io.IOException
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Whole closed loops, in this JVM, against the real server. */
class ClosedLoopTrialTest {
    private val server = RunningServer()

    @AfterEach
    fun close() = server.close()

    @Test
    fun `all calls are answered, and never more in flight than were asked for`() {
        val trial = trial(client(::SocketSession))
        trial.outcome shouldBe Outcome.Complete
        trial.metrics["requests"] shouldBe 40.0
        trial.metrics["failed"] shouldBe 0.0
        trial.metrics.getValue("inFlightPeak") shouldBeLessThanOrEqual 4.0
        trial.metrics.getValue("requestsPerSecond") shouldBeGreaterThan 0.0
        trial.metrics shouldContainKey "requestAllocatedBytes"
        trial.metrics["tlsHandshakes"] shouldBe 0.0
        trial.metrics["connectionsPerRequest"] shouldBe trial.evidence.shouldNotBeNull().connectionsPerRequest
        trial.evidence.shouldNotBeNull().arrived shouldBe 40
    }

    @Test
    fun `a call that fails makes the trial invalid, with the first reason`() {
        val broken = client { Around(SocketSession(it)) { number, send -> if (number == 30) throw IOException("cut") else send() } }
        val trial = trial(broken)
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.first() shouldStartWith "1 of 40 requests failed. The first: java.io.IOException: cut"
    }

    @Test
    fun `a closed loop keeps its series, and says whether it was steady`() {
        val trial = trial(client(::SocketSession), loop.copy(start = listOf(Start.Steady), steadyWithin = 1.seconds))
        trial.metrics["steady"] shouldBe 0.0
        val series = trial.series.shouldNotBeNull()
        series.answers.sum() - series.answers.take(series.warmUp).sum() shouldBe 40
    }

    @Test
    fun `a treatment names the protocol only if it is a factor, and a client that does not speak it is refused`() {
        val loop = ClosedLoop(listOf(info("mine").copy(protocols = listOf(Protocol.Http1))))
        loop.treatments.single()[Factor.PROTOCOL] shouldBe null
        loop.protocols shouldBe setOf(Protocol.Http1)
        shouldThrow<LabException> { loop.copy(protocol = listOf(Protocol.Https1)) }.message shouldBe
            "mine does not speak https/1.1: it speaks http/1.1, so leave one of the two out."
        val both = loop.copy(clients = listOf(info("mine").copy(protocols = Protocol.entries)), protocol = Protocol.entries)
        both.treatments.map { it[Factor.PROTOCOL] } shouldBe Protocol.entries.map { it.label }
        both.protocols shouldBe Protocol.entries.toSet()
    }

    private val loop = ClosedLoop(listOf(info("mine")), inFlight = listOf(4), requests = 40, delay = 5.milliseconds)

    private fun trial(client: Client, loop: ClosedLoop = this.loop): Trial {
        val kept = ArrayList<Trial>()
        server.probe().use { probe ->
            val spec = TrialSpec("made", 0, loop, loop.treatments.single(), server.address)
            ClosedLoopTrial(TrialScope(spec, probe, client) { kept += it }, loop).run()
        }
        return kept.single()
    }
}
