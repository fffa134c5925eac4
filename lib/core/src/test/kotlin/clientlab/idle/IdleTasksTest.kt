package clientlab.idle

import clientlab.*
import clientlab.workloads.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class IdleTasksTest {
    @Test
    fun `every mechanism stands at every number of tasks`() {
        val residents = IdleTasks(tasks = listOf(0, 10), mechanism = listOf(Mechanism.Threads, Mechanism.Coroutines))
        residents.treatments.map { it.key } shouldContainExactly
            listOf("threads" to 0, "threads" to 10, "coroutines" to 0, "coroutines" to 10).map { (mechanism, n) ->
                "mechanism=$mechanism;tasks=$n;state=waiting;stackDepth=0;instrument=collected;start=cold"
            }
    }

    @Test
    fun `options are a factor only where they vary`() {
        IdleTasks(tasks = listOf(1)).treatments.first()[Factor.JVM_ARGS] shouldBe null
        val interpreted =
            IdleTasks(tasks = listOf(1), mechanism = listOf(Mechanism.Threads), jvmArgs = listOf(IdleTasks.AS_IT_COMES, "-Xint -Xss1m"))
        interpreted.treatments.map { it[Factor.JVM_ARGS] } shouldContainExactly listOf("as it comes", "-Xint -Xss1m")
        interpreted.jvmArgs(interpreted.treatments[1]).takeLast(2) shouldContainExactly listOf("-Xint", "-Xss1m")
        interpreted.jvmArgs(interpreted.treatments[0]) shouldNotContain "as"
    }

    @Test
    fun `the collector that never collects takes the place of the other, and has a heap that nobody touches before`() {
        val epsilon = IdleTasks(tasks = listOf(1), instrument = listOf(MemoryInstrument.Epsilon))
        val options = epsilon.jvmArgs(epsilon.treatments.first())
        options shouldContain "-XX:-UseG1GC"
        options shouldContain "-XX:+UseEpsilonGC"
        options shouldNotContain "-XX:+AlwaysPreTouch"
    }

    @Test
    fun `what is impossible is refused in a sentence`() {
        shouldThrow<LabException> { IdleTasks(tasks = listOf(-1)) }.message shouldContain "-1 tasks are impossible"
        shouldThrow<LabException> { IdleTasks(tasks = emptyList()) }.message shouldContain "at least one level"
        shouldThrow<LabException> { IdleTasks(tasks = listOf(5, 5)) }.message shouldContain "more than once"
        shouldThrow<LabException> { IdleTasks(stackDepth = listOf(100_000)) }.message shouldContain "frames are impossible"
        shouldThrow<LabException> { IdleTasks(tasks = listOf(100_000)) }.message shouldContain "virtual threads and coroutines alone"
        shouldThrow<LabException> { IdleTasks(heapMiB = 1) }.message shouldContain "A heap of 1 MiB"
        shouldThrow<LabException> { IdleTasks(state = listOf(TaskState.Computing)) }.message shouldContain "no processor"
        shouldThrow<LabException> { IdleTasks(jvmArgs = listOf("fast")) }.message shouldContain "'fast' are no options"
        shouldThrow<LabException> { IdleTasks().withClients(emptyList()) }.message shouldContain "no clients"
    }

    @Test
    fun `the small size keeps the first and the last of the small levels`() {
        IdleTasks().smoke().tasks shouldContainExactly listOf(0, 2, 50, 1_000)
        IdleTasks(tasks = listOf(10_000)).smoke().tasks shouldContainExactly listOf(1_000)
    }

    @Test
    fun `an experiment of residents survives the manifest`() {
        val asked = Experiment("memory", IdleTasks(tasks = listOf(0, 1)))
        ExperimentJson.decodeFromString<Experiment<Workload>>(ExperimentJson.encodeToString<Experiment<Workload>>(asked)) shouldBe asked
    }
}
