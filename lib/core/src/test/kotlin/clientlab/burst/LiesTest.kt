package clientlab.burst

import clientlab.*
import clientlab.client.*
import clientlab.closedloop.*
import clientlab.probe.*
import clientlab.server.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.maps.shouldContainAll
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.io.IOException
import java.net.Socket
import java.time.Instant
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.atomic.AtomicReference
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Set-ups that are broken on purpose, each in a whole trial: every one yields the outcome or the warning that is meant for it. */
class LiesTest {
    private val threads = RealThreads()
    private val server = threads.closing(RunningServer())
    private val jump = AtomicLong()

    @AfterEach
    fun close() = threads.close()

    @Test
    fun `a client with a limit that nobody declared is a wave with a warning, and its snapshot is of the wave`() {
        val trial = trial({ limited(it, 5) })
        trial.outcome shouldBe Outcome.Wave
        trial.reasons shouldContainExactly listOf("The server saw at most 5 of 10 in flight.")
        trial.warnings shouldContainExactly listOf("Only 5 of 10 were in flight at once, and the adapter declares no limit.")
        trial.metrics shouldContainAll mapOf("inFlightPeak" to 5.0, "snapshotInFlight" to 5.0, "threadsBlocked" to 5.0)
        trial.metrics.getValue("durationMs") shouldBeGreaterThanOrEqual 1000.0
    }

    @Test
    fun `a client with a lower limit than it declares is a wave with a warning`() {
        val trial = trial({ limited(it, 5) }, info("limited", limit = 8))
        trial.outcome shouldBe Outcome.Wave
        trial.warnings shouldContainExactly listOf("5 were in flight at once; the adapter declares 8.")
    }

    @Test
    fun `a client that answers from a cache is invalid`() {
        val trial = trial({ Around(SocketSession(it)) { number, send -> if (number == 0) send() else Reply(200) } })
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons shouldContain "The client sent 10 requests and the server saw 1."
        trial.reasons shouldContain "The client counted 10 answers and the server wrote 1."
    }

    @Test
    fun `a client that opens no connection and makes its answers up, each in good time, is invalid`() {
        val trial = trial({ conditions ->
            Around(SocketSession(conditions)) { _, _ ->
                delay(500.milliseconds)
                Reply(200)
            }
        })
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.take(2) shouldContainExactly
            listOf("The client sent 10 requests and the server saw 0.", "The client counted 10 answers and the server wrote 0.")
        trial.evidence.shouldNotBeNull().connectionsOpened shouldBe 0
    }

    @Test
    fun `a client that opens no connection, for it has kept those of its warm-up, is invalid`() {
        val idle = ConcurrentLinkedQueue<Socket>()
        threads.closing(AutoCloseable { idle.forEach(Socket::close) })
        val trial = trial({ PooledSession(it, idle) }, start = Start.Warm)
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons shouldContainExactly
            listOf(
                "10 requests at once had 10 connections and the session opened 0: " +
                    "the others were there before it, and the adapter declares 0 of that kind.",
            )
        trial.warnings shouldContainExactly listOf("The warm-up before it was invalid: 10 connections were left open after close.")
    }

    @Test
    fun `a client that sends all requests on one connection is warned of`() {
        val trial = trial(::PipeliningSession)
        trial.outcome shouldBe Outcome.Complete
        trial.warnings shouldContainExactly listOf("10 requests were in flight over at most 1 connections, so some shared one.")
    }

    @Test
    fun `a client that says it has an answer and does not wait for it is invalid by its own clock`() {
        val trial = trial({ conditions ->
            val behind = CoroutineScope(Dispatchers.IO)
            Around(SocketSession(conditions)) { number, send ->
                if (number > 0) {
                    send()
                } else {
                    behind.launch { send() }
                    Reply(200)
                }
            }
        })
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.first() shouldStartWith "The client had 1 answers before the delay of 500 ms was over, the first after "
    }

