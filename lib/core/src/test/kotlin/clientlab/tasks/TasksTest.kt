package clientlab.tasks

import clientlab.*
import clientlab.workloads.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

class TasksTest {
    private fun refusal(make: () -> Any) = shouldThrow<LabException> { make() }.message

    private fun treatment(executor: String = "virtual", tasks: Int = 1_000, calls: Int = 1, delayMs: Int = 0, jvmArgs: String = "none") =
        Treatment(
            Factor.EXECUTOR to executor,
            Factor.TASKS to tasks,
            Factor.CALLS to calls,
            Factor.DELAY_MS to delayMs,
            Factor.INSTRUMENT to "none",
            Factor.JVM_ARGS to jvmArgs,
        )

    @Test
    fun `every combination of levels is a treatment, once`() {
        val workload = Tasks(listOf("virtual", "pool-8"), tasks = listOf(10), calls = listOf(1, 2), delayMs = listOf(0, 5))
        workload.treatments.size shouldBe 8
        workload.treatments.distinct().size shouldBe 8
        workload.treatments.first() shouldBe treatment(tasks = 10)
    }

    @Test
    fun `it comes back from the journal as it was`() {
        val workload: Workload = Tasks(listOf("coroutines-io"), jvmArgs = listOf("-Dhttp.maxConnections=7"))
        ExperimentJson.decodeFromString<Workload>(ExperimentJson.encodeToString(workload)) shouldBe workload
    }

    @Test
    fun `an executor that there is not is refused, and those that there are are named`() {
        refusal { Tasks(listOf("threads")) } shouldBe
            "There is no executor 'threads': use \"virtual\", \"pool-8\", \"virtual-limited-8\" (any number, or processors), " +
            "\"coroutines-io\" or \"coroutines-virtual\"."
        refusal { Tasks(listOf("pool-many")) }!!.substringBefore(':') shouldBe "There is no executor 'pool-many'"
        refusal { Tasks(listOf("pool-0")) } shouldBe
            "pool-0 is impossible: an executor of a fixed size runs 1 to 10000 tasks at once."
    }

    @Test
    fun `levels that cannot be are refused in one sentence`() {
        refusal { Tasks(tasks = listOf(0)) } shouldBe "0 tasks are impossible: ask for 1 to 1000000."
        refusal { Tasks(calls = listOf(0)) } shouldBe "0 calls a task are impossible: ask for 1 to 100."
        refusal { Tasks(delayMs = listOf(-1)) } shouldBe "A delay of -1 ms is impossible: the server waits 0 to 60000 ms."
        refusal { Tasks(instrument = listOf("perf")) } shouldBe "There is no instrument 'perf': use \"none\" or \"jfr\"."
        refusal { Tasks(jvmArgs = listOf("http.maxConnections=1")) } shouldBe
            "'http.maxConnections=1' is no option of a JVM: write \"none\", or options as in \"-Dhttp.maxConnections=1000\"."
        refusal { Tasks(calls = emptyList()) } shouldBe "The factor calls of Tasks needs at least one level."
        refusal { Tasks(delayMs = listOf(1, 1)) } shouldBe "The level 1 of delayMs stands in Tasks more than once: name it once."
    }

    @Test
    fun `small it is a few tasks at the shortest and the longest delay`() {
        val small = Tasks(tasks = listOf(1_000, 10_000), delayMs = listOf(0, 1, 100)).smoke()
        small.tasks shouldContainExactly listOf(200)
        small.delayMs shouldContainExactly listOf(0, 20)
    }

    @Test
    fun `a pool is expected to wait out one delay after another, and virtual threads one alone`() {
        val workload = Tasks()
        workload.expected(treatment("pool-8", delayMs = 100)) shouldBeGreaterThan 12.5.seconds
        workload.expected(treatment("virtual", delayMs = 100)) shouldBe
            workload.expected(treatment("virtual", delayMs = 0)) + 0.1.seconds
    }

    @Test
    fun `connections are as many as tasks may run at once`() {
        Tasks(listOf("pool-8"), tasks = listOf(1_000)).mostConnections shouldBe 8
        Tasks(listOf("pool-8", "virtual"), tasks = listOf(1_000, 20_000)).mostConnections shouldBe 20_000
        Tasks(listOf("coroutines-virtual"), tasks = listOf(300)).mostConnections shouldBe 300
    }

    @Test
    fun `options of the fork are the treatment's`() {
        val workload = Tasks(jvmArgs = listOf("none", "-Da=1 -Db=2"))
        workload.jvmArgs(treatment()) shouldBe emptyList()
        workload.jvmArgs(treatment(jvmArgs = "-Da=1 -Db=2")) shouldContainExactly listOf("-Da=1", "-Db=2")
    }
}
