package clientlab.tasks

import clientlab.*
import clientlab.probe.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldContainAll
import io.kotest.matchers.maps.shouldNotContainKey
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.net.ServerSocket
import java.net.SocketException
import kotlin.time.Duration.Companion.seconds

/** Whole trials of tasks, in this JVM, against the real server. */
class TasksTrialTest {
    private val server = RunningServer()

    @AfterEach
    fun close() = server.close()

    @TestFactory
    fun `every executor ends complete, with every call counted by both ends`(): List<DynamicTest> =
        listOf("virtual", "pool-4", "virtual-limited-4", "coroutines-io", "coroutines-virtual").map { executor ->
            dynamicTest(executor) {
                val trial = trials(Tasks(listOf(executor), listOf(40), listOf(2), listOf(5))).last()
                trial.reasons.shouldBeEmpty()
                trial.outcome shouldBe Outcome.Complete
                trial.metrics shouldContainAll mapOf("requests" to 80.0, "failed" to 0.0)
                trial.evidence.shouldNotBeNull().answeredOk shouldBe 80
                trial.metric("latencyP50Ms") shouldBeGreaterThanOrEqual 5.0
                trial.metric("durationMs") shouldBeGreaterThanOrEqual 10.0
                trial.metric("baseLatencyMs") shouldBeGreaterThan 0.0
            }
        }

    @Test
    fun `a limit holds, and a pool waits out one delay after another`() {
        listOf("pool-4", "virtual-limited-4").forEach { executor ->
            val trial = trials(Tasks(listOf(executor), listOf(40), delayMs = listOf(5))).last()
            trial.metric("inFlightPeak") shouldBeLessThanOrEqual 4.0
            trial.metric("executorLimit") shouldBe 4.0
            trial.metric("durationMs") shouldBeGreaterThanOrEqual 50.0
        }
    }

    @Test
    fun `an executor without a limit has none in its trial`() {
        trials(Tasks(listOf("virtual"), listOf(10), delayMs = listOf(0))).last().metrics shouldNotContainKey "executorLimit"
    }

    @Test
    fun `the warm-up comes first, flagged, and the measured trial does not hold its calls`() {
        val trials = trials(Tasks(listOf("pool-4"), listOf(10), delayMs = listOf(0)))
        trials.map { it.warmup } shouldContainExactly listOf(true, false)
        trials.last().evidence.shouldNotBeNull().arrived shouldBe 10
    }

    @Test
    fun `a steady fork goes on with tasks until its series is steady or the time is over, and says which`() {
        val asked = Tasks(listOf("pool-4"), listOf(10), delayMs = listOf(0), start = listOf(Start.Steady), steadyWithin = 2.seconds)
        val trial = trials(asked).last()
        trial.outcome shouldBe Outcome.Complete
        trial.treatment[Factor.START] shouldBe "steady"
        trial.evidence.shouldNotBeNull().arrived shouldBe 10
        trial.metric("warmUpMs") shouldBeGreaterThanOrEqual 2_000.0
        // Two seconds are too few for the tail that a steady series needs.
        trial.metric("steady") shouldBe 0.0
        trial.warnings.single() shouldContain "was not steady after a warm-up of 2s"
        trial.series.shouldNotBeNull().answers.sum() shouldBeGreaterThan 20
        val warm = trials(asked.copy(start = listOf(Start.Warm))).last()
        warm.metrics shouldNotContainKey "steady"
        warm.series shouldBe null
    }

    @Test
    @Tag("long")
    fun `with Flight Recorder pinned threads are counted, and without it they are not in the trial`() {
        val recorded = trials(Tasks(listOf("virtual"), listOf(20), delayMs = listOf(5), instrument = listOf("jfr"))).last()
        recorded.outcome shouldBe Outcome.Complete
        recorded.metric("pinnedEvents") shouldBeGreaterThanOrEqual 0.0
        recorded.metric("submitFailures") shouldBe 0.0
        trials(Tasks(listOf("virtual"), listOf(20), delayMs = listOf(5))).last().metrics shouldNotContainKey "pinnedEvents"
    }

    @Test
    fun `answers that are no page make the trial invalid, with their kind`() {
        impostor("nothing").use { socket ->
            val address = ServerAddress(server.address.host, socket.localPort, server.address.controlPort)
            val trial = trials(Tasks(listOf("virtual"), listOf(5), delayMs = listOf(0)), address).last()
            trial.outcome shouldBe Outcome.Invalid
            trial.errors shouldBe mapOf("not the page" to 5)
            trial.reasons.first() shouldContain "5 of 5 calls failed: not the page (5)."
            trial.metrics shouldNotContainKey "latencyP50Ms"
        }
    }

    @Test
    fun `calls that client and server count differently make a trial invalid`() {
        val result = BurstResult(10, 1.0, DoubleArray(10), emptyMap(), null)
        judgeTasks(result, Evidence(arrived = 11, answeredOk = 11)).reasons shouldContainExactly
            listOf("The client made 10 calls and the server saw 11.", "The client counted 10 answers and the server wrote 11.")
        judgeTasks(result, Evidence(arrived = 10, answeredOk = 10, answeredEarly = 1)).reasons shouldContainExactly
            listOf("1 answers came before their delay.")
        judgeTasks(result, Evidence(arrived = 10, answeredOk = 10), delayMs = 5).reasons shouldContainExactly
            listOf("The client had 10 answers before the delay of 5 ms was over, the first after 0 ms.")
        judgeTasks(result, Evidence(arrived = 10, answeredOk = 10, listenOverflows = 3)).reasons shouldContainExactly
            listOf("An accept queue on the server's machine ran over 3 times, so connections were retried.")
        judgeTasks(result, Evidence(arrived = 10, answeredOk = 10, listenOverflows = 0)).outcome shouldBe Outcome.Complete
    }

    @Test
    fun `memory that ran out in a task is a failure with its name`() {
        val result = BurstResult(10, 1.0, DoubleArray(9), mapOf("OutOfMemoryError" to 1), "java.lang.OutOfMemoryError: Java heap space")
        judgeTasks(result, Evidence(arrived = 10, answeredOk = 10)).reasons shouldContainExactly
            listOf("1 of 10 calls failed: OutOfMemoryError (1). The first: java.lang.OutOfMemoryError: Java heap space")
    }

    private fun Trial.metric(name: String) = metrics[name].shouldNotBeNull()

    private fun trials(workload: Tasks, address: ServerAddress = server.address): List<Trial> {
        val treatment = workload.treatments.single()
        treatment.number(Factor.TASKS) shouldBe workload.tasks.single().toLong()
        return buildList {
            ServerProbe(address).use { probe ->
                val scope = TrialScope(TrialSpec("test", 0, workload, treatment, address), probe) { add(it) }
                TasksTrial(scope, workload, warmUpTasks = 20).run()
            }
        }
    }

    /** Answers whatever comes with [body], and closes. */
    private fun impostor(body: String): ServerSocket {
        val socket = ServerSocket(0, BACKLOG)
        Thread.ofPlatform().daemon().name("impostor").start {
            try {
                while (true) {
                    socket.accept().use {
                        val lines = it.getInputStream().bufferedReader()
                        while (!lines.readLine().isNullOrEmpty()) Unit
                        it.getOutputStream().write(
                            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n$body".encodeToByteArray(),
                        )
                    }
                }
            } catch (_: SocketException) {
                // Closed by the test.
            }
        }
        return socket
    }

    private companion object {
        private const val BACKLOG = 4096
    }
}
