package clientlab.notebook.journal

import clientlab.*
import clientlab.burst.*
import clientlab.conduct.*
import clientlab.idle.*
import clientlab.machine.*
import clientlab.notebook.frame.*
import clientlab.notebook.home.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.trial
import clientlab.notebook.run.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.paths.shouldExist
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.select
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.time.Instant
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.readLines
import kotlin.io.path.readText

class RunFolderTest(
    @param:TempDir private val data: Path,
) {
    private val asked = Experiment("made", Burst(listOf(ClientInfo("fuel", "Fuel", "a:b", "none"))))

    private fun run(
        state: String = "finished",
        at: String = "2026-11-21T12:00:00Z",
        rounds: Int = 1,
        readings: MachineReadings? = null,
        of: Experiment<*> = asked,
        made: (Int) -> Trial = { trial("fuel", round = it) },
    ): RunFolder {
        val folder = RunFolder.create(of, Instant.parse(at))
        Manifest(folder.run, of, at, Machine.read(), emptyMap(), emptyMap(), emptyList(), state = state, readings = readings)
            .write(folder.path)
        Journal(folder.path).use { journal -> repeat(rounds) { journal.append(listOf(made(it))) } }
        return folder
    }

    private fun refusal(action: () -> Any) = shouldThrow<LabException> { action() }.message

    @Test
    fun `a run's folder is named for the time it began, in UTC, and for chance`() =
        withDataIn(data) {
            val folder = RunFolder.create(asked, Instant.parse("2026-11-21T23:59:58Z"))
            folder.run shouldMatch Regex("20261121-235958-[1-9a-f][0-9a-f]{3}")
            folder.path.parent shouldBe data.resolve("raw/made")
        }

    @Test
    fun `runs are listed with the newest first, and folders without a manifest are none`() =
        withDataIn(data) {
            val old = run(at = "2026-11-20T12:00:00Z")
            val new = run(at = "2026-11-21T12:00:00Z")
            RunFolder.create(asked, Instant.parse("2026-11-22T12:00:00Z"))
            RunFolder.all("made").map { it.run } shouldBe listOf(new.run, old.run)
            RunFolder.all("another") shouldBe emptyList()
        }

    @Test
    fun `the last run is read, and where there is none that is said`() =
        withDataIn(data) {
            refusal { asked.lastRun() } shouldBe "The experiment made has not been run here yet: call run() on it."
            run(rounds = 3)
            asked.lastRun().rowsCount() shouldBe 3
        }

    @Test
    fun `the last run is read by the experiment's name too, and a wrong name is refused with the right one`() =
        withDataIn(data) {
            refusal { lastRun("made") } shouldBe "No experiment 'made' was run here: no experiment was run here yet."
            run(rounds = 3)
            lastRun("made").rowsCount() shouldBe 3
            refusal { lastRun("mdae") } shouldBe "No experiment 'mdae' was run here: did you mean 'made'? Run here were made."
        }

    @Test
    fun `a published name that there is not is refused with the one that was meant, and with all there are`() =
        withDataIn(data) {
            run()
            asked.publish("2026-11")
            refusal { published("maed-2026-11") } shouldBe
                "No data are published for maed under '2026-11': did you mean 'made-2026-11'?"
            refusal { published("unheard-of-2026-11") } shouldBe
                "No data are published for unheard-of under '2026-11': published are made-2026-11."
            refusal { asked.published("2026-12") } shouldBe "No data are published for made under '2026-12'; there is 2026-11."
        }

    @Test
    fun `where no trial counts a metric is a column all the same, without a number`() =
        withDataIn(data) {
            val none = run { trial("fuel", outcome = Outcome.Invalid, metrics = mapOf("durationMs" to 3.0)) }.frame()
            none
                .select("outcome", "threadsBlocked", "durationMs")
                .rows()
                .single()
                .values() shouldBe listOf("invalid", null, 3.0)
            run().frame().columnNames() shouldNotContain "latencyP50Ms"
        }

    @Test
    fun `publishing copies the manifest and compresses the trials, and they are read by experiment or by name`() =
        withDataIn(data) {
            val folder = run(rounds = 2)
            val target = Path.of(asked.publish("2026-11"))
            target shouldBe LabHome.published.resolve("made-2026-11")
            target.listDirectoryEntries().map { it.name }.sorted() shouldBe listOf("manifest.json", "trials.jsonl.gz")
            target.resolve("manifest.json").readBytes() shouldBe folder.path.resolve("manifest.json").readBytes()
            RunFolder(target).trials() shouldBe folder.trials()
            asked.published("2026-11").rowsCount() shouldBe 2
            published("made-2026-11").rowsCount() shouldBe 2
        }

    @Test
    fun `publishing adds the hash of every file to those of the runs before`() =
        withDataIn(data) {
            run()
            val sums = LabHome.published.resolve(PublishedFiles.SUMS)
            asked.publish("2026-11")
            val before = sums.readText()
            val target = Path.of(asked.publish("2026-11b"))
            sums.readText() shouldStartWith before
            sums.readLines().drop(2) shouldBe
                listOf("manifest.json", "trials.jsonl.gz").map { "${Sha256.of(target.resolve(it))}  made-2026-11b/$it" }
        }

    @Test
    fun `a run is read as trials of its own workload, and of no other`() =
        withDataIn(data) {
            run()
            asked.publish("2026-11")
            published<Burst>("made-2026-11").rowsCount() shouldBe 1
            lastRun<Burst>("made").rowsCount() shouldBe 1
            val sentence = "is of Burst, not of IdleTasks: write Burst instead, as in published<Burst>(\"…\")."
            refusal { published<IdleTasks>("made-2026-11") } shouldBe "The run made-2026-11 $sentence"
            refusal { lastRun<IdleTasks>("made") } shouldContain sentence
        }

    @Test
    fun `what was read of the machine is published too, where there is any`() =
        withDataIn(data) {
            val folder = run()
            MachineJournal(folder.path).use { it.append(TrialReading(0, trial("fuel").treatment, MachineSpan(load = 0.5))) }
            val target = Path.of(asked.publish("2026-11"))
            RunFolder(target).readings() shouldBe folder.readings()
            folder.readings().single().span.load shouldBe 0.5
            published("made-2026-11").machine().rowsCount() shouldBe 1
        }

    @Test
    fun `a disturbed run is not published, which is one with more than a tenth of its trials disturbed`() =
        withDataIn(data) {
            fun readings(disturbed: Int, trials: Int = 20): MachineReadings {
                val each = List(disturbed) { DisturbedTrial(it, "fuel", listOf("Others kept 0.5 processors busy.")) }
                return MachineReadings(MachineSettings(), trials = trials, disturbed = each)
            }
            run(readings = readings(2))
            asked.publish("2026-11")
            run(at = "2026-11-22T12:00:00Z", readings = readings(3))
            refusal { asked.publish("2026-11b") } shouldBe "3 of 20 trials were disturbed by other work on this machine, and a published " +
                "run has at most one in 10: end the other work and measure again."
            LabHome.published.resolve("made-2026-11b").shouldNotExist()
            run(at = "2026-11-23T12:00:00Z", readings = readings(1, trials = 5))
            refusal { asked.publish("2026-11b") } shouldStartWith "1 of 5 trials were disturbed"
            run(at = "2026-11-24T12:00:00Z", readings = readings(4, trials = 4))
            asked.publish("2026-11b")
        }

    @Test
    fun `a run of conduct counts as disturbed where pauses spoilt what it saw, and not where others worked`() =
        withDataIn(data) {
            val each = List(15) { DisturbedTrial(it, "fuel", listOf("Others kept 0.5 processors busy.")) }
            val observed = Experiment("made", Conduct(asked.workload.clients))

            fun run(at: String, spoilt: Int) =
                run(at = at, rounds = 20, readings = MachineReadings(MachineSettings(), trials = 20, disturbed = each), of = observed) {
                    trial("fuel", round = it).copy(metrics = mapOf("spoilt" to if (it < spoilt) 1.0 else 0.0))
                }
            run("2026-11-20T12:00:00Z", spoilt = 2)
            Path.of(observed.publish("2026-11")).shouldExist()
            run("2026-11-21T12:00:00Z", spoilt = 3)
            refusal { observed.publish("2026-11b") } shouldStartWith "3 of 20 trials were disturbed"
        }

    @Test
    fun `the newest run is published, unless one is named`() =
        withDataIn(data) {
            val old = run(at = "2026-11-20T12:00:00Z", rounds = 1)
            run(at = "2026-11-21T12:00:00Z", rounds = 2)
            asked.publish("2026-11")
            asked.publish("2026-11b", run = old.run)
            publishedAs(old.run) shouldBe "made-2026-11b"
            asked.published("2026-11").rowsCount() shouldBe 2
            asked.published("2026-11b").rowsCount() shouldBe 1
        }

    @Test
    fun `what is published is never written again`() =
        withDataIn(data) {
            run()
            asked.publish("2026-11")
            run(at = "2026-11-22T12:00:00Z", rounds = 5)
            refusal { asked.publish("2026-11") } shouldBe
                "made is published under '2026-11' already, and published data are never changed: choose another label."
            asked.published("2026-11").rowsCount() shouldBe 1
        }

    @Test
    fun `a run that did not finish is not published`() =
        withDataIn(data) {
            // One that says it is running and holds no lock was killed.
            listOf("interrupted", "running", "failed").forEachIndexed { index, state ->
                val folder = run(state, at = "2026-11-2${index + 1}T12:00:00Z")
                val now = if (state == "running") "killed" else state
                refusal { asked.publish("2026-11") } shouldBe "The run ${folder.run} is $now; only a finished run is published."
            }
            LabHome.published.resolve("made-2026-11").shouldNotExist()
        }

    @Test
    fun `a run that is not there is not published`() =
        withDataIn(data) {
            run()
            refusal { asked.publish("2026-11", run = "20200101-000000-1234") } shouldBe
                "There is no run 20200101-000000-1234 of made here to publish."
        }

    @Test
    fun `data that are not published are missed with those that are`() =
        withDataIn(data) {
            refusal { asked.published("2026-11") } shouldBe "No data are published for made under '2026-11'; nothing is published yet."
            run()
            asked.publish("2026-12")
            asked.publish("2026-11")
            refusal { asked.published("2026-10") } shouldBe "No data are published for made under '2026-10'; there is 2026-11, 2026-12."
            refusal { published("made") } shouldBe "'made' is no published run: write it as \"threads-2026-11\"."
        }
}