    @Test
    fun `a client that fails every hundredth request is invalid, with its failures by kind and its latencies of the others`() {
        val failing: (Conditions) -> Session = {
            Around(SocketSession(it)) { number, send ->
                when (number) {
                    99 -> throw IOException("no luck")
                    199 -> send().copy(status = 503)
                    else -> send()
                }
            }
        }
        val trial = trial(failing, n = 200)
        trial.outcome shouldBe Outcome.Invalid
        trial.errors shouldBe mapOf("IOException" to 1, "status 503" to 1)
        trial.reasons.first() shouldStartWith
            "2 of 200 requests failed: IOException (1), status 503 (1). The first: java.io.IOException: no luck"
        trial.metrics shouldContainAll mapOf("requests" to 200.0, "failed" to 2.0)
        trial.metrics.getValue("latencyP50Ms") shouldBeGreaterThanOrEqual 500.0
    }

    @Test
    fun `a client that hides a failure is invalid by the server's count of answers`() {
        val crooked = crooked { Served(drops = it == 3) }
        val hiding: (Conditions) -> Session = { Around(SocketSession(it)) { _, send -> runCatching { send() }.getOrDefault(Reply(200)) } }
        val trial = trial(hiding, at = crooked)
        trial.outcome shouldBe Outcome.Invalid
        trial.errors shouldBe emptyMap()
        trial.reasons shouldContainExactly listOf("The client counted 10 answers and the server wrote 9.")
    }

    @Test
    fun `a client that tries again without a word is invalid by the server's count of requests`() {
        val first = AtomicBoolean(true)
        val crooked = crooked { Served(drops = it == 3 && first.getAndSet(false)) }
        val trying: (Conditions) -> Session = {
            Around(SocketSession(it)) { _, send -> runCatching { send() }.getOrElse { send() } }
        }
        val trial = trial(trying, at = crooked)
        trial.outcome shouldBe Outcome.Invalid
        trial.errors shouldBe emptyMap()
        trial.reasons shouldContainExactly listOf("The client sent 10 requests and the server saw 11.")
    }

    @Test
    fun `a client that leaves a thread is invalid`() {
        val trial = trial({ Around(SocketSession(it), onClose = { threads.parked("leaky-1") }) })
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons shouldContainExactly listOf("1 threads were left after close: leaky-1.")
        trial.leaks.shouldNotBeNull().undeclared shouldContainExactly listOf("leaky-1")
    }

    @Test
    fun `a client that leaves a thread once in a JVM, and did so in the warm-up, is warned of`() {
        val first = AtomicBoolean(true)
        val leaky: (Conditions) -> Session = {
            if (first.getAndSet(false)) threads.parked("leaky-1")
            SocketSession(it)
        }
        trial(leaky, start = Start.Warm).warnings shouldContainExactly
            listOf("The warm-up before it was invalid: 1 threads were left after close: leaky-1.")
    }

    @Test
    fun `a client that leaves a connection open is invalid`() {
        val left = AtomicReference<Socket>()
        val leaky: (Conditions) -> Session = { conditions ->
            Around(SocketSession(conditions)) { number, send ->
                if (number == 0) left.set(threads.closing(Socket(conditions.baseUrl.host, conditions.baseUrl.port)))
                send()
            }
        }
        val trial = trial(leaky)
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons shouldContainExactly listOf("1 connections were left open after close.")
    }

    @Test
    fun `a client that answers from a cache makes a closed loop invalid too`() {
        val trial = loop({ Around(SocketSession(it)) { number, send -> if (number % 2 == 0) send() else Reply(200) } }, server.address)
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.first() shouldBe "The client sent 40 requests and the server saw 20."
    }

    @Test
    fun `a server that is made for these tests and behaves is complete, so that it is the lies that are found`() {
        val trial = trial(::SocketSession, at = crooked(), start = Start.Warm, timeline = true)
        trial.reasons shouldBe emptyList()
        trial.warnings shouldBe emptyList()
        trial.outcome shouldBe Outcome.Complete
        trial.metrics shouldContainAll mapOf("inFlightPeak" to 10.0, "threadsBlocked" to 10.0, "connectionsOpened" to 10.0)
    }

