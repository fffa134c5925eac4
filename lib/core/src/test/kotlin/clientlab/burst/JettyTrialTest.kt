package clientlab.burst

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.comparables.shouldBeGreaterThanOrEqualTo
import io.kotest.matchers.maps.shouldContainAll
import io.kotest.matchers.maps.shouldNotContainKey
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds

/** Trials against a server that tells as much as Jetty does, and no more. */
class JettyTrialTest {
    private val delayServer = RunningServer()
    private val jetty = TalkativeServer()
    private val burst =
        Burst(listOf(info("plain")), listOf(20), 200.milliseconds, start = listOf(Start.Cold), server = listOf(Server.Jetty), again = 1)

    @AfterEach
    fun close() {
        jetty.close()
        delayServer.close()
    }

    @Test
    fun `it is judged by what Jetty saw, and has no count of threads or connections`() {
        val trial = trial(client(::SocketSession)).single()
        trial.reasons shouldBe emptyList()
        trial.outcome shouldBe Outcome.Complete
        trial.metrics shouldContainAll mapOf("inFlightPeak" to 20.0, "requestsHttp1" to 20.0, "failed" to 0.0)
        trial.metrics["durationAgainMs"].shouldNotBeNull() shouldBeGreaterThanOrEqualTo 200.0
        listOf("threadsNew", "connectionsOpened", "connectionsOpenedAgain").forEach { trial.metrics shouldNotContainKey it }
        delayServer.evidence().arrived shouldBe 0
    }

    @Test
    fun `a warm trial warms up against the same server`() {
        val warm = burst.copy(start = listOf(Start.Warm))
        trial(client(::SocketSession), warm).map { it.warmup } shouldContainExactly listOf(true, false)
    }

    @Test
    fun `a limit is a wave there too`() {
        trial(client { limited(it, 5) }).single().outcome shouldBe Outcome.Wave
    }

    @Test
    fun `without an address it is refused in a sentence`() {
        shouldThrow<LabException> { trial(client(::SocketSession), peers = emptyMap()) }.message shouldBe
            "The treatment asks for Jetty, and the trial was not told where it is."
    }

    private fun trial(
        client: Client,
        burst: Burst = this.burst,
        peers: Map<Peer, String> = mapOf(Peer.Jetty to jetty.baseUrl),
    ): List<Trial> =
        ServerProbe(delayServer.address).use { probe ->
            val spec = TrialSpec("test", 0, burst, burst.treatments.single(), delayServer.address, peers)
            buildList { burstTrial(TrialScope(spec, probe, client, ::add), burst) }
        }
}
