package clientlab.openloop

import clientlab.*
import clientlab.client.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledOnOs
import org.junit.jupiter.api.condition.OS
import java.io.IOException
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Whole loads at planned times, in this JVM, against the real server. */
class OpenLoopTrialTest {
    private val server = RunningServer()

    @AfterEach
    fun close() = server.close()

    private val usual = OpenLoop(listOf(info("mine")), rate = listOf(200), seconds = 1, warmUp = 1.seconds)

    @Test
    fun `every planned request is sent and answered, and takes the delay at least`() {
        val trial = trial(usual)
        trial.outcome shouldBe Outcome.Complete
        trial.metrics["requests"] shouldBe 200.0
        trial.metrics["answeredShare"] shouldBe 1.0
        trial.metrics["neverSent"] shouldBe 0.0
        trial.metrics.getValue("latencyP50Ms") shouldBeGreaterThanOrEqual 5.0
        trial.metrics.getValue("latencyP99Ms") shouldBeGreaterThanOrEqual trial.metrics.getValue("sentLatencyP50Ms")
        trial.evidence.shouldNotBeNull().arrived shouldBe 200
    }

    /**
     * Of requests at a steady rate the last share S / P of each period P is due in a pause of S and waits for what is left of it, any time
     * from 0 to S alike: so the p-th quantile is delay + S − (1 − p)·P. A closed loop of c callers has c requests in a pause and no more.
     * They are less than one in a hundred of what it sends as long as an undisturbed answer takes less than (P − S) / 100, 45 ms here, so
     * its 99th percentile is an undisturbed request's.
     */
    @Tag("long")
    @Test
    fun `behind a server that pauses, the closed loop hides what the open one tells, by as much as theory says`() {
        val pausing = usual.copy(
            rate = listOf(500),
            seconds = 5,
            pause = Pause(500.milliseconds, 5.seconds),
            callers = 4,
            warmUp = 3.seconds,
        )
        val theory = 5 + 500 - 0.01 * 5_000
        val open = trial(pausing)
        val closed = trial(pausing.copy(loop = listOf(Loop.Closed)))
        open.metrics.getValue("latencyP99Ms").let {
            it shouldBeGreaterThan theory * 0.9
            it shouldBeLessThan theory * 1.35
        }
        closed.metrics.getValue("sentLatencyP99Ms") shouldBeLessThan theory / 2
        closed.metrics.getValue("neverSent") shouldBeGreaterThan 200.0
        open.metrics["neverSent"] shouldBe 0.0
    }

    @Test
    fun `a client is warmed up by callers who take turns, and then by the load itself`() {
        val asked = AtomicInteger()
        val counting = client {
            asked.set(0)
            Around(AsyncSession(it)) { _, send -> send().also { asked.incrementAndGet() } }
        }
        // One caller gets ten answers in the first second; what is measured are 200 requests of 400.
        val trial = trial(usual.copy(delay = 100.milliseconds, callers = 1, warmUp = 2.seconds), counting)
        trial.evidence.shouldNotBeNull().arrived shouldBe 200
        asked.get() shouldBeInRange 402..410
    }

    @Test
    fun `a trial keeps the series of its warm-up and of what it measured, and each answer is in one interval`() {
        val trial = trial(usual.copy(seconds = 2, warmUp = 4.seconds))
        val series = trial.series.shouldNotBeNull()
        series.answers.drop(series.warmUp).sum() shouldBe 400
        series.answers.take(series.warmUp).sum() shouldBe 400
        series.seconds.dropLast(1).forEach { it shouldBeGreaterThan 0.1 }
        series.p50Ms.filterNotNull().forEach { it shouldBeGreaterThanOrEqual 5.0 }
        series.connectionsOpened.filterNotNull().sum().toDouble() shouldBeGreaterThanOrEqual trial.metrics.getValue("connectionsOpened")
        listOf(series.p99Ms, series.allocatedKb, series.collections, series.classesLoaded, series.compiledMethods)
            .forEach { it.size shouldBe series.size }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    fun `the processor time of each kind of thread is in the series and in the metrics`() {
        val trial = trial(usual)
        val series = trial.series.shouldNotBeNull()
        series.cpuMs.keys shouldBe setOf("client", "harness", "compilers", "collector", "other")
        val kinds = listOf("client", "harness", "compilers", "collector", "other").map { trial.metrics.getValue("${it}CpuSeconds") }
        kinds.forEach { it shouldBeGreaterThanOrEqual 0.0 }
        trial.metrics.getValue("requestCpuMs") shouldBe (kinds.first() * 1e3 / 200 plusOrMinus 1e-9)
    }

    @Test
    fun `a cold load is measured from its first request on`() {
        val trial = trial(usual.copy(start = listOf(Start.Cold)))
        trial.outcome shouldBe Outcome.Complete
        trial.series.shouldNotBeNull().warmUp shouldBe 0
        trial.evidence.shouldNotBeNull().arrived shouldBe 200
        trial.metrics.keys shouldNotContain "warmUpMs"
    }

    @Test
    fun `a load that is not steady within its budget says so`() {
        val trial = trial(usual.copy(start = listOf(Start.Steady), steadyWithin = 1.seconds))
        trial.metrics["steady"] shouldBe 0.0
        trial.warnings.single { "not steady" in it } shouldStartWith "The fork was not steady after a warm-up of 1s"
    }

    @Tag("long")
    @Test
    fun `a load gets steady, and is measured then`() {
        val trial = trial(usual.copy(start = listOf(Start.Steady), seconds = 15))
        trial.metrics["steady"] shouldBe 1.0
        trial.metrics.getValue("warmUpMs") shouldBeGreaterThanOrEqual 10_000.0
    }

    @Test
    fun `what is not answered counts as the patience, and the trial stands`() {
        val lossy = client { Around(AsyncSession(it)) { number, send -> if (number % 2 == 0) throw IOException("gone") else send() } }
        val trial = trial(usual, lossy)
        trial.outcome shouldBe Outcome.Complete
        trial.metrics["answeredShare"] shouldBe 0.5
        trial.errors shouldBe mapOf("IOException" to 100)
        trial.metrics.getValue("latencyP99Ms") shouldBeGreaterThanOrEqual 2_990.0
    }

    @Test
    fun `a load whose warm-up nobody answers is invalid`() {
        val broken = client { Around(AsyncSession(it)) { _, _ -> throw IOException("no route") } }
        val trial = trial(usual, broken)
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.first() shouldStartWith "The warm-up was not answered at all. The first failure: java.io.IOException: no route"
    }

    /** One trial; measured again, as a run does, where this machine was too busy to send in time. */
    private fun trial(load: OpenLoop, client: Client = client(::AsyncSession)): Trial {
        val kept = ArrayList<Trial>()
        do {
            server.probe().use { probe ->
                val spec = TrialSpec("made", 0, load, load.treatments.single(), server.address)
                OpenLoopTrial(TrialScope(spec, probe, client) { kept += it }, load).run()
            }
        } while (kept.last().reasons.any { it.startsWith("The generator was the limit") } && kept.size < ATTEMPTS)
        return kept.last()
    }

    private companion object {
        private const val ATTEMPTS = 5
    }
}
