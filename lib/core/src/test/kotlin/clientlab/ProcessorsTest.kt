package clientlab

import clientlab.closedloop.*
import clientlab.openloop.*
import clientlab.testing.*
import clientlab.workloads.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

/** The factor `processors` of the workloads that have it. */
class ProcessorsTest {
    private val one = listOf(info("a"))
    private val unpinned: List<Workload> = listOf(OpenLoop(one, rate = listOf(500)), ClosedLoop(one))
    private val pinned: List<Workload> =
        listOf(OpenLoop(one, rate = listOf(500), processors = listOf(1, 2)), ClosedLoop(one, processors = listOf(1, 2)))

    @Test
    fun `each number of processors is a level, and stays one in a small version`() {
        pinned.forEach { workload ->
            workload.treatments.map { it.processors } shouldBe listOf(1, 2)
            workload.treatments.map { it.key.substringAfterLast(';') } shouldBe listOf("clientProcessors=1", "clientProcessors=2")
            workload.smoke().treatments.map { it.processors } shouldBe listOf(1, 2)
        }
    }

    @Test
    fun `a workload that does not pin has neither the factor nor the field, so that published trials keep their keys`() {
        unpinned.forEach { workload ->
            workload.treatments.map { it.processors } shouldBe listOf(null)
            ExperimentJson.encodeToString(workload).lowercase() shouldNotContain "processors"
        }
        pinned.forEach { workload ->
            val json = ExperimentJson.encodeToString(workload)
            json shouldContain """"processors":[1,2]"""
            ExperimentJson.decodeFromString<Workload>(json) shouldBe workload
        }
    }

    @Test
    fun `no processor at all, and one number twice, are refused with a sentence`() {
        shouldThrow<LabException> { ClosedLoop(one, processors = listOf(1, 0)) }.message shouldBe
            "0 processors run no client: give at least 1, or none to leave it any."
        shouldThrow<LabException> { OpenLoop(one, processors = listOf(1, 1)) }.message shouldBe
            "The level 1 of clientProcessors stands in OpenLoop more than once: name it once."
    }
}
