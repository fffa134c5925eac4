package clientlab.notebook.campaign

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.notebook.run.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds

/** A campaign over a ledger of one claim, with real runs. */
class LedgerCampaignTest(
    @param:TempDir private val data: Path,
) {
    private val asked =
        Experiment("made", Burst(clients("urlconnection"), inFlight = listOf(3), delay = 100.milliseconds, threads = false), forks = 1)

    private val claim = claim("made.time", "made-2026-11")

    private fun claim(id: String, vararg evidence: String) = Claim(id, Claim.BEYOND, "w", "f", evidence.toList(), "none") { trials ->
        trials.byTreatment().map { Part.median(it.client, "time in ms", Bound(low = 100.0), it.values("durationMs")) }
    }

    private fun publish(label: String) {
        asked.run { _: Progress -> }
        asked.publish(label)
    }

    @Test
    fun `what a claim rests on is planned, registered, measured when there is time, and published once`() = withDataIn(data) {
        publish("2026-11")
        val campaign = LedgerCampaign.plan("2026-12", because = "", listOf(claim))
        val planned = campaign.runs.single()
        planned.experiment.forks shouldBe 8
        planned.experiment.treatments.map { it[Factor.ALIAS] } shouldBe listOf(null, Experiment.AGAIN)
        planned.claims shouldBe listOf("made.time")
        planned.repeats shouldBe false
        val registration = Registration.of("made.time").shouldNotBeNull()
        registration.statement.runs shouldBe listOf("made-2026-12")
        registration.statement.plan shouldBe Plan.of(planned.experiment)
        LedgerCampaign.planned("2026-12") shouldBe campaign

        val said = mutableListOf<String>()
        campaign.run(Duration.ZERO, { _: Progress -> }, said = said::add)
        said.single() shouldMatch Regex("made-2026-12 is left for another time: it takes about \\d+ min\\.")
        campaign.costs() shouldContain "made-2026-12: "

        shouldThrow<LabException> { campaign.run(1.hours, { _: Progress -> }, listOf("mode"), said::add) }.message shouldBe
            "The campaign has no run 'mode': it has made."
        campaign.run(1.hours, { _: Progress -> }, listOf("made"), said::add)
        said.singleOrNull { "stays open" in it }?.let { refused ->
            campaign.open.size shouldBe 1
            assumeTrue(false, "This machine was busy, so nothing could be published: $refused")
        }
        said shouldContain "made-2026-12 is published."
        campaign.open.shouldBeEmpty()
        val run = RunFolder.published("made", "2026-12")
        run.trials().count { !it.warmup } shouldBe 16
        run.manifest.registered shouldBe mapOf("made.time" to registration.hash)
        claim("made.time", "made-2026-12").statement(Plan.of(planned.experiment)).hash shouldBe registration.hash
        campaign.run(1.hours, { _: Progress -> error("It ran a published run again.") }, said = said::add)
    }

    @Test
    fun `a run that lacks another day alone is repeated as it is`() = withDataIn(data) {
        val eight = asked.copy(forks = 8)
        registerStatements(mapOf("made.time" to claim.statement(Plan.of(eight))), null)
        eight.run { _: Progress -> }
        // Copied, because a busy machine must not publish it.
        val made = RunFolder.all("made").first().path
        made.toFile().copyRecursively(LabHome.published.resolve("made-2026-11").toFile())
        val campaign = LedgerCampaign.plan("2026-12", because = "", listOf(claim))
        val planned = campaign.runs.single()
        planned.repeats shouldBe true
        planned.experiment.treatments shouldBe eight.treatments
        planned.experiment.seed shouldNotBe eight.seed
        Registration.of("made.time").shouldNotBeNull().number shouldBe 1
        campaign.costs() shouldContain "8 forks, another day of made-2026-11, for made.time"
        val said = mutableListOf<String>()
        campaign.run(1.hours, { _: Progress -> error("It repeated a run of today.") }, said = said::add)
        said.single() shouldBe "made-2026-12 is left for another day: made-2026-11 was made today."
    }

    @Test
    fun `of two runs of one name the cheaper for its claims is planned, because only one can have the label`() = withDataIn(data) {
        publish("2026-11")
        publish("2026-11b")
        val claims = listOf(claim, claim("made.other", "made-2026-11b"), claim("made.third", "made-2026-11b"))
        LedgerCampaign.plan("2026-12", because = "", claims).runs.single().again shouldBe "made-2026-11b"
        Registration.of("made.third").shouldNotBeNull()
        Registration.of("made.time") shouldBe null
    }

    @Test
    fun `a claim that two runs decide is registered for both`() = withDataIn(data) {
        publish("2026-11")
        val both = claim("made.both", "made-2026-11")
        val plans = listOf(Plan.of(asked), Plan.of(asked.copy(name = "more")))
        val statement = both.statement(plans, listOf("made-2026-12", "more-2026-12"))
        registerStatements(mapOf("made.both" to statement), null)
        listOf("made", "more").forEach { Registration.hashesFor(it) shouldBe mapOf("made.both" to statement.hash) }
        Registration.hashesFor("third") shouldBe emptyMap()
    }
}
