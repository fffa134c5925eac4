package clientlab.notebook.run

import clientlab.*
import clientlab.burst.*
import clientlab.machine.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.fork.*
import clientlab.notebook.frame.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.probe.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.paths.shouldExist
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.Collections
import kotlin.concurrent.thread
import kotlin.io.path.createParentDirectories
import kotlin.io.path.isDirectory
import kotlin.io.path.writeText
import kotlin.streams.toList
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/** Whole runs: the delay server, the forks and the clients as they are built, with data and lock in a folder of the test's own. */
class RunTest(
    @param:TempDir private val data: Path,
) {
    private val before = children()
    private val lock get() = data.resolve("client-lab-run.lock")

    @BeforeEach
    fun theClientsAreBuilt() {
        val jars = LabHome.root.resolve("lib/clients/target/trial")
        check(jars.isDirectory()) { "$jars is missing: build lib/clients first, with ./lab run or mvn package; whole runs need it." }
    }

    private fun asked(vararg ids: String, forks: Int, inFlight: Int = 20) =
        Experiment("made", Burst(clients(*ids), inFlight = listOf(inFlight), delay = 500.milliseconds), forks = forks, seed = 7)

    private fun children(): List<ProcessHandle> = ProcessHandle
        .current()
        .children()
        .filter { it.isAlive }
        .toList()

    private fun started() = children() - before.toSet()

    @Test
    fun `two clients in two forks are four complete trials, scheduled and traceable`() =
        withDataIn(data) {
            val experiment = asked("ktor-cio", "retrofit", forks = 2)
            val told = Collections.synchronizedList(mutableListOf<Progress>())
            val trials = experiment.run(told::add)
            withClue(trials.rows().map { it["reasons"] }) { trials.rows().map { it["outcome"] } shouldBe List(4) { "complete" } }

            val folder = RunFolder.all("made").single()
            val measured = folder.trials().filter { !it.warmup }
            measured.map { it.round to it.treatment } shouldBe Schedule.of(experiment).map { it.round to it.treatment }
            folder.trials().count { it.warmup } shouldBe 4
            measured.forEach { trial ->
                trial.evidence.shouldNotBeNull().peakInFlight shouldBe 20
                trial.metrics.getValue("durationMs") shouldBeGreaterThanOrEqual 500.0
            }
            trials.summary().rowsCount() shouldBe 2

            told.filter { it.now != null }.map { it.done } shouldBe listOf(0, 1, 2, 3)
            told.last() shouldBe Progress(4, 4, null, Duration.ZERO, 0)
            told.all { it.total == 4 } shouldBe true

            folder.manifest.shouldTell(experiment)
            folder.readings().map { it.round to it.treatment } shouldBe Schedule.of(experiment).map { it.round to it.treatment }
            folder.manifest.readings.shouldNotBeNull().trials shouldBe 4
            folder.manifest.readings.shouldNotBeNull().calibration.shouldNotBeNull()
            nothingIsLeft()
        }

    @Test
    fun `a trial on a disturbed machine is warned, and a run of such trials says so wherever its numbers stand`() =
        withDataIn(data) {
            val folder = withTheSecondTrialDisturbed(asked("urlconnection", forks = 2))
            val words = "The host gave 50.0 % of the processors' time to other guests during the trial."
            folder.trials().filter { !it.warmup }.map { words in it.warnings } shouldBe listOf(false, true)
            folder.trials().filter { it.warmup }.none { words in it.warnings } shouldBe true
            folder.readings().map { it.disturbed } shouldBe listOf(emptyList(), listOf(words))
            folder.manifest.readings.shouldNotBeNull().disturbed.single().round shouldBe 1
            folder.frame().origin() shouldContain "on an unsettled machine: 1 of 2 trials disturbed"
            folder.frame().notes()["because"][0] shouldBe "1 of 2 trials were disturbed; each says by what in its warnings."
        }

    @Test
    fun `a disturbed trial is measured again where the experiment says so, and what it measured first is kept and counts nowhere`() =
        withDataIn(data) {
            val folder = withTheSecondTrialDisturbed(asked("urlconnection", forks = 2).copy(repeats = 2))
            folder.trials().filter { !it.warmup }.map { it.round } shouldBe listOf(0, 1)
            folder.trials().none { trial -> trial.warnings.any { "The host gave" in it } } shouldBe true
            val repeated = folder.repeatedTrials().single { !it.warmup }
            repeated.round shouldBe 1
            repeated.warnings.single { "The host gave" in it } shouldStartWith "The host gave 50.0 %"
            val readings = folder.manifest.readings.shouldNotBeNull()
            readings.trials shouldBe 2
            readings.disturbed shouldBe emptyList()
            readings.repeated.single().round shouldBe 1
            folder.readings().map { it.round } shouldBe listOf(0, 1)
            folder.frame().provenance()["value"].toList().joinToString() shouldContain "0 of 2; 1 more were measured again"
        }

    /** The run of [experiment] on a machine half of whose time is taken away during the first attempt at the second trial. */
    private fun withTheSecondTrialDisturbed(experiment: Experiment<*>): RunFolder {
        val root = data.resolve("root")

        fun stolen(ticks: Int) {
            val stat = root.resolve("proc/stat").createParentDirectories()
            stat.writeText("cpu  0 0 0 ${1000 + ticks} 0 0 0 $ticks\ncpu0 0\n")
        }
        stolen(0)
        root.resolve("proc/loadavg").writeText("0.00 0.00 0.00 1/1 1\n")
        val listener = ProgressListener { if (it.now != null && it.done == 1) stolen(500) }
        Run(experiment, listener, emptyMap(), MachineWatch(SystemFiles(root)) { null }).execute()
        return RunFolder.all("made").single()
    }

    private fun Manifest.shouldTell(asked: Experiment<*>) {
        state shouldBe "finished"
        endedAt.shouldNotBeNull()
        experiment shouldBe asked
        versions shouldContainKey "com.squareup.retrofit2:retrofit"
        jars shouldContainKey "delay-server.jar"
        jars.keys.count { it.startsWith("retrofit") } shouldBe 1
        jars.values.forEach { it shouldMatch Regex("[0-9a-f]{64}") }
        jvmArgs shouldBe TrialJvm.options
        machine.copy(load = null) shouldBe Machine.read().copy(load = null)
        notes shouldBe emptyList()
        val inGit = generateSequence(LabHome.root) { it.parent }.any { it.resolve(".git").isDirectory() }
        if (inGit) commit.shouldNotBeNull() shouldMatch Regex("[0-9a-f]{40,64}") else commit shouldBe null
    }

    private fun nothingIsLeft() {
        lock.shouldNotExist()
        started().shouldBeEmpty()
    }

    @Test
    fun `a server that is killed costs the trial in progress, and the rest have a new one`() =
        withDataIn(data) {
            var killer: Thread? = null
            var server: ProcessHandle? = null
            asked("retrofit", forks = 3).run { progress ->
                if (progress.done == 0 && progress.now != null) server = started().single()
                if (progress.done == 1 && progress.now != null) {
                    killer = thread { whenForkIsThere(beside = server.shouldNotBeNull()) { server?.destroyForcibly() } }
                }
            }
            killer.shouldNotBeNull().join()
            val folder = RunFolder.all("made").single()
            val measured = folder.trials().filter { !it.warmup }
            withClue(measured.map { it.reasons }) {
                measured.map { it.outcome } shouldBe listOf(Outcome.Complete, Outcome.Invalid, Outcome.Complete)
            }
            measured[1].reasons shouldBe listOf("The delay server ended, or stopped answering, during the trial.")
            folder.manifest.state shouldBe "finished"
            folder.manifest.notes shouldBe listOf("The delay server had ended and was started again before trial 3.")
            nothingIsLeft()
        }

    @Test
    fun `an interrupt in mid-trial ends fork and server, and keeps the trials so far`() =
        withDataIn(data) {
            var thrown: Throwable? = null
            var interrupter: Thread? = null
            var server: ProcessHandle? = null
            val runner =
                thread {
                    val me = Thread.currentThread()
                    thrown =
                        runCatching {
                            asked("retrofit", forks = 3).run { progress ->
                                if (progress.done == 0 && progress.now != null) server = started().single()
                                if (progress.done == 1 && progress.now != null) {
                                    interrupter = thread { whenForkIsThere(beside = server.shouldNotBeNull()) { me.interrupt() } }
                                }
                            }
                        }.exceptionOrNull()
                }
            runner.join()
            interrupter.shouldNotBeNull().join()
            thrown.shouldNotBeNull().shouldBeInstanceOf<InterruptedException>()
            val folder = RunFolder.all("made").single()
            folder.trials().filter { !it.warmup }.map { it.round } shouldBe listOf(0)
            folder.manifest.state shouldBe "interrupted"
            folder.manifest.endedAt.shouldNotBeNull()
            asked("retrofit", forks = 3).lastRun().rowsCount() shouldBe 1
            nothingIsLeft()
        }

    private fun whenForkIsThere(beside: ProcessHandle, act: () -> Unit) {
        while (started().none { it.pid() != beside.pid() }) Thread.yield()
        act()
    }

    @Test
    fun `a second run beside one that goes on is refused in one sentence, and the first goes on`() =
        withDataIn(data) {
            val experiment = asked("retrofit", forks = 1)
            var refusal: String? = null
            experiment.run { progress ->
                if (progress.now != null) refusal = shouldThrow<LabException> { experiment.copy(name = "other").run { } }.message
            }
            refusal.shouldNotBeNull() shouldStartWith "A run is going on already (made, process ${ProcessHandle.current().pid()}, since "
            RunFolder.all("other").shouldBeEmpty()
            RunFolder.all("made").single().manifest.state shouldBe "finished"
        }

    @Test
    fun `more in flight than files may be open is refused before anything starts`() =
        withDataIn(data) {
            val refusal = shouldThrow<LabException> { asked("retrofit", forks = 1, inFlight = 100_000_000).run { error("It began.") } }
            refusal.message.shouldNotBeNull() shouldStartWith "100000000 in flight need as many open files, and a process here may have "
            refusal.message.shouldNotBeNull() shouldContain "raise the limit (`ulimit -n 100000300`)"
            data.resolve("raw").shouldNotExist()
        }

    @Test
    fun `where the folder of trials is, the frame finds it`() =
        withDataIn(data) {
            asked("urlconnection", forks = 1).run { }
            val folder = RunFolder.all("made").single()
            folder.path.resolve("trials.jsonl").shouldExist()
            folder.frame().rowsCount() shouldBe 1
            folder.frame(warmups = true).rowsCount() shouldBe 1
        }
}
