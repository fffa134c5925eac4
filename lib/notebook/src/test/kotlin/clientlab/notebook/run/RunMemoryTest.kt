package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.journal.*
import clientlab.notebook.run.MadeRun.each
import clientlab.notebook.run.MadeRun.experiment
import clientlab.notebook.run.MadeRun.whole
import io.kotest.assertions.withClue
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.lang.management.ManagementFactory
import java.nio.file.Path

/** What a run holds of its trials while it goes on: rounds, journal, progress and the stop rule are the real ones, the trials made up. */
class RunMemoryTest(
    @param:TempDir private val folder: Path,
) {
    /** Bytes of heap in use, after full collections, with [trials] of a run behind it. */
    private fun heapAfter(at: Set<Int>, clients: Int, rounds: Int): Map<Int, Long> {
        // Values that scatter for ever, so that a precision never ends the run.
        val asked = experiment(*Array(clients) { "client$it" }, forks = 10).copy(precision = 1.percent, maxForks = rounds)
        val heap = mutableMapOf<Int, Long>()
        var done = 0
        Journal(folder).use { journal ->
            val rounds = Rounds(asked, Kept(asked), { ProgressDisplay.line(it) })
            rounds.run(
                { trials ->
                    journal.append(trials)
                    if (++done in at) heap[done] = heapInUse()
                },
                measure = each(::full),
            )
        }
        return heap
    }

    /** A trial as large as those of a burst, some six kilobytes. */
    private fun full(planned: Planned) =
        whole(planned, durationMs = 100.0 + 20 * (planned.round % 2)).map { trial ->
            trial.copy(curves = mapOf("live" to List(150) { listOf(it * 1.5, it.toDouble()) }))
        }

    private fun heapInUse(): Long {
        repeat(3) { System.gc() }
        return ManagementFactory.getMemoryMXBean().heapMemoryUsage.used
    }

    @Test
    fun `the heap after a thousand trials is that after a hundred`() = flat(from = 100, to = 1_000, clients = 10)

    @Test
    @Tag("long")
    fun `the heap after ten thousand trials is that after a thousand`() = flat(from = 1_000, to = 10_000, clients = 50)

    private fun flat(from: Int, to: Int, clients: Int) {
        val heap = heapAfter(setOf(from, to), clients, rounds = to / clients)
        var lines = 0
        Journal.each(folder) { lines++ }
        lines shouldBe 2 * to
        val grown = heap.getValue(to) - heap.getValue(from)
        println("Heap after $from trials ${heap[from]} bytes, after $to ${heap[to]}: $grown more.")
        withClue("bytes more after $to trials than after $from: $grown") { grown shouldBeLessThan PER_TRIAL * (to - from) }
    }

    private companion object {
        /** A trial that is held costs thousands. */
        const val PER_TRIAL = 1_000L
    }
}
