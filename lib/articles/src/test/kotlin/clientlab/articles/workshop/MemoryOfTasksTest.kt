package clientlab.articles.workshop

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class MemoryOfTasksTest {
    /** Bytes a task on the heap and resident beside it; the first of each brings [FIRST] bytes of heap along. */
    private fun waiting(resident: Map<String, Double> = RESIDENT, tasks: List<Int> = listOf(0, 500, 1_000)): Trials<*> = MadeMemory.frame(
        HEAP.flatMap { (mechanism, heap) -> tasks.map { n -> trial(mechanism, n, heap, resident.getValue(mechanism)) } },
    )

    private fun trial(mechanism: String, tasks: Int, heap: Double, resident: Double): Trial {
        val heapBytes = tasks * heap + if (tasks == 0) 0.0 else FIRST
        val made = MadeMemory.trial(mechanism, tasks, 0, heapBytes + tasks * resident)
        val parts = mapOf("heapGrowthBytes" to heapBytes, "residentGrowthBytes" to tasks * resident)
        return made.copy(metrics = made.metrics + parts)
    }

    private val trials = waiting()

    @Test
    fun `threads take more than virtual threads, and those more than coroutines`() {
        checkMemoryOrder(trials, 1_000, listOf("threads", "virtual", "coroutines")).standing shouldBe Standing.Holds
        checkMemoryOrder(trials, 1_000, null).standing shouldBe Standing.Missing
    }

    @Test
    fun `what a busy machine adds to the resident set does not turn virtual threads and coroutines round`() {
        val noisy = waiting(RESIDENT + ("coroutines" to 4_000.0))
        checkMemoryOrder(noisy, 1_000, listOf("threads", "virtual", "coroutines")).standing shouldBe Standing.Holds
        wrong(checkMemoryOrder(noisy, 1_000, listOf("threads", "coroutines", "virtual")), "look at heapGrowthBytes")
    }

    @Test
    fun `another order is told which two are wrong`() {
        wrong(
            checkMemoryOrder(trials, 1_000, listOf("virtual", "threads", "coroutines")),
            "a platform thread has a stack outside of the heap",
        )
        wrong(
            checkMemoryOrder(trials, 1_000, listOf("threads", "coroutines", "virtual")),
            "1000 of virtual take more than 1000 of coroutines",
        )
        wrong(checkMemoryOrder(trials, 1_000, listOf("threads", "virtual")), "Name each mechanism once")
        wrong(checkMemoryOrder(trials, 1_000, listOf("threads", "virtual", "fibers")), "Name each mechanism once")
    }

    @Test
    fun `virtual threads take the most of the heap`() {
        checkMostHeap(trials, 1_000, "virtual").standing shouldBe Standing.Holds
        checkMostHeap(trials, 1_000, null).standing shouldBe Standing.Missing
        wrong(checkMostHeap(trials, 1_000, "threads"), "whose stack is outside of it; virtual take more")
        wrong(checkMostHeap(trials, 1_000, "coroutines"), "virtual take more of the heap than coroutines")
        wrong(checkMostHeap(trials, 1_000, "fibers"), "no mechanism 'fibers'")
    }

    @Test
    fun `reserved is not resident, unless on a machine where it is`() {
        checkReserved(trials, 1_000, false).standing shouldBe Standing.Holds
        wrong(checkReserved(trials, 1_000, true), "Reserved is not used")
        val touched = waiting(RESIDENT + ("threads" to 1e6))
        checkReserved(touched, 1_000, true).standing shouldBe Standing.Holds
        wrong(checkReserved(touched, 1_000, false), "most of what is reserved is resident")
        checkReserved(trials, 1_000, null).standing shouldBe Standing.Missing
    }

    @Test
    fun `a machine that does not tell what is reserved is no wrong answer`() {
        val silent = MadeMemory.frame(
            listOf(trial("threads", 1_000, 300.0, 60_000.0).let { it.copy(metrics = it.metrics - "reservedGrowthBytes") }),
        )
        val check = checkReserved(silent, 1_000, false)
        check.standing shouldBe Standing.Missing
        check.sentence shouldContain "pass on to the next task"
    }

    @Test
    fun `one more task takes the difference of two levels`() {
        val right = (trials.measured(BYTES, "coroutines", 1_000) - trials.measured(BYTES, "coroutines", 500)) / 500
        checkHeapPerTask(trials, "coroutines", right).standing shouldBe Standing.Holds
        checkHeapPerTask(trials, "coroutines", null).standing shouldBe Standing.Missing
        checkHeapPerTask(waiting(tasks = listOf(0, 1_000)), "coroutines", right).sentence shouldContain "two levels"
    }

    @Test
    fun `the first task's costs, a forgotten division and another unit are told apart`() {
        wrong(checkHeapPerTask(trials, "coroutines", trials.measured(BYTES, "coroutines", 1_000) / 1_000), "what the first task brings")
        wrong(checkHeapPerTask(trials, "coroutines", HEAP.getValue("coroutines") / 2), "divide the difference in bytes")
        wrong(checkHeapPerTask(trials, "coroutines", HEAP.getValue("coroutines") / 1_000), "give bytes")
        wrong(checkHeapPerTask(trials, "coroutines", HEAP.getValue("coroutines") * 1_000), "give bytes")
    }

    private companion object {
        const val BYTES = "heapGrowthBytes"
        const val FIRST = 100_000.0
        val HEAP = mapOf("threads" to 300.0, "virtual" to 2_500.0, "coroutines" to 450.0)
        val RESIDENT = mapOf("threads" to 60_000.0, "virtual" to 100.0, "coroutines" to 100.0)
    }
}
