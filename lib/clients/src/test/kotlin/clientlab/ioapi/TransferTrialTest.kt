package clientlab.ioapi

import clientlab.*
import clientlab.clients.*
import clientlab.probe.*
import clientlab.transfer.*
import clientlab.trial.*
import clientlab.workloads.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldContainKeys
import io.kotest.matchers.maps.shouldNotContainKey
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance

/** Whole trials of transfers, each in a JVM of its own, against the real server. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransferTrialTest {
    private lateinit var server: RealServer
    private val means = AllIoApis().entries.map { it.info }

    @BeforeAll
    fun start() {
        server = RealServer()
    }

    @AfterAll
    fun stop() = server.close()

    @Test
    fun `a trial keeps each iteration and the cost of the whole`() {
        val trial = local(Operation.SocketWrite, "stream")
        trial.reasons shouldBe emptyList()
        trial.outcome shouldBe Outcome.Complete
        trial.curves.getValue("iterationMs") shouldHaveSize ITERATIONS
        trial.metrics.shouldContainKeys("iterationMeanMs", "throughputMiBs", "cpuSecondsPerMiB", "allocatedBytesPerMiB", "peerBusy")
        trial.metrics.getValue("iterationMaxMs") shouldBeGreaterThan 0.0
    }

    @Test
    fun `a loop in a JVM of its own reports its time and nothing else`() {
        val trial = local(Operation.FileRead, "plain-loop")
        trial.outcome shouldBe Outcome.Complete
        trial.metrics.shouldContainKeys("iterationMedianMs")
        trial.metrics shouldNotContainKey "cpuSeconds"
    }

    @TestFactory
    fun `a spoilt transfer is invalid and says why`(): List<DynamicTest> {
        val local = listOf(Operation.FileRead, Operation.SocketWrite, Operation.Pipeline)
        val files = Fault.entries.flatMap { fault ->
            local.map { operation -> dynamicTest("stream: $operation with $fault") { spoilt(fault, local(operation, "stream", fault)) } }
        }
        return files + Fault.entries.map { fault ->
            dynamicTest("jdk: Download with $fault") { spoilt(fault, overHttp(Operation.Download, "jdk", fault)) }
        }
    }

    @Test
    fun `the trial counts connections of both ends a second after close`() {
        listOf(Operation.Close to "ownTimeWait", Operation.PeerClose to "peerTimeWait").forEach { (operation, state) ->
            val trial = local(operation, "stream")
            trial.outcome shouldBe Outcome.Complete
            trial.metrics["connectionsClosed"] shouldBe ITERATIONS.toDouble()
            trial.metrics["socketsLeft"] shouldBe 0.0
            trial.metrics[state] shouldBe ITERATIONS.toDouble()
        }
    }

    @TestFactory
    fun `every opened client downloads and uploads, verified at both ends`(): List<DynamicTest> =
        Catalogue().entries.map { it.info.id }.filter { "@" !in it && "-virtual" !in it }.flatMap { id ->
            listOf(Operation.Download, Operation.Upload).map { operation ->
                dynamicTest("$id: $operation") {
                    val trial = overHttp(operation, id)
                    withClue(trial.reasons) { trial.outcome shouldBe Outcome.Complete }
                    val moved = trial.evidence?.let { if (operation == Operation.Download) it.bytesSent else it.bytesReceived }
                    checkNotNull(moved).toDouble() shouldBeGreaterThan BYTES * (ITERATIONS + 1) - 1.0
                }
            }
        }

    private fun spoilt(fault: Fault, trial: Trial) {
        trial.outcome shouldBe Outcome.Invalid
        val reason = trial.reasons.single()
        if (fault == Fault.Flip) reason shouldContain "The checksum differs" else reason shouldContain "Iteration 1 of $ITERATIONS"
    }

    private fun local(operation: Operation, id: String, fault: Fault? = null): Trial =
        run(Transfer(listOf(operation), means.filter { it.id == id }, bytes = listOf(BYTES), iterations = ITERATIONS, fault = fault))

    private fun overHttp(operation: Operation, id: String, fault: Fault? = null): Trial {
        val client = Catalogue().entries.map { it.info }.filter { it.id == id }
        return run(Transfer(listOf(operation), clients = client, bytes = listOf(BYTES), iterations = ITERATIONS, fault = fault))
    }

    private fun run(workload: Transfer): Trial {
        val treatment: Treatment = workload.treatments.single()
        treatment[Factor.BYTES] shouldBe "$BYTES"
        return ChildJvm("clientlab.workloads.TrialMainKt", emptyList(), workload.jvmArgs(treatment)).use { fork ->
            fork.say(ExperimentJson.encodeToString(TrialSpec("test", 0, workload, treatment, address())))
            LabJson.decodeFromString<Trial>(fork.line())
        }
    }

    private fun address() = ServerAddress("127.0.0.1", server.baseUrl.port, server.controlPort)

    private companion object {
        const val ITERATIONS = 3
        val BYTES = 2.mebibytes + 17
    }
}