    @Test
    fun `a server that answers early is invalid by its own word and by the client's clock`() {
        val trial = trial(::SocketSession, at = crooked { Served(share = 0.2) })
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons[0] shouldBe "10 answers came before their delay."
        trial.reasons[1] shouldStartWith "The client had 10 answers before the delay of 500 ms was over, the first after "
    }

    @Test
    fun `a server that answers early and denies it is invalid by the client's clock`() {
        val trial = trial(::SocketSession, at = deny { Served(share = if (it == 7) 0.2 else 1.0) })
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.first() shouldStartWith "The client had 1 answers before the delay of 500 ms was over, the first after "
    }

    @Test
    fun `a server that answers early and tells nothing of it, as Jetty, is invalid by the client's clock`() {
        val burst = Burst(listOf(info("plain")), listOf(10), DELAY, start = listOf(Start.Cold), server = listOf(Server.Jetty))
        val peers = mapOf(Peer.Jetty to "${deny { Served(share = 0.2) }.address.baseUrl}")
        val spec = TrialSpec("test", 0, burst, burst.treatments.single(), server.address, peers)
        val trial = server.probe().use { probe ->
            buildList { burstTrial(TrialScope(spec, probe, client(::SocketSession), ::add), burst) }.single()
        }
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.single() shouldStartWith "The client had 10 answers before the delay of 500 ms was over, the first after "
    }

    @Test
    fun `a server that answers early makes a closed loop invalid too`() {
        val trial = loop(::SocketSession, deny { Served(share = 0.0) }.address)
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.single() shouldContain "answers before the delay of 5 ms was over, the first after "
    }

    @Test
    fun `a server that answers late is warned of, for what it adds is no client's`() {
        val trial = trial(::SocketSession, at = crooked { Served(lateMs = if (it == 7) 300 else 0) })
        trial.outcome shouldBe Outcome.Complete
        trial.warnings.single() shouldStartWith
            "The server itself was late: its slowest answers (99th percentile) were written "
    }

    @Test
    fun `a server that drops a connection is invalid`() {
        val trial = trial(::SocketSession, at = crooked { Served(drops = it == 3) })
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons shouldContainExactly
            listOf("1 of 10 requests failed: IOException (1). The first: java.io.IOException: closed without an answer")
        trial.evidence.shouldNotBeNull().abandoned shouldBe 1
    }

    @Test
    fun `a server that is busy and turns requests away is invalid`() {
        val busy = threads.closing(RunningServer(ServerSettings(maxInFlight = 3)))
        val trial = trial(::SocketSession, at = busy.address)
        trial.outcome shouldBe Outcome.Invalid
        trial.errors shouldBe mapOf("status 503" to 7)
        trial.reasons.first() shouldBe "7 of 10 requests failed: status 503 (7). The first: status 503"
    }

    @Test
    fun `a server that is busy and leaves connections waiting in a full queue is invalid`() {
        val crooked = threads.closing(CrookedServer(tell = { it.copy(listenOverflows = 7) }))
        trial(::SocketSession, at = crooked).reasons shouldContainExactly
            listOf("An accept queue on the server's machine ran over 7 times, so connections were retried.")
    }

    @Test
    fun `a clock of the server that jumps during the trial makes it invalid`() {
        val crooked = threads.closing(
            CrookedServer(clock = { System.nanoTime() + jump.get() }) {
                jump.set(1.seconds.inWholeNanoseconds)
                Served()
            },
        )
        val trial = trial(::SocketSession, at = crooked)
        trial.outcome shouldBe Outcome.Invalid
        val (moved) = checkNotNull(MOVED.matchEntire(trial.reasons.single())).destructured
        moved.toLong() shouldBeInRange 980L..1020L
    }

