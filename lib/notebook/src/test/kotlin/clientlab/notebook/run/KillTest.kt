package clientlab.notebook.run

import clientlab.*
import clientlab.child.*
import clientlab.notebook.fork.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.Random
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectories
import kotlin.streams.toList
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/**
 * Runs that are killed with SIGKILL at random points and resumed, against one that nobody disturbs.
 *
 * Now the harness is killed, which stands for a kernel, now the fork, now the server. A point is a random time after a random one of the
 * lines that the harness prints, so that its start, its server's, and the trials are all hit.
 */
class KillTest(
    @param:TempDir private val data: Path,
) {
    private data class Key(val round: Int, val treatment: String, val warmup: Boolean)

    private fun keys(trials: List<Trial>) = trials.map { Key(it.round, it.treatment.key, it.warmup) }

    @Test
    @Tag("long")
    fun `runs killed at two hundred random points and resumed have the same trials as an undisturbed one, none twice`() =
        killed(times = 200, rounds = 6)

    private fun harness(folder: Path, rounds: Int) =
        ChildProcess(ownJvm(KillRun::class.java.name, folder.createDirectories().toString(), "$rounds"))

    private fun killed(times: Int, rounds: Int) {
        val undisturbed = data.resolve("undisturbed")
        harness(undisturbed, rounds).use { it.toItsEnd() }
        val expected = keys(only(undisturbed).trials())
        expected.filter { !it.warmup } shouldBe Schedule.of(KillRun.experiment(rounds)).map { Key(it.round, it.treatment.key, false) }

        val random = Random(20261121)
        var kills = 0
        var runs = 0
        var starts = 0
        val killed = mutableMapOf<String, Int>()
        while (kills < times) {
            val folder = data.resolve("run${runs++}")
            var over = false
            while (!over && kills < times) {
                check(starts++ < 3 * times) { "The harness was started $starts times for $kills kills: it does not get far." }
                harness(folder, rounds).use { harness ->
                    while (harness.alive && kills < times) {
                        val lines = random.nextInt(4)
                        (0 until lines).all { harness.nextLine(10.seconds) != null }
                        harness.awaitEnd(random.nextInt(MOST_MS).milliseconds)
                        val victim = victim(harness, random.nextInt(10))
                        if (victim != null) {
                            kill(harness, victim.second)
                            killed.merge(victim.first, 1, Int::plus)
                            kills++
                        }
                    }
                    over = !harness.alive && harness.exitCode == 0
                }
            }
            if (!over) harness(folder, rounds).use { it.toItsEnd() }
            withClue("run $runs of $killed") { same(only(folder), expected, folder) }
        }
        println("Killed in $runs runs: $killed.")
        killed.keys shouldContain "harness"
    }

    private fun only(folder: Path): RunFolder {
        var found: RunFolder? = null
        withDataIn(folder) { found = RunFolder.all("killed").single() }
        return checkNotNull(found)
    }

    /** A fork that is killed may take its warm-up with it; for the rest the trials are the same in the same order. */
    private fun same(run: RunFolder, expected: List<Key>, folder: Path) {
        val trials = run.trials()
        val invalid = trials.filter { it.outcome == Outcome.Invalid }.map { it.round to it.treatment.key }.toSet()
        val kept = keys(trials)
        kept shouldBe expected.filter { it in kept || !it.warmup || (it.round to it.treatment) !in invalid }
        run.manifest.state shouldBe "finished"
        folder.resolve("client-lab-run.lock").shouldNotExist()
    }

    /** What to kill, by its name: in seven of ten cases the harness, else the fork or the server, where it is there. */
    private fun victim(harness: ChildProcess, choice: Int): Pair<String, ProcessHandle>? {
        val handle = ProcessHandle.of(harness.pid).orElse(null)?.takeIf { it.isAlive } ?: return null
        val (servers, forks) = handle.children().toList().partition { "delay-server.jar" in it.info().commandLine().orElse("") }
        return when (choice) {
            in 0..6 -> "harness" to handle
            in 7..8 -> forks.firstOrNull()?.let { "fork" to it }
            else -> servers.firstOrNull()?.let { "server" to it }
        }
    }

    /** Whatever the harness had started ends by itself. */
    private fun kill(harness: ChildProcess, victim: ProcessHandle) {
        val orphans = if (victim.pid() == harness.pid) victim.descendants().toList() else emptyList()
        victim.destroyForcibly()
        victim.onExit().get(1, TimeUnit.MINUTES)
        orphans.forEach { it.onExit().get(2, TimeUnit.MINUTES) }
    }

    private fun ChildProcess.toItsEnd() {
        val said = generateSequence { nextLine(5.minutes) }.toList()
        awaitEnd(1.minutes)
        withClue("$said ${lastWords()}") { exitCode shouldBe 0 }
    }

    private companion object {
        /** About as long as a trial, or the start of a harness, takes. */
        const val MOST_MS = 900
    }
}
