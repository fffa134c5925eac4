package clientlab.streams

import clientlab.*
import clientlab.client.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.maps.shouldNotContainKey
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import org.junit.jupiter.api.Test
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Whole trials with real streams, in this JVM, against the real server. */
class StreamsTrialTest {
    private val streams =
        Streams(listOf(info("mine")), streams = listOf(20), feed = listOf(Feed.EverySecond), settle = 500.milliseconds, hold = 2.seconds)

    @Test
    fun `streams are held and read as they come, a slow reader beside them changes nothing, and it can be cancelled`() {
        val trial = trial { StreamingSession(it) }
        trial.outcome shouldBe Outcome.Complete
        trial.metrics["heldInFlight"] shouldBe 20.0
        trial.metrics["connectionsOpened"] shouldBe 20.0
        trial.metrics["threadsBlocked"] shouldBe 20.0
        trial.metrics["failed"] shouldBe 0.0
        trial.metrics.getValue("dueShare") shouldBe (1.0 plusOrMinus 0.1)
        trial.metrics.getValue("unreadBytes") shouldBeLessThan 65.0
        trial.metrics.getValue("besideSlowShare") shouldBe (1.0 plusOrMinus 0.1)
        trial.metrics.getValue("besideCancelledShare") shouldBe (1.0 plusOrMinus 0.1)
        trial.metrics.getValue("cancelMs") shouldBeLessThan 2_000.0
    }

    @Test
    fun `an idle stream brings one event, and nothing is due`() {
        val trial = trial(streams.copy(feed = listOf(Feed.Idle))) { StreamingSession(it) }
        trial.outcome shouldBe Outcome.Complete
        trial.evidence?.bytesSent shouldBe 20L * 64
        trial.metrics shouldNotContainKey "dueShare"
        trial.metrics shouldNotContainKey "besideSlowShare"
    }

    @Test
    fun `a download brings its bytes, and what is fed faster than it is read waits in buffers`() {
        val download = trial(streams.copy(feed = listOf(Feed.Download))) { StreamingSession(it) }
        download.outcome shouldBe Outcome.Complete
        download.metrics.getValue("dueShare") shouldBe (1.0 plusOrMinus 0.1)
        val fast = trial(streams.copy(feed = listOf(Feed.FasterThanRead))) { StreamingSession(it) }
        fast.outcome shouldBe Outcome.Complete
        fast.metrics.getValue("unreadBytes") shouldBeGreaterThan 8_192.0
    }

    @Test
    fun `what a client keeps for each stream is counted in its heap`() {
        val kept = ConcurrentLinkedQueue<ByteArray>()
        val trial = trial(streams.copy(feed = listOf(Feed.Idle))) { conditions ->
            Around(StreamingSession(conditions)) { _, send ->
                kept += ByteArray(1_000_000)
                send()
            }
        }
        kept.size shouldBe 23
        trial.metrics.getValue("streamHeapBytes") shouldBe (1_000_000.0 plusOrMinus 150_000.0)
    }

    @Test
    fun `a client with a limit holds no more streams than that`() {
        val trial = trial { conditions ->
            val places = Semaphore(5)
            Around(StreamingSession(conditions)) { _, send -> places.withPermit { send() } }
        }
        trial.outcome shouldBe Outcome.Wave
        trial.reasons shouldBe listOf("The server saw at most 5 of 20 streams.")
        trial.metrics["heldInFlight"] shouldBe 5.0
        trial.metrics shouldNotContainKey "openStreamsMs"
        trial.metrics shouldNotContainKey "besideSlowShare"
    }

    @Test
    fun `a stream that the client gives up makes the trial invalid`() {
        val trial = trial(streams.copy(feed = listOf(Feed.Idle))) { StreamingSession(it, readTimeoutMs = 400) }
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.first() shouldStartWith "20 streams ended while they were held. The first: java.net.SocketTimeoutException"
        trial.metrics["failed"] shouldBe 20.0
    }

    @Test
    fun `what cannot be is refused in a sentence`() {
        shouldThrow<LabException> { Streams(emptyList()) }.message.orEmpty() shouldStartWith "Streams need a client"
        shouldThrow<LabException> { streams.copy(streams = listOf(0)) }.message shouldBe
            "0 streams are impossible here: ask for 1 to 10000."
        shouldThrow<LabException> { streams.copy(settle = 40.seconds, hold = 10.seconds) }.message shouldBe
            "To settle for 40s and hold for 10s is impossible: hold for 1 s at least, and for 45s at most with the settling."
    }

    @Test
    fun `WebSockets are asked of clients that open them alone, and in HTTP 1_1`() {
        shouldThrow<LabException> { streams.copy(feed = listOf(Feed.SocketIdle)) }.message shouldBe
            "mine opens no WebSockets here: leave it out, or ask for server-sent events."
        val able = listOf(info("mine").copy(webSockets = true))
        shouldThrow<LabException> { Streams(able, feed = listOf(Feed.SocketIdle), protocol = listOf(Protocol.H2c)) }.message shouldBe
            "A WebSocket is opened in HTTP/1.1 here: leave HTTP/2 out, or ask for server-sent events."
    }

    private fun trial(streams: Streams = this.streams, session: (Conditions) -> Session): Trial = RunningServer().use { server ->
        val kept = ArrayList<Trial>()
        server.probe().use { probe ->
            val spec = TrialSpec("made", 0, streams, streams.treatments.single(), server.address)
            StreamsTrial(TrialScope(spec, probe, client(session)) { kept += it }, streams).run()
        }
        kept.single()
    }
}