    @Test
    fun `a clock of the server that is hours ahead and keeps step is taken off, and no warning is given`() {
        val crooked = threads.closing(CrookedServer(clock = { System.nanoTime() + 5.hours.inWholeNanoseconds }))
        val trial = trial(::SocketSession, at = crooked, timeline = true)
        trial.outcome shouldBe Outcome.Complete
        trial.warnings shouldBe emptyList()
        val arrived = trial.timeline.shouldNotBeNull().arrivedMs.map { it.shouldNotBeNull() }
        arrived.forEach { it shouldBeGreaterThanOrEqual 0.0 }
        trial.timeline
            .shouldNotBeNull()
            .readMs
            .zip(arrived)
            .forEach { (read, at) -> read.shouldNotBeNull() shouldBeGreaterThanOrEqual at }
    }

    @Test
    fun `a clock by which requests arrive before they were asked is warned of`() {
        otherClock((-5).seconds.inWholeNanoseconds) shouldContainExactly
            listOf("10 requests arrived before they were asked: the clocks differ.")
    }

    @Test
    fun `a clock by which requests arrive after they were answered is warned of`() {
        otherClock(5.seconds.inWholeNanoseconds) shouldContainExactly
            listOf("10 requests arrived after their answers had been read: the clocks differ.")
    }

    @Test
    fun `a clock of the system that is set, or has stood still, during a burst is warned of`() {
        val jumping: (Conditions) -> Session = {
            Around(SocketSession(it)) { _, send ->
                jump.set(1)
                send()
            }
        }
        val trial = trial(jumping, date = { Instant.now().plusSeconds(-3_600 * jump.get()) })
        trial.outcome shouldBe Outcome.Complete
        trial.warnings.single() shouldStartWith "The system's date moved by -3"
    }

    /** The warnings of a trial whose server tells its times by a clock that is [ahead], and says that it is ours. */
    private fun otherClock(ahead: Long): List<String> {
        val crooked = threads.closing(CrookedServer(clock = { System.nanoTime() + ahead }, toldClock = System::nanoTime))
        return trial(::SocketSession, at = crooked, timeline = true).warnings
    }

    /** Tells nothing of what it does too early. */
    private fun deny(serve: (Int) -> Served) = threads.closing(CrookedServer(tell = { it.copy(answeredEarly = 0) }, serve = serve))

    private fun crooked(serve: (Int) -> Served = { Served() }) = threads.closing(CrookedServer(serve = serve))

    private fun trial(session: (Conditions) -> Session, at: CrookedServer, start: Start = Start.Cold, timeline: Boolean = false): Trial =
        trial(session, at = at.address, start = start, timeline = timeline)

    private fun trial(
        session: (Conditions) -> Session,
        info: ClientInfo = info("lying"),
        n: Int = 10,
        start: Start = Start.Cold,
        at: ServerAddress = server.address,
        timeline: Boolean = false,
        date: () -> Instant = Instant::now,
    ): Trial {
        val burst = Burst(listOf(info), listOf(n), DELAY, start = listOf(start), timeline = timeline)
        val spec = TrialSpec("test", 0, burst, burst.treatments.single(), at)
        return ServerProbe(at).use { probe ->
            buildList { burstTrial(TrialScope(spec, probe, client(session), ::add), burst, date) }.last()
        }
    }

    private fun loop(session: (Conditions) -> Session, at: ServerAddress): Trial {
        val loop = ClosedLoop(listOf(info("lying")), inFlight = listOf(4), requests = 40, delay = 5.milliseconds)
        val spec = TrialSpec("test", 0, loop, loop.treatments.single(), at)
        return ServerProbe(at).use { probe ->
            buildList { ClosedLoopTrial(TrialScope(spec, probe, client(session), ::add), loop).run() }.single()
        }
    }

    private companion object {
        val DELAY = 500.milliseconds
        val MOVED = Regex("The server's clock moved by (\\d+) ms against the client's during the trial, so no time of it counts\\.")
    }
}
