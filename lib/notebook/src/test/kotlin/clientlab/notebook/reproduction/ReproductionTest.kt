package clientlab.notebook.reproduction

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.journal.*
import clientlab.notebook.run.*
import clientlab.notebook.stats.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path

class ReproductionTest(
    @param:TempDir private val folder: Path,
) {
    private val earlier = RunFolder.published("threads", "2026-11")
    private val claims = listOf(MadeClaims.blocking("threads-2026-11"))

    /** The same run, with every time and count of it [factor] times as large. */
    private fun scaled(factor: Double): RunFolder {
        earlier.manifest.copy(run = "20300101-000000-abcd", machine = earlier.manifest.machine.copy(cores = 64)).write(folder)
        Journal(folder).use { journal ->
            earlier.trials().forEach { trial ->
                journal.append(listOf(trial.copy(metrics = trial.metrics.mapValues { it.value * factor })))
            }
        }
        return RunFolder(folder)
    }

    @Test
    fun `a run agrees with itself, wherever it is decided at all`() {
        val same = Reproductions.compare(earlier, earlier, claims)
        same.rows.shouldNotBeEmpty()
        same.rows.filter { it.agreement == Agreement.Differs }.shouldBeEmpty()
        same.rows.count { it.agreement == Agreement.Agrees } shouldBe same.rows.count { it.agreement != Agreement.Undecided }
        same.differences.shouldBeEmpty()
        same.holds shouldBe true
        same.frame().rowsCount() shouldBe same.rows.size
    }

    @Test
    fun `a run that finds twice as much differs, and says on which machine`() {
        val twice = Reproductions.compare(earlier, scaled(2.0), claims)
        twice.holds shouldBe false
        twice.rows.filter { it.claim == "made.blocking" }.map { it.agreement } shouldContain Agreement.Differs
        twice.differences shouldBe listOf("The number of processors was 2 and is 64.")
        "$twice" shouldContain "and now run 20300101-000000-abcd"
    }

    @Test
    fun `a client that is set otherwise now is named with what was set and what is`() {
        val experiment = earlier.manifest.experiment
        val retrofit = experiment.workload.clients.first { it.id == "retrofit" }
        val others = experiment.workload.clients - retrofit
        val now = experiment.copy(workload = experiment.workload.withClients(others + retrofit.copy(settings = "a pool of 9")))
        Reproductions.differences(earlier.manifest, earlier.manifest.copy(experiment = now)) shouldBe
            listOf("What is set on retrofit was ${retrofit.settings} and is a pool of 9.")
    }

    @Test
    fun `a run of one's own is held by the claims that rest on its experiment`() {
        val own = scaled(1.0)
        val rows = Reproductions.compare(own, earlier, claims).rows
        rows.map { it.claim } shouldBe Reproductions.compare(earlier, earlier, claims).rows.map { it.claim }
        rows.map { it.earlier.estimate } shouldBe rows.map { it.later.estimate }
    }

    @Test
    fun `a run that is not there is refused in a sentence`() {
        shouldThrow<LabException> { reproduce("20200101-000000-abcd") {} }.message shouldBe
            "No folder of data holds the run 20200101-000000-abcd any more."
    }
}
