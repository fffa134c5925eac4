package clientlab.burst

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.maps.shouldContainAll
import io.kotest.matchers.maps.shouldNotContainKey
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.io.IOException
import java.util.concurrent.FutureTask
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** Whole trials, in this JVM, of clients that are honest; those that are not are in [LiesTest]. */
class BurstTrialTest {
    private val server = RunningServer()

    @AfterEach
    fun close() = server.close()

    @Test
    fun `a thread a request is complete, and every one of those threads is counted as blocked`() {
        // A thread that has sent and is not in its read yet is none that waits: on a busy machine one may be late, so look again.
        val trials = generateSequence { trial(info("blocking"), client(::SocketSession)) }.take(3)
        val trial = trials.firstOrNull { it.metrics["threadsBlocked"] == 20.0 } ?: trials.first()
        trial.isComplete(20)
        trial.metrics shouldContainAll
            mapOf("threadsBlocked" to 20.0, "threadsBlockedInRead" to 20.0, "activeUnparkedNew" to 20.0, "virtualThreads" to 0.0)
        trial.threads.single { it.state == ThreadState.BlockedInRead }.count shouldBe 20
        trial.leaks.shouldNotBeNull().threads shouldBe emptyList()
        trial.evidence.shouldNotBeNull().connectionsOpened shouldBe 20
        trial.metric("threadsPeak") shouldBeGreaterThanOrEqual 20.0
    }

    @Test
    fun `a thread a request that parks is blocked as well, where the rule of source 000 sees none`() {
        val trial = trial(info("parking"), client { ParkingSession(it) })
        trial.isComplete(20)
        trial.metrics shouldContainAll mapOf("threadsBlocked" to 20.0, "threadsParkedInRequest" to 20.0)
        trial.metric("activeUnparkedNew") shouldBeLessThan 20.0
    }

    @Test
    fun `virtual threads are counted as such, and block no platform thread`() {
        val trial = trial(info("virtual"), client { SocketSession(it, CallerThreads.Virtual) })
        trial.isComplete(20)
        trial.metrics shouldContainAll mapOf("threadsBlocked" to 0.0, "virtualThreads" to 20.0)
    }

    @Test
    fun `an asynchronous client is complete without a blocked thread`() {
        val trial = trial(info("async", expectedLeftovers = AsyncSession.LEAVES), client(::AsyncSession))
        trial.isComplete(20)
        trial.metric("threadsBlocked") shouldBe 0.0
        trial.metric("threadsInSelector") shouldBe 1.0
    }

    @Test
    fun `times are no shorter than the delay, and percentiles are in order`() {
        val trial = trial(info("blocking"), client(::SocketSession))
        trial.metric("latencyP50Ms") shouldBeGreaterThanOrEqual 1000.0
        trial.metric("latencyP99Ms") shouldBeGreaterThanOrEqual trial.metric("latencyP50Ms")
        trial.metric("latencyMaxMs") shouldBeGreaterThanOrEqual trial.metric("latencyP99Ms")
        trial.metric("durationMs") shouldBeGreaterThanOrEqual trial.metric("latencyMaxMs")
        trial.metric("snapshotAtMs") shouldBeLessThan trial.metric("durationMs") + trial.metric("openMs")
        trial.metric("cpuSeconds") shouldBeGreaterThanOrEqual 0.0
        trial.metric("allocatedBytes") shouldBeGreaterThan 0.0
        trial.curves.values.forEach { it.size shouldBeLessThanOrEqual 200 }
    }

    @Test
    fun `a warm trial keeps its warm-up, flagged, and a cold one has none`() {
        trials(info("blocking"), client(::SocketSession), start = Start.Warm).map { it.warmup } shouldContainExactly listOf(true, false)
        trials(info("blocking"), client(::SocketSession), start = Start.Cold).map { it.warmup } shouldContainExactly listOf(false)
    }

    @Test
    fun `a warm-up has a session of its own, closed before the measured one is opened`() {
        val events = ArrayList<String>()
        val own = client { conditions ->
            events += "open"
            Around(SocketSession(conditions), onClose = { events += "close" })
        }
        trials(info("blocking"), own, start = Start.Warm)
        events shouldContainExactly listOf("open", "close", "open", "close")
    }

    @Test
    fun `a limit that is declared is a wave without a warning`() {
        val trial = trial(info("limited", limit = 5), client { limited(it, 5) }, n = 10)
        trial.outcome shouldBe Outcome.Wave
        trial.warnings shouldBe emptyList()
    }

    @Test
    fun `a client that only fails is invalid and has no latency`() {
        val trial = trial(info("broken"), client { conditions -> Around(SocketSession(conditions)) { _, _ -> throw IOException("never") } })
        trial.outcome shouldBe Outcome.Invalid
        trial.errors shouldBe mapOf("IOException" to 20)
        trial.metrics shouldNotContainKey "latencyP50Ms"
        trial.metrics shouldNotContainKey "threadsBlocked"
        trial.threads shouldBe emptyList()
    }

    @Test
    fun `answers that come before the snapshot make the trial invalid and leave no count of threads`() {
        val trial = trial(info("blocking"), client { limited(it, 2) }, n = 6, delay = Duration.ZERO)
        trial.outcome shouldBe Outcome.Invalid
        trial.metrics shouldNotContainKey "threadsBlocked"
        trial.metrics shouldNotContainKey "threadsNew"
        trial.threads shouldBe emptyList()
    }

    @Test
    fun `a server that ends in mid-trial ends the trial with a sentence`() {
        val killer = FutureTask {
            server.probe().use { it.await(20, 1.minutes) }
            server.stop()
        }
        Thread.ofPlatform().daemon().name("lab-killer").start(killer)
        val lines = ArrayList<Trial>()
        val gone = shouldThrow<ServerGone> { run(info("blocking"), client(::SocketSession), 20, 30.seconds, Start.Cold, lines::add) }
        gone.message shouldBe "The delay server ended, or stopped answering, during the trial."
        killer.get()
        lines shouldBe emptyList()
    }

    private fun Trial.isComplete(n: Int) {
        reasons shouldBe emptyList()
        outcome shouldBe Outcome.Complete
        warnings shouldBe emptyList()
        errors shouldBe emptyMap()
        evidence.shouldNotBeNull().peakInFlight shouldBe n.toLong()
        metrics shouldContainAll
            mapOf("inFlightPeak" to n.toDouble(), "snapshotInFlight" to n.toDouble(), "failed" to 0.0, "requests" to n.toDouble())
    }

    private fun Trial.metric(name: String) = metrics[name].shouldNotBeNull()

    private fun trial(info: ClientInfo, client: Client, n: Int = 20, delay: Duration = 1.seconds) = trials(info, client, n, delay).single()

    private fun trials(info: ClientInfo, client: Client, n: Int = 20, delay: Duration = 1.seconds, start: Start = Start.Cold) =
        buildList { run(info, client, n, delay, start, ::add) }

    private fun run(info: ClientInfo, client: Client, n: Int, delay: Duration, start: Start, keep: (Trial) -> Unit) {
        val burst = Burst(listOf(info), listOf(n), delay, start = listOf(start))
        val treatment = burst.treatments.single()
        treatment.number(Factor.IN_FLIGHT) shouldBe n.toLong()
        ServerProbe(server.address).use { probe ->
            burstTrial(TrialScope(TrialSpec("test", 0, burst, treatment, server.address), probe, client, keep), burst)
        }
    }
}
