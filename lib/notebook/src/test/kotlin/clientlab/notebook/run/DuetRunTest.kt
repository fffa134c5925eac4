package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.openloop.*
import clientlab.probe.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.concurrent.thread
import kotlin.io.path.readLines
import kotlin.streams.toList
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Whole runs in which both clients are measured at the same time. */
class DuetRunTest(
    @param:TempDir private val data: Path,
) {
    private fun duet(seconds: Int) =
        Experiment(
            "duet",
            OpenLoop(clients("urlconnection", "okhttp"), listOf(100), seconds, delay = 2.milliseconds, warmUp = 1.seconds),
            forks = 2,
            duet = true,
        )

    /** How many children of this process have [what] in their command line. */
    private fun children(what: String): Int =
        ProcessHandle
            .current()
            .children()
            .map { it.pid() }
            .toList()
            .count { SystemFiles.here.text("proc/$it/cmdline")?.contains(what) == true }

    private fun forks() = children("clientlab.workloads.TrialMainKt")

    private fun servers() = children("delay-server.jar")

    /** The most forks and servers that were there at once while [block] ran. */
    private fun <T> seen(block: () -> T): Triple<T, Int, Int> {
        val over = AtomicBoolean()
        var most = 0 to 0
        val watcher = thread {
            while (!over.get()) {
                most = maxOf(most.first, forks()) to maxOf(most.second, servers())
                Thread.sleep(50)
            }
        }
        val result = try {
            block()
        } finally {
            over.set(true)
            watcher.join()
        }
        return Triple(result, most.first, most.second)
    }

    @Test
    fun `both have a fork and a server at the same time, and each server saw the requests of one`() =
        withDataIn(data) {
            val (folder, forks, servers) = seen { Run(duet(seconds = 2), {}).execute() }
            forks to servers shouldBe (2 to 2)
            forks() + servers() shouldBe 0
            val trials = folder.trials().filter { !it.warmup }
            trials.map { it.outcome to it.evidence?.arrived } shouldBe List(4) { Outcome.Complete to 200L }
            folder.manifest.notes shouldContain "Both trials of a round ran at the same time, each against a delay server of its own."
            val readings = MachineJournal.read(folder.path)
            readings.map { it.round } shouldBe listOf(0, 0, 1, 1)
            readings.chunked(2).forEach { (one, other) -> one.span shouldBe other.span }
            folder.manifest.readings?.trials shouldBe 4
        }

    @Test
    fun `stopping ends both forks and both servers, and what is missing of a torn round is not measured alone`() =
        withDataIn(data) {
            val ended = CompletableFuture<RunFolder>()
            val run = thread {
                runCatching { Run(duet(seconds = 60), {}).execute() }.fold(ended::complete, ended::completeExceptionally)
            }
            while (forks() < 2) Thread.sleep(20)
            run.interrupt()
            shouldThrow<ExecutionException> { ended.get() }.cause.let { it is InterruptedException } shouldBe true
            forks() + servers() shouldBe 0

            val folder = Run(duet(seconds = 1), {}).execute()
            // As if it had been killed between two lines.
            val journal = folder.path.resolve("trials.jsonl")
            val lines = journal.readLines()
            val first = lines.indexOfFirst { "\"warmup\":false" in it }
            journal.toFile().writeText(lines.take(first + 1).joinToString("") { "$it\n" })
            folder.manifest.copy(state = "interrupted").write(folder.path)
            val trials = Run(duet(seconds = 1), {}).resume(folder.run, anyway = false).trials().filter { !it.warmup }
            trials.map { it.outcome } shouldBe listOf(Outcome.Complete, Outcome.Invalid, Outcome.Complete, Outcome.Complete)
            withClue("its reason") {
                trials[1].reasons.single() shouldStartWith "The run ended when the other trial of this duet had been kept"
            }
        }
}
