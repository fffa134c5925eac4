package clientlab.notebook.run

import clientlab.*
import clientlab.burst.*
import clientlab.client.*
import clientlab.machine.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.fork.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.time.Instant
import kotlin.io.path.appendText
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.writeLines
import kotlin.time.Duration.Companion.milliseconds

class ResumeTest(
    @param:TempDir private val data: Path,
) {
    private val asked =
        Experiment(
            "made",
            Burst(clients("urlconnection"), inFlight = listOf(3), delay = 100.milliseconds, start = listOf(Start.Warm), threads = false),
            forks = 3,
        )

    private fun refusal(action: () -> Any) = shouldThrow<LabException> { action() }.message.shouldNotBeNull()

    /** A run's folder with no trials in it. */
    private fun left(state: String, at: String = "2026-11-21T12:00:00Z", change: Manifest.() -> Manifest = { this }): RunFolder {
        val folder = RunFolder.create(asked, Instant.parse(at))
        Manifest(
            folder.path.name,
            asked,
            at,
            Machine.read(),
            CatalogueReader.catalogue.versions,
            emptyMap(),
            TrialJvm.options,
            state = state,
        ).change()
            .write(folder.path)
        return RunFolder(folder.path)
    }

    @Test
    fun `a finished run has nothing to resume`() =
        withDataIn(data) {
            val run = left("finished").run
            refusal { asked.resume(run) } shouldBe "The run $run of made is finished: there is nothing to resume."
            refusal { asked.resume(run, anyway = true) } shouldBe "The run $run of made is finished: there is nothing to resume."
            refusal { asked.resume() } shouldBe
                "No run of made made here is unfinished, so there is nothing to resume: call run() for a new one."
            data.resolve("client-lab-run.lock").shouldNotExist()
        }

    @Test
    fun `a run that is not there is missed with those that could be resumed`() =
        withDataIn(data) {
            refusal { asked.resume("20200101-000000-1234") } shouldBe
                "There is no run 20200101-000000-1234 of made here to resume; none made here is unfinished."
            val run = left("interrupted").run
            refusal { asked.resume("20200101-000000-1234") } shouldEndWith "; unfinished are $run."
        }

    @Test
    fun `a run goes on by the experiment's name alone, as a stopped cell has lost its val`() =
        withDataIn(data) {
            val jars = Run(asked, {}, emptyMap()).jars(TrialJvm.classpath())
            val folder = left("interrupted") { copy(jars = jars) }
            Journal(folder.path).use { journal -> Schedule.of(asked).take(2).forEach { journal.append(listOf(MadeRun.measured(it))) } }
            refusal { resume("maed") } shouldBe "No experiment 'maed' was run here: did you mean 'made'? Run here were made."

            val told = mutableListOf<Progress>()
            resume("made", listener = told::add).rowsCount() shouldBe 3
            told.count { it.now != null } shouldBe 1
            told.first().experiment shouldBe "made"
            lastRun("made").rowsCount() shouldBe 3
            refusal { resume("made") } shouldBe
                "No run of made made here is unfinished, so there is nothing to resume: call run() for a new one."
            refusal { resume(folder.run) } shouldBe "The run ${folder.run} of made is finished: there is nothing to resume."
        }

    @Test
    fun `a client from a cell that was not kept with its run is asked for again`() =
        withDataIn(data) {
            val own = asked.with(blockingClient("mine") { 200 })
            val folder = left("failed") { copy(experiment = own) }
            refusal { resume("made") } shouldBe
                "The client 'mine' comes from a cell and the run ${folder.run} stopped before it was kept: execute the cells that " +
                "declare the client and its experiment again, then call run() on the experiment."
        }

    @Test
    fun `another question, library, jar, option or machine is refused with its name`() =
        withDataIn(data) {
            val jars = Run(asked, {}, emptyMap()).jars(TrialJvm.classpath())

            fun whatDiffers(experiment: Experiment<*> = asked, change: Manifest.() -> Manifest = { this }): String {
                val run = left("interrupted", change = { copy(jars = jars).change() }).run
                val sentence = refusal { experiment.resume(run) }
                sentence shouldStartWith "The run $run cannot go on as it began ("
                sentence shouldEndWith "): begin a new one with run(), or go on all the same with resume(\"$run\", anyway = true), " +
                    "which its manifest will say."
                return sentence.substringAfter('(').substringBefore("): begin")
            }
            whatDiffers(asked.copy(seed = 43)) shouldBe "experiment.seed is 43 and was 42"
            whatDiffers { copy(machine = machine.copy(cpu = "Another")) } shouldBe "machine.cpu is ${Machine.read().cpu} and was Another"
            whatDiffers { copy(machine = machine.copy(cores = 999)) } shouldBe "machine.cores is ${Machine.read().cores} and was 999"
            whatDiffers { copy(machine = machine.copy(memoryBytes = 1)) } shouldContain "machine.memoryBytes is "
            whatDiffers { copy(machine = machine.copy(os = "Other")) } shouldContain "machine.os is "
            whatDiffers { copy(machine = machine.copy(java = "8")) } shouldContain "machine.java is "
            whatDiffers { copy(jvmArgs = jvmArgs.map { it.replace("-Xmx2g", "-Xmx1g") }) } shouldMatch
                Regex("jvmArgs\\[\\d+] is -Xmx2g and was -Xmx1g")
            whatDiffers { copy(versions = versions + ("a:b" to "1")) } shouldBe "versions.a:b is missing and was 1"
            whatDiffers { copy(jars = jars + ("delay-server.jar" to "0".repeat(64))) } shouldMatch
                Regex("jars\\.delay-server\\.jar is [0-9a-f]{12}… and was 0{12}…")
            whatDiffers { copy(versions = versions + List(5) { "a:$it" to "1" }) } shouldEndWith "; and 2 more differ"
        }

    @Test
    fun `load and open files may differ, for neither is what was measured on`() =
        withDataIn(data) {
            val was = left("interrupted").manifest
            Differences.between(was, was.copy(machine = was.machine.copy(load = 99.0, openFiles = 1))) shouldBe emptyList()
            Differences.between(was, was.copy(notes = listOf("a"), state = "finished", commit = "b")) shouldBe emptyList()
        }

    @Test
    fun `a run that was killed in mid-line goes on with exactly the missing trials, and says so`() =
        withDataIn(data) {
            asked.run { }
            val folder = RunFolder.all("made").single()
            val whole = folder.trials()
            // As a kill leaves it: one trial whole, the warm-up of the next, half a line, and a manifest that says it goes on.
            val journal = folder.path.resolve(Journal.FILE)
            val lines = journal.readLines()
            lines shouldHaveSize 6
            val paces = folder.manifest.readings!!.pace.map { it.after to it.before }
            paces shouldBe listOf(null to 0, 0 to 1, 1 to 2, 2 to null)
            journal.writeLines(lines.take(3))
            journal.appendText(lines[3].take(100))
            folder.manifest.copy(state = "running", endedAt = null).write(folder.path)
            Unfinished.stateOf(RunFolder(folder.path)) shouldBe "killed"

            val told = mutableListOf<Progress>()
            val trials = asked.resume(listener = told::add)
            trials.rowsCount() shouldBe 3
            told.mapNotNull { it.now }.size shouldBe 2
            told.first().done shouldBe 1

            val resumed = RunFolder.all("made").single()

            fun keys(trials: List<Trial>) = trials.map { Triple(it.round, it.treatment, it.warmup) }
            keys(resumed.trials()) shouldBe keys(whole)
            resumed.trials().take(2) shouldBe whole.take(2)
            resumed.trials().filter { !it.warmup }.map { it.round } shouldBe Schedule.of(asked).map { it.round }
            resumed.manifest.state shouldBe "finished"
            resumed.manifest.readings!!.pace.map { it.after to it.before } shouldBe paces + listOf(null to 1, 1 to 2, 2 to null)
            resumed.manifest.paces().single().rounds.map { it.round } shouldBe listOf(0, 1, 2)
            val notes = resumed.manifest.notes
            notes.take(2) shouldBe
                listOf(
                    "A torn line of 100 bytes was cut off the journal.",
                    "The warm-up of a trial that has no measurement was cut off the journal.",
                )
            notes[2] shouldMatch Regex("The run was killed, and was resumed at 2\\S+Z after 1 trial\\.")
            notes shouldHaveSize 3
            resumed.manifest.startedAt shouldBe folder.manifest.startedAt
        }

    @Test
    fun `asked to go on anyway it runs what its manifest asks, and writes down what differed`() =
        withDataIn(data) {
            val run = left("failed") { copy(machine = machine.copy(cores = 999), jars = emptyMap()) }.run
            asked.copy(seed = 43, forks = 9).resume(run, anyway = true).rowsCount() shouldBe 3
            val manifest = RunFolder.all("made").single().manifest
            manifest.state shouldBe "finished"
            manifest.experiment shouldBe asked
            manifest.notes.single() shouldStartWith "The run had failed, and was resumed at 2"
            listOf("experiment.seed is 43 and was 42", "experiment.forks is 9 and was 3", "machine.cores is ").forEach {
                manifest.notes.single() shouldContain it
            }
        }

    @Test
    fun `a run with a precision ends where it is reached, and its manifest says by which rule and why`() =
        withDataIn(data) {
            val narrow = asked.copy(precision = 99.percent, maxForks = 30)
            val jars = Run(narrow, {}, emptyMap()).jars(TrialJvm.classpath())
            val folder = left("running") { copy(experiment = narrow, jars = jars) }
            Journal(folder.path).use { journal -> Schedule.of(narrow).take(9).forEach { journal.append(listOf(MadeRun.measured(it))) } }

            narrow.resume(folder.run).rowsCount() shouldBe 10
            val manifest = RunFolder(folder.path).manifest
            manifest.state shouldBe "finished"
            manifest.rule.shouldNotBeNull() shouldStartWith
                "Whole rounds are added until both ends of the 95 % interval of the median of durationMs"
            manifest.stopped shouldBe "After 10 rounds: every interval of durationMs is within 99 % of its median."
        }

    @Test
    fun `a run that goes on is not resumed beside itself, and is known to be running`() =
        withDataIn(data) {
            var refusal = ""
            var state = ""
            asked.copy(forks = 1).run { progress ->
                if (progress.now != null) {
                    refusal = refusal { asked.resume() }
                    state = Unfinished.stateOf(RunFolder.all("made").single())
                }
            }
            refusal shouldStartWith "A run is going on already (made, process ${ProcessHandle.current().pid()}, since 2"
            refusal shouldContain ", run ${RunFolder.all("made").single().run})"
            state shouldBe "running"
        }
}
