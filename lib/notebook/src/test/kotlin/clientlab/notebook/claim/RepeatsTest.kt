package clientlab.notebook.claim

import clientlab.*
import clientlab.burst.*
import clientlab.machine.*
import clientlab.notebook.frame.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.trial
import clientlab.notebook.run.*
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.time.Instant
import kotlin.io.path.writeText

/** A verdict counts if the runs of other days agree, and none of them can be left out. */
class RepeatsTest(
    @param:TempDir private val data: Path,
) {
    private val asked = Experiment("made", Burst(listOf(ClientInfo("fuel", "Fuel", "a:b", "none"))), forks = 8)

    private val claim = Claim("made.blocking", Claim.BEYOND, "w", "f", listOf("made-2026-11"), "none") { trials ->
        trials.byTreatment().map { Part.median(it.client, "threads", Bound(low = 15.0), it.values("threadsBlocked")) }
    }

    /** A run of eight forks that each blocked [threads], published under [label]. */
    private fun published(label: String, day: String, threads: Double, of: Experiment<Burst> = asked.copy(seed = day.toLong())) {
        val at = "2026-11-${day}T12:00:00Z"
        val folder = RunFolder.create(of, Instant.parse(at))
        Manifest(folder.run, of, at, Machine.read(), emptyMap(), emptyMap(), emptyList(), state = "finished").write(folder.path)
        Journal(folder.path).use { journal ->
            repeat(of.forks) { journal.append(listOf(trial("fuel", round = it, metrics = mapOf("threadsBlocked" to threads)))) }
        }
        of.publish(label, folder.run)
    }

    @Test
    fun `one run is one run, and a second of the same day does not repeat it`() = withDataIn(data) {
        published("2026-11", "21", 20.0)
        published("2026-11b", "21", 5.0)
        val verdict = claim.heldAgainst(null)
        verdict.outcome shouldBe VerdictOutcome.Supported
        verdict.days shouldBe "one run"
    }

    @Test
    fun `a run of another day that agrees is counted`() = withDataIn(data) {
        published("2026-11", "21", 20.0)
        published("2026-11b", "22", 19.0)
        val verdict = claim.heldAgainst(null)
        verdict.outcome shouldBe VerdictOutcome.Supported
        verdict.days shouldBe "2 runs of different days agree"
        Ledger(listOf(verdict)).html() shouldContain "made-2026-11b"
        verdict.html() shouldContain "measured again: made-2026-11b"
        verdict.html() shouldContain "<summary>made-2026-11b: supported</summary>"
        Verdicts(listOf(verdict)).html() shouldContain "measured again: made-2026-11b"
    }

    @Test
    fun `a run of another day that disagrees leaves the claim open, and its name is said`() = withDataIn(data) {
        published("2026-11", "21", 20.0)
        published("2026-11b", "22", 5.0)
        val verdict = claim.heldAgainst(null)
        verdict.outcome shouldBe VerdictOutcome.Inconclusive
        verdict.words shouldBe "inconclusive: supported by made-2026-11, refuted by made-2026-11b"
        verdict.days shouldBe "2 runs of different days disagree"
        Ledger(listOf(verdict)).frame().rows().map { it["days"] } shouldContain "2 runs of different days disagree"
    }

    @Test
    fun `a run with the same seed has the same order of trials, and repeats nothing`() = withDataIn(data) {
        published("2026-11", "21", 20.0, asked)
        published("2026-11b", "22", 20.0, asked)
        claim.heldAgainst(null).days shouldBe "one run"
    }

    @Test
    fun `another workload, and a superseded run, repeat nothing`() = withDataIn(data) {
        published("2026-11", "21", 20.0)
        published("2026-11b", "22", 5.0, asked.copy(workload = asked.workload.copy(inFlight = listOf(7)), seed = 22))
        published("2026-11c", "23", 5.0)
        val record = """[{"run": "made-2026-11c", "by": "made-2026-11", "on": "2026-11-23", "because": "It met another server."}]"""
        LabHome.published.resolve("superseded.json").writeText(record)
        claim.heldAgainst(null).days shouldBe "one run"
    }

    @Test
    fun `words that describe a client may be mended between two runs`() = withDataIn(data) {
        published("2026-11", "21", 20.0)
        val mended = listOf(ClientInfo("fuel", "Fuel", "a:b", "none at all"))
        published("2026-11b", "22", 20.0, asked.copy(workload = asked.workload.withClients(mended), seed = 22))
        claim.heldAgainst(null).days shouldStartWith "2 runs"
    }
}
