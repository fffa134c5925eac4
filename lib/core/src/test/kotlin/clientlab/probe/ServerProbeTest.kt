package clientlab.probe

import clientlab.*
import clientlab.server.*
import clientlab.testing.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.net.ServerSocket
import java.util.concurrent.FutureTask
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class ServerProbeTest {
    private val server = RunningServer()
    private val probe = server.probe()

    @AfterEach
    fun close() {
        probe.close()
        server.close()
    }

    @Test
    fun `what the server saw is told, and the control connection is none of it`() {
        val socket = server.ask(seconds = 0)
        socket.getInputStream().read()
        val seen = probe.evidence()
        seen.arrived shouldBe 1
        seen.answered shouldBe 1
        seen.answeredOk shouldBe 1
        seen.answeredEarly shouldBe 0
        seen.inFlight shouldBe 0
        seen.peakInFlight shouldBe 1
        seen.connectionsOpened shouldBe 1
        seen.connectionsOpen shouldBe 1
        seen.requestsByProtocol shouldBe mapOf("http/1.1" to 1L)
        seen.overshootMs.shouldNotBeNull().max.shouldNotBeNull() shouldBeGreaterThanOrEqual 0.0
        seen.inFlightCurve.map { it[1] } shouldBe listOf(0.0, 1.0, 0.0)
    }

    @Test
    fun `before the first request there is nothing, and no percentile of nothing`() {
        val seen = probe.evidence()
        seen.arrived shouldBe 0
        seen.overshootMs shouldBe Overshoot(count = 0, within = emptyList())
    }

    @Test
    fun `a reset forgets what was counted and keeps what is open`() {
        server.ask(seconds = 0).getInputStream().read()
        server.ask(seconds = 30)
        probe.await(1, 1.minutes).reached shouldBe true
        probe.reset()
        val seen = probe.evidence()
        seen.arrived shouldBe 0
        seen.answered shouldBe 0
        seen.connectionsOpened shouldBe 0
        seen.connectionsOpen shouldBe 2
        seen.inFlight shouldBe 1
        seen.peakInFlight shouldBe 1
    }

    @Test
    fun `a level in flight is awaited, and told as soon as it is there`() {
        val awaiting = FutureTask { probe.await(3, 1.minutes) }
        Thread.ofPlatform().daemon().start(awaiting)
        repeat(3) { server.ask(seconds = 30) }
        awaiting.get() shouldBe Awaited(reached = true, inFlight = 3)
    }

    @Test
    fun `a level that is not reached in time is told with what there was`() {
        server.ask(seconds = 30)
        eventually { server.evidence().inFlight == 1 }
        probe.await(2, 10.milliseconds) shouldBe Awaited(reached = false, inFlight = 1, peak = 1)
    }

    @Test
    fun `a numbered request is told with its connection and its times, on our own clock`() {
        val before = System.nanoTime()
        server.ask(seconds = 0).getInputStream().read()
        val seen = probe.requests()
        seen.dropped shouldBe 0
        val request = seen.requests.single()
        request.number shouldBe 1
        request.connection shouldBe 1
        request.arrivedNanos shouldBeInRange before..request.answeredNanos.shouldNotBeNull()
        request.answeredNanos.shouldNotBeNull() shouldBeInRange before..System.nanoTime()
        probe.reset()
        probe.requests().requests shouldBe emptyList()
    }

    @Test
    fun `the clock of a server in this very process is ours`() {
        probe.clock().isOurs shouldBe true
    }

    @Test
    fun `a server that ends in mid-use is said to be gone, and again at the next question`() {
        probe.evidence().arrived shouldBe 0
        val awaiting = FutureTask { runCatching { probe.await(5, 1.minutes) } }
        Thread.ofPlatform().daemon().start(awaiting)
        server.stop()
        val gone = awaiting.get().exceptionOrNull()
        (gone is ServerGone) shouldBe true
        gone?.message shouldBe GONE
        repeat(2) { shouldThrow<ServerGone> { probe.evidence() }.message shouldBe GONE }
        shouldThrow<ServerGone> { probe.reset() }
    }

    @Test
    fun `a server that wants its token is told it, and says so where it is not`() {
        RunningServer(ServerSettings(token = "a-token-for-this-test")).use { locked ->
            locked.probe().use { it.evidence().arrived shouldBe 0 }
            ServerProbe(locked.address.copy(token = "another-token")).use { stranger ->
                shouldThrow<ServerGone> { stranger.reset() }.message shouldBe
                    "The delay server's control port wants its token, which it printed at start: give it as ServerAddress.token."
            }
        }
    }

    @Test
    fun `where nothing listens the server is gone from the beginning`() {
        val port = ServerSocket(0).use { it.localPort }
        shouldThrow<ServerGone> { ServerProbe(ServerAddress("127.0.0.1", port, port)) }.message shouldBe GONE
    }

    @Test
    fun `an answer that is none is a server that is gone, with what it said as the cause`() {
        shouldThrow<ServerGone> { probe.await(0, 1.seconds) }
            .cause
            ?.message
            .shouldNotBeNull()
            .contains("400") shouldBe true
    }

    private companion object {
        const val GONE = "The delay server ended, or stopped answering, during the trial."
    }
}
