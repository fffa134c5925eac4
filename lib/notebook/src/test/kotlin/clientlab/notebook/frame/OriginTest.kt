package clientlab.notebook.frame

import clientlab.machine.*
import clientlab.notebook.claim.*
import clientlab.notebook.figure.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.trial
import clientlab.notebook.output.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.*
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

class OriginTest(
    @param:TempDir private val data: Path,
) {
    private fun AnyFrame.text() = shownAs("text/plain")

    @Test
    fun `a run is named with its commit, and with changes where there were some`() =
        withDataIn(data) {
            val clean = MadeRuns.folder().run
            originOf(listOf(clean)) shouldBe "run $clean (commit 0123456)"
            val dirty = MadeRuns.folder(dirty = true).run
            originOf(listOf(dirty)) shouldBe "run $dirty (commit 0123456 + changes)"
            val outside = MadeRuns.folder(commit = null, dirty = null).run
            originOf(listOf(outside)) shouldBe "run $outside (no commit known)"
            originOf(listOf(clean, dirty)) shouldBe "run $clean (commit 0123456), $dirty (commit 0123456 + changes)"
        }

    @Test
    fun `a run whose folder is gone is named by its id, and none says so`() =
        withDataIn(data) {
            originOf(listOf(MadeTrials.RUN)) shouldBe "run ${MadeTrials.RUN}"
            originOf(emptyList()) shouldBe "no run"
        }

    private val others = MachineReadings(MachineSettings(), before = MachineSpan(othersProcessors = 1.3))

    @Test
    fun `a machine that was not settled is told in a clause, of several runs with the run`() =
        withDataIn(data) {
            val settled = MadeRuns.folder(load = 7.5).run
            val busy = MadeRuns.folder(readings = others).run
            originOf(listOf(settled)) shouldNotContain "unsettled"
            val because = "others on 1.30 processors before the first trial"
            originOf(listOf(busy)) shouldBe "run $busy (commit 0123456), on an unsettled machine: $because"
            originOf(listOf(settled, busy)) shouldEndWith ", on an unsettled machine in $busy: $because"
            originOf(listOf(busy, MadeRuns.folder(readings = others).run)) shouldEndWith ", on an unsettled machine: $because"
        }

    @Test
    fun `what is only worth knowing unsettles no caption, but stands in the notes`() =
        withDataIn(data) {
            val trials = MadeRuns.trials(
                trial("fuel"),
                readings = MachineReadings(MachineSettings(governors = listOf("powersave"))),
            )
            trials.origin() shouldNotContain "unsettled"
            trials.notes().rows().map { it["treatment"] to it["because"] } shouldBe
                listOf("all" to "The frequency of the processors is not held: the governor is powersave, not performance.")
        }

    @Test
    fun `summary, notes, figure and verdict of an unsettled run say so, with run, commit, changes and n`() =
        withDataIn(data) {
            val disturbed = List(2) { DisturbedTrial(it, "fuel", listOf("Words.")) }
            val trials = MadeRuns.trials(
                *List(6) { trial("retrofit", round = it) }.toTypedArray(),
                dirty = true,
                readings = MachineReadings(MachineSettings(), trials = 6, disturbed = disturbed),
            )
            val words = "run ${trials.runs().single()} (commit 0123456 + changes), on an unsettled machine: 2 of 6 trials disturbed"
            trials.summary().text().lines().last() shouldBe "n = 6 forks a treatment, $words"
            trials.text().lines().last() shouldBe "n = 6 forks a treatment, $words"
            trials.notes().text() shouldContain "2 of 6 trials were disturbed"
            trials.threadChart().caption shouldBe "n = 6 forks a point, medians with 95 % intervals; $words"
            val verdict = verdict(MadeClaims.blocking, trials)
            verdict.basis shouldBe words
            verdict.line() shouldContain Regex("; n = \\d+, run ")
            verdict.html() shouldContain "on an unsettled machine"
        }

    @Test
    fun `a table that was made of trials says it in a column, which is shown below where all rows agree`() =
        withDataIn(data) {
            val one = MadeRuns.trials(trial("fuel"), trial("retrofit"))
            val other = MadeRuns.trials(trial("fuel"))
            val summary = one.summary()
            summary.columnNames().last() shouldBe ORIGIN
            summary.text().lines().first() shouldNotContain ORIGIN
            summary
                .filter { this["client"] == "fuel" }
                .text()
                .lines()
                .last() shouldStartWith "n = 1 fork a treatment, run "
            val both = listOf(summary, other.summary()).concat()
            both.text().lines().first() shouldContain ORIGIN
        }

    @Test
    fun `several runs in one frame are all named`() =
        withDataIn(data) {
            val runs = List(2) { MadeRuns.trials(trial("fuel")) }
            val both: Trials<*> = runs.concat().cast()
            both.origin() shouldBe "n = 2 forks a treatment, " + originOf(both.runs())
            both.runs().forEach { both.origin() shouldContain it }
        }

    @Test
    fun `every published run is still read, and a load that it began with is told and unsettles none`() {
        val folders = LabHome.published.listDirectoryEntries().filter { it.resolve(Manifest.FILE).toFile().exists() }
        folders.shouldNotBeEmpty()
        folders.forEach { folder ->
            withClue(folder.name) {
                val run = RunFolder(folder)
                val load = run.manifest.machine.load
                val findings = run.manifest.findings()
                if (run.manifest.readings == null) {
                    findings.isNotEmpty() shouldBe (load != null && load > 0.75 * run.manifest.machine.cores)
                    findings.none { it.unsettles } shouldBe true
                }
                originOf(listOf(run.run)) shouldContain "commit ${run.manifest.commit?.take(7)}"
            }
        }
    }
}
