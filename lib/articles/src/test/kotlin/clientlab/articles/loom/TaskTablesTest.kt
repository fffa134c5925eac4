package clientlab.articles.loom

import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTasks.forks
import clientlab.notebook.made.MadeTasks.frame
import clientlab.notebook.made.MadeTasks.trial
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

class TaskTablesTest {
    private fun meeting(poolAt: (Int) -> Double, virtualAt: (Int) -> Double, forks: Int = 6) =
        frame(
            forks("pool-8", 0..5, forks = forks) { delay, _ -> poolAt(delay) } +
                forks("virtual", 0..5, forks = forks) { delay, _ -> virtualAt(delay) },
        )

    @Test
    fun `two lines cross where they cross`() {
        val rounds = meeting({ 100.0 + 100 * it }, { 350.0 }).crossoverRounds()
        rounds.map { it.atMs }.forEach { it shouldBe (2.5 plusOrMinus 1e-9) }
        rounds.crossover().n shouldBe 6
    }

    @Test
    fun `lines that do not cross count at the end of the range, and the table says so`() {
        meeting({ 100.0 + it }, { 50.0 }).crossovers().rows().single().let {
            it["crossoverMs"] shouldBe "0 [0, 0]"
            it["outside"] shouldBe "6 below the range"
        }
        meeting({ 100.0 + it }, { 500.0 }).crossovers().rows().single().let {
            it["crossoverMs"] shouldBe "5 [5, 5]"
            it["outside"] shouldBe "6 above the range"
        }
    }

    @Test
    fun `a round that lacks a trial where the lines may have crossed has no crossing, and no end of the range in its place`() {
        val pool = forks("pool-8", 0..5) { delay, _ -> 100.0 + 100 * delay }

        fun without(vararg lost: Int) = forks("virtual", (0..5) - lost.toSet()) { _, _ -> 350.0 }
        frame(pool + without(2)).crossoverRounds().map { it.atMs }.distinct() shouldBe listOf(null)
        frame(pool + without(3)).crossovers().rows().single()["n"] shouldBe 0
        frame(pool + without(0, 5)).crossoverRounds().crossover().value shouldBe (2.5 plusOrMinus 1e-9)
        // The prediction needs the time at the shortest delay.
        frame(pool + without(0)).crossoverRounds().map { it.predictedMs }.distinct() shouldBe listOf(null)
        // The first delay that is left is not the shortest one that was asked for.
        frame(forks("pool-8", 0..5) { _, _ -> 100.0 } + forks("virtual", 1..5) { _, _ -> 50.0 }).crossoverRounds().crossover().n shouldBe 0
    }

    @Test
    fun `the prediction is the pool's size times the saturated time of a call, less the base`() {
        // 8 threads × 350 ms / 1,000 calls − 0.5 ms.
        val first = meeting({ 100.0 + 100 * it }, { 350.0 }).crossoverRounds().first { it.round == 0 }
        first.predictedMs shouldBe (2.3 plusOrMinus 1e-9)
    }

    @Test
    fun `a round without virtual threads has no crossing`() {
        frame(forks("pool-8") { delay, _ -> 100.0 * delay }).crossoverRounds().shouldBeEmpty()
    }

    @Test
    fun `a pool's curve is put beside virtual threads of as many tasks and calls only`() {
        val mixed = frame(forks("pool-8") { _, _ -> 1.0 } + forks("virtual", tasks = 10_000) { _, _ -> 1.0 })
        mixed.crossoverRounds().shouldBeEmpty()
    }

    @Test
    fun `times stand in a row for each delay and a column for each executor, in the order of figures`() {
        val times = frame(
            forks("virtual-limited-8", 0..1) { _, _ -> 5.0 } + forks("pool-8", 0..1) { _, _ -> 4.0 } +
                forks("virtual", 0..1) { _, _ -> 3.0 },
        ).taskTimes()
        times.columnNames() shouldContainExactly listOf("tasks", "delayMs", "virtual", "pool-8", "virtual-limited-8", "n", "origin")
        times.rows().count() shouldBe 2
        times.rows().first()["virtual"].toString() shouldStartWith "3.0"
    }

    @Test
    fun `trials that Flight Recorder watched have a row of their own, and no part in a crossing`() {
        val pinned = frame(
            List(6) { trial("virtual", it, 100.0) } +
                List(6) { trial("virtual", it, 150.0, instrument = "jfr", metrics = mapOf("pinnedEvents" to 2.0, "pinnedMs" to 1.5)) },
        )
        pinned.pinning().rows().map { it["pinnedEvents"] } shouldContainExactly listOf("2 [2, 2]", "not recorded")
        pinned.crossoverRounds().shouldBeEmpty()
    }

    @Test
    fun `what was used up is told of client, server and machine`() {
        val rows = frame(forks("virtual", listOf(0)) { _, _ -> 100.0 }).saturation().rows()
        rows.single()["machineShare"] shouldBe "0.95 [0.95, 0.95]"
        rows.single()["n"] shouldBe 6
    }

    @Test
    fun `the source's figures stand beside ours where there are any`() {
        val beside = meeting({ 100.0 }, { 50.0 }).besideLoomSource()
        beside.rows().count() shouldBe 12
        beside.rows().map { it["ourPoolToVirtual"] }.distinct() shouldContainExactly listOf("not measured")
        val grid = frame(forks("pool-processors") { _, _ -> 100.0 } + forks("virtual") { _, _ -> 50.0 }).besideLoomSource()
        grid.rows().first()["ourPoolToVirtual"] shouldBe "2 [2, 2]"
        grid.rows().first()["sourcePoolToVirtual"] shouldBe "0.27"
    }

    @Test
    fun `the source's pool has fewer threads by its growth than by its base`() {
        val sizes = loomPoolSizes().rows().toList()
        sizes.first()["threadsByBaseOf4Ms"] shouldBe "49.5"
        sizes[5]["threadsByLastMs"] shouldBe "33.3"
    }
}
