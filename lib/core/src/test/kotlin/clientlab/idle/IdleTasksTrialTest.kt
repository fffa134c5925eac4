package clientlab.idle

import clientlab.*
import clientlab.testing.*
import clientlab.transfer.*
import clientlab.trial.*
import clientlab.workloads.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.nio.file.Files
import java.nio.file.Path

/** Trials of tasks in real JVMs, with the options that their workload asks for. */
class IdleTasksTrialTest {
    private val server = RunningServer()
    private val children = ArrayList<Process>()

    @AfterEach
    fun close() {
        children.forEach { it.destroyForcibly().waitFor() }
        server.close()
    }

    @TestFactory
    fun `every mechanism ends complete, and takes memory`(): List<DynamicTest> =
        Mechanism.entries.map { mechanism ->
            dynamicTest(mechanism.label) {
                linux()
                val trial = trial(IdleTasks(listOf(200), listOf(mechanism), start = listOf(Start.Warm), heapMiB = 64))
                trial.reasons shouldContainExactly emptyList()
                trial.outcome shouldBe Outcome.Complete
                trial.metrics["tasksBegun"] shouldBe 200.0
                trial.metrics["tasksEnded"] shouldBe 0.0
                trial.metrics.getValue("heapGrowthBytes") shouldBeGreaterThan 200 * 50.0
                val sum = trial.metrics.getValue("heapGrowthBytes") + trial.metrics.getValue("residentGrowthBytes")
                trial.metrics["memoryGrowthBytes"] shouldBe sum
            }
        }

    @Test
    fun `a thread has its megabyte in the address space, and some kilobytes of it resident`() {
        linux()
        val trial = trial(IdleTasks(listOf(100), listOf(Mechanism.Threads), heapMiB = 64))
        trial.metrics.getValue("reservedGrowthBytes") shouldBeGreaterThan 100 * 900_000.0
        trial.metrics.getValue("residentGrowthBytes") shouldBeGreaterThan 100 * 4_096.0
        trial.metrics.getValue("osThreadsGrowth") shouldBeGreaterThan 99.0
    }

    @Test
    fun `native memory tracking tells stacks from the rest`() {
        val trial = trial(IdleTasks(listOf(100), listOf(Mechanism.Threads), instrument = listOf(MemoryInstrument.Nmt), heapMiB = 64))
        trial.metrics.getValue("nmtStackGrowthBytes") shouldBeGreaterThan 100 * 4_096.0
        trial.metrics.getValue("nmtStackReservedGrowthBytes") shouldBeGreaterThan 100 * 900_000.0
        trial.metrics.getValue("nmtThreadGrowthBytes") shouldBeGreaterThan 0.0
    }

    @Test
    fun `without collections the heap grows by what is allocated, and no sum is made of it`() {
        val trial = trial(IdleTasks(listOf(1_000), listOf(Mechanism.Coroutines), instrument = listOf(MemoryInstrument.Epsilon)))
        trial.outcome shouldBe Outcome.Complete
        trial.metrics.getValue("heapGrowthBytes") shouldBeGreaterThan 100_000.0
        ("memoryGrowthBytes" in trial.metrics) shouldBe false
    }

    @Test
    fun `threads that the system refuses are an invalid trial with that reason`() {
        linux()
        // Root is free of the limit on processes, and nobody of that on the address space: stacks of 64 MiB soon fill it.
        val residents = IdleTasks(listOf(1_000), listOf(Mechanism.Threads), jvmArgs = listOf("-Xss64m"), heapMiB = 32)
        val lines = child(residents, listOf("/bin/sh", "-c", "ulimit -v 12000000; exec \"$@\"", "sh")).let {
            it.inputReader().readLines() to
                it
        }
        val said = lines.first.firstOrNull { it.startsWith("{") }?.let { ExperimentJson.decodeFromString<Trial>(it) }
        val reason = said?.reasons?.single() ?: lines.second.errorReader().readText()
        (said?.outcome ?: Outcome.Invalid) shouldBe Outcome.Invalid
        reason shouldContain "unable to create native thread"
    }

    @Test
    @Tag("long")
    fun `a heap that is too small ends the fork, which says so`() {
        val child = child(IdleTasks(listOf(1_000_000), listOf(Mechanism.Coroutines), heapMiB = 32))
        child.inputReader().readLines().filter { it.startsWith("{") } shouldContainExactly emptyList()
        child.errorReader().readText() shouldContain "java.lang.OutOfMemoryError: Java heap space"
    }

    private fun linux() = assumeTrue(Files.exists(Path.of("/proc/self/smaps_rollup")), "only Linux tells the resident set")

    private fun trial(residents: IdleTasks): Trial =
        child(residents)
            .inputReader()
            .readLines()
            .filter { it.startsWith("{") }
            .map { ExperimentJson.decodeFromString<Trial>(it) }
            .single()

    private fun child(residents: IdleTasks, before: List<String> = emptyList()): Process {
        val treatment = residents.treatments.last()
        check(treatment[Factor.MECHANISM] == residents.mechanism.last().label)
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val command =
            before + listOf(java, "-XX:+UseG1GC") + residents.jvmArgs(treatment) +
                listOf("-cp", CLASSPATH, "clientlab.workloads.TrialMainKt")
        val child = ProcessBuilder(command).start()
        children += child
        child.outputStream.write(
            (ExperimentJson.encodeToString(TrialSpec("test", 0, residents, treatment, server.address)) + "\n").encodeToByteArray(),
        )
        child.outputStream.flush()
        return child
    }

    private companion object {
        val CLASSPATH: String = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
    }
}
