package clientlab.articles.loom

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.made.MadeTasks.forks
import clientlab.notebook.made.MadeTasks.frame
import clientlab.notebook.made.MadeTasks.trial
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

class TasksChartsTest {
    private val both = listOf(1, 2)
    private val grid =
        frame(
            forks("pool-processors", calls = both) { delay, calls -> (100.0 + 100 * delay) * calls } +
                forks("virtual", calls = both) { _, _ -> 350.0 },
        )

    @Test
    fun `the title says from which delay on virtual threads win`() {
        val chart = grid.delayChart()
        chart.title shouldBe "Virtual threads win from 2.50 ms with 1 call and from 0.75 ms with 2 calls"
        chart.facets.shouldNotBeNull().order shouldContainExactly listOf("1 call a task", "2 calls a task")
        chart.caption shouldContain "n = 6 forks a point"
        chart.subtitle shouldContain "2 processors"
    }

    @Test
    fun `there is a line an executor and its interval at every delay`() {
        val marks = grid.delayChart().marks
        marks.filterIsInstance<Lines>().single().data.size shouldBe 24
        marks.filterIsInstance<Intervals>().single().data.size shouldBe 24
        marks.filterIsInstance<Labels>().single().data.size shouldBe 4
    }

    @Test
    fun `at every delay, or at none, is said as such`() {
        frame(forks("pool-8") { _, _ -> 100.0 } + forks("virtual") { _, _ -> 50.0 }).delayChart().title shouldBe
            "Virtual threads win at every delay with 1 call"
        frame(forks("pool-8") { _, _ -> 100.0 } + forks("virtual") { _, _ -> 150.0 }).delayChart().title shouldBe
            "Virtual threads win at no delay with 1 call"
    }

    @Test
    fun `young and steady forks have a panel each, and a crossover of their own`() {
        val young = forks("pool-8") { delay, _ -> 100.0 + 100 * delay } + forks("virtual") { _, _ -> 350.0 }
        val steady = (forks("pool-8") { delay, _ -> 50.0 + 100 * delay } + forks("virtual") { _, _ -> 200.0 })
            .map { it.copy(treatment = it.treatment.with(Factor.START, "steady"), metrics = it.metrics + ("steady" to 1.0)) }
        val trials = frame(young + steady)
        val chart = trials.delayChart()
        chart.title shouldBe
            "Virtual threads win from 2.50 ms with 1 call in young forks and from 1.50 ms with 1 call in steady forks"
        chart.facets.shouldNotBeNull().order shouldContainExactly listOf("1 call a task, warm forks", "1 call a task, steady forks")
        val rows = trials.crossovers().rows().toList()
        rows.map { it["start"] } shouldContainExactly listOf("warm", "steady")
        rows.map { it["crossoverMs"] } shouldContainExactly listOf("2.50 [2.50, 2.50]", "1.50 [1.50, 1.50]")
    }

    @Test
    fun `a pool stands beside the semaphore of its size`() {
        val alike = frame(
            forks("virtual-limited-8", listOf(5)) { _, _ -> 2_050.0 } + forks("pool-8", listOf(5)) { _, _ -> 2_000.0 } +
                forks("virtual", listOf(5)) { _, _ -> 100.0 },
        ).controlChart()
        (alike.y as CategoryAxis).order shouldContainExactly listOf("virtual", "pool-8", "virtual-limited-8")
        alike.title shouldBe "The limit makes the time, and not the kind of thread behind it"
        alike.marks.filterIsInstance<Points>().first().data.size shouldBe 18
        val apart = frame(forks("virtual-limited-8", listOf(5)) { _, _ -> 4_000.0 } + forks("pool-8", listOf(5)) { _, _ -> 2_000.0 })
        apart.controlChart().title shouldContain "take 2 times the pool's time"
    }

    @Test
    fun `saturation is named where it is and denied where it is not`() {
        val busy = frame(forks("virtual", listOf(0)) { _, _ -> 100.0 }).saturationChart()
        busy.title shouldBe "The processors are what is used up: virtual keeps them busy"
        val idle = frame(forks("pool-8", listOf(5), metrics = mapOf("machineShare" to 0.1)) { _, _ -> 100.0 })
        idle.saturationChart().title shouldBe "No executor keeps the processors busy here"
    }

    @Test
    fun `one fork can be drawn, and a watched one is left out`() {
        val one = frame(listOf(trial("virtual", 0, 100.0), trial("pool-8", 0, 200.0), trial("virtual", 0, 900.0, instrument = "jfr")))
        one.delayChart().marks.filterIsInstance<Points>().single().data.size shouldBe 2
        one.controlChart().marks shouldHaveSize 4
        one.delayChart().caption shouldContain "n = 1 fork a point"
    }

    @Test
    fun `every executor of the lab has a colour of its own`() {
        val executors = listOf("virtual", "coroutines-io", "coroutines-virtual") +
            listOf("processors", "8", "64", "512").flatMap { listOf("pool-$it", "virtual-limited-$it") }
        executors.map(Style::colorOf).distinct() shouldHaveSize executors.size
    }
}
