package clientlab.articles.memory

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

class MemoryChartsTest {
    private val made = MadeMemory.frame(MadeMemory.forks())

    @Test
    fun `the title says what one more takes, as the slopes do`() {
        made.memoryChart().title shouldBe "One more waiting platform thread takes 59.8 kB, virtual thread 2.49 kB, coroutine 9.97 kB"
    }

    @Test
    fun `a memory that seems to shrink lies on the axis and does not end the figure`() {
        val shrunk = MadeMemory.forks(forks = 1) + MadeMemory.trial("threads", 3, 0, -5_000.0)
        MadeMemory.frame(shrunk).memoryChart().isEmpty shouldBe false
    }

    @Test
    fun `ratios stand beside one and beside the source's, and each mechanism beside itself`() {
        val chart = made.memoryRatioChart()
        (chart.y as CategoryAxis).order shouldContainExactly
            listOf(
                "threads : coroutines",
                "threads : virtual",
                "virtual : coroutines",
                "pool : threads",
                "A/A threads",
                "A/A pool",
                "A/A virtual",
                "A/A coroutines",
            )
        chart.title shouldContain "about 6 times"
        made
            .memoryRatios()
            .rows()
            .filter { "${it["ratio"]}".startsWith("A/A") }
            .map { it["includes 1"] }
            .distinct() shouldBe listOf("yes")
    }

    @Test
    fun `one fork is a figure too`() {
        val single = MadeMemory.frame(MadeMemory.forks(forks = 1))
        listOf(single.memoryChart(), single.memoryRatioChart(), single.firstTasksChart()).map { it.isEmpty } shouldBe
            listOf(false, false, false)
        single.memoryRatios().rows().map { it["includes 1"] }.last() shouldBe "too few forks"
    }

    @Test
    fun `two runs agree or do not`() {
        val again = MadeMemory.frame(MadeMemory.forks(seed = 3))
        made.agreement(again).rows().map { it["includes 1"] }.distinct() shouldBe listOf("yes")
        val other = MadeMemory.frame(MadeMemory.forks(MadeMemory.PER_TASK.mapValues { it.value * 1.2 }))
        made.agreement(other).rows().map { it["includes 1"] }.distinct() shouldBe listOf("no")
    }

    @Test
    fun `cold and warm are two lines in the panel of their mechanism`() {
        val both = MadeMemory.frame(
            MadeMemory.forks(tasks = listOf(0, 1, 10)) + MadeMemory.forks(tasks = listOf(0, 1, 10), first = 1.0, start = "warm"),
        )
        val chart = both.firstTasksChart()
        chart.facets?.order shouldBe listOf("threads", "pool", "virtual", "coroutines")
        chart.marks
            .filterIsInstance<Lines>()
            .single()
            .data["start"]
            .distinct() shouldBe listOf("cold", "warm")
    }

    @Test
    fun `what differs in more than the number of tasks is refused until it is filtered`() {
        val mixed = MadeMemory.frame(MadeMemory.forks() + MadeMemory.forks(start = "warm"))
        shouldThrow<LabException> { mixed.points("threads") }.message shouldContain "There are 2 kinds of trials of 0 threads"
        mixed.points("threads") { it.start == "warm" }.n shouldBe 6
    }

    @Test
    fun `a level of a factor has a line of its own`() {
        val trials = listOf(MadeMemory.AS_IT_COMES, "-Xint").flatMapIndexed { at, options ->
            listOf(10, 100).flatMap { n -> List(5) { MadeMemory.trial("threads", n, it, n * 1e4 * (at + 1), options = options) } }
        }
        val frame = MadeMemory.frame(trials)
        frame
            .eachChart("threads", Factor.JVM_ARGS)
            .marks
            .filterIsInstance<Lines>()
            .single()
            .data["level"]
            .distinct() shouldBe
            listOf("-Xint", MadeMemory.AS_IT_COMES)
        frame.perTaskBy(Factor.JVM_ARGS).rows().map { "${it["threads"]}".substringBefore(' ') } shouldContainExactly listOf("20", "10")
        shouldThrow<LabException> { frame.perTask() }
    }
}
