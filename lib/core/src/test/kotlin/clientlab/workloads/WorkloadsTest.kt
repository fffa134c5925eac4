package clientlab.workloads

import clientlab.*
import clientlab.audit.*
import clientlab.burst.*
import clientlab.capacity.*
import clientlab.churn.*
import clientlab.closedloop.*
import clientlab.conduct.*
import clientlab.gatewayload.*
import clientlab.idle.*
import clientlab.openloop.*
import clientlab.outage.*
import clientlab.resourcelimits.*
import clientlab.storm.*
import clientlab.streams.*
import clientlab.tasks.*
import clientlab.testing.*
import clientlab.transfer.*
import clientlab.trial.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.decodeFromJsonElement
import kotlinx.serialization.json.encodeToJsonElement
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

class WorkloadsTest {
    private val clients = listOf(info("a"))
    private val stream = IoApiInfo("stream", "Stream", "jdk:java.base", "reads", listOf(Operation.FileRead))
    private val workloads: Map<String, Workload> =
        mapOf(
            "burst" to Burst(clients),
            "tasks" to Tasks(),
            "residents" to IdleTasks(),
            "transfer" to Transfer(listOf(Operation.FileRead), listOf(stream)),
            "rate" to GatewayLoad(clients),
            "closed-loop" to ClosedLoop(clients),
            "latency" to OpenLoop(clients),
            "capacity" to Capacity(clients),
            "audit" to Audit(clients),
            "conduct" to Conduct(clients),
            "storm" to Storm(clients),
            "churn" to Churn(clients),
            "streams" to Streams(clients),
            "outage" to Outage(clients),
            "within" to ResourceLimits(clients),
        )

    @Test
    fun `every workload is in the list, under the name that manifests have`() {
        Workloads.metrics.keys shouldContainExactlyInAnyOrder workloads.keys
    }

    @TestFactory
    fun `a workload is read back as it was written, under its published name`(): List<DynamicTest> =
        workloads.map { (name, workload) ->
            dynamicTest(name) {
                val json = ExperimentJson.encodeToJsonElement(Experiment("made", workload))
                val type = json.jsonObject.getValue("workload").jsonObject.getValue("type")
                type.jsonPrimitive.content shouldBe name
                ExperimentJson.decodeFromJsonElement<Experiment<Workload>>(json).workload shouldBe workload
            }
        }

    @TestFactory
    fun `a workload lists the metrics of its line, each once, and its main metric among them`(): List<DynamicTest> =
        workloads.map { (name, workload) ->
            dynamicTest(name) {
                workload.metrics shouldBe Workloads.metrics.getValue(name)
                workload.metrics.groupBy { it.name }.filterValues { it.size > 1 }.keys.shouldBeEmpty()
                workload.metrics shouldContain workload.mainMetric
            }
        }

    @Test
    fun `a name stands for one metric`() {
        Metrics.all.groupBy { it.name }.filterValues { it.size > 1 }.keys.shouldBeEmpty()
    }

    @TestFactory
    fun `a precision accepts the metrics that a workload writes, and no others`(): List<DynamicTest> =
        workloads.map { (name, workload) ->
            dynamicTest(name) {
                val own = workload.metrics.map { it.name }.toSet()
                Metrics.names.forEach { metric ->
                    val accepted = runCatching { Experiment("made", workload, precision = 5.percent of metric) }
                    withClue(metric) { accepted.isSuccess shouldBe (metric in own) }
                }
            }
        }

    @Test
    fun `metrics that were refused though they are written are accepted`() {
        listOf("within" to "heldBytes", "latency" to "requestsPerSecond", "closed-loop" to "pageFaults").forEach { (name, metric) ->
            Experiment("made", workloads.getValue(name), precision = 5.percent of metric).precision?.metric shouldBe metric
        }
        shouldThrow<LabException> { Experiment("made", workloads.getValue("within"), precision = 5.percent of "pageFaults") }
            .message
            .orEmpty() shouldContain "No trial of this workload has the metric 'pageFaults'"
    }

    @Test
    fun `a trial that writes a metric which its workload does not list fails`(): Unit =
        RunningServer().use { server ->
            val workload = workloads.getValue("audit")
            val treatment: Treatment = workload.treatments.first()
            server.probe().use { probe ->
                val scope = TrialScope(TrialSpec("made", 0, workload, treatment, server.address), probe) {}
                scope.keep(scope.trial(Judgement.of(emptyList()), mapOf(CommonMetrics.heldInFlight to 1.0)))
                val wrong = scope.trial(Judgement.of(emptyList()), mapOf(CommonMetrics.cpuSeconds to 1.0))
                shouldThrow<IllegalStateException> { scope.keep(wrong) }.message.orEmpty() shouldContain "the metric 'cpuSeconds'"
            }
        }
}
