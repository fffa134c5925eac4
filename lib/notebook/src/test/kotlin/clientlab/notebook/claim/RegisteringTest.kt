package clientlab.notebook.claim

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.name
import kotlin.io.path.readText

class RegisteringTest(
    @param:TempDir private val data: Path,
) {
    private val plan = Plan(
        "made",
        forks = 8,
        seed = 7,
        treatments = listOf("fuel", "jdk").map { Treatment(Factor.CLIENT to it, Factor.IN_FLIGHT to 20) },
    )

    private fun claim(low: Double) = Claim("made.blocking", Claim.BEYOND, "w", "f", listOf("made-2026-11"), "none") { trials ->
        trials.byTreatment().map { Part.median(it.client, "threads", Bound(low = low), it.values("threadsBlocked")) }
    }

    private fun refusal(action: () -> Any) = shouldThrow<LabException> { action() }.message.shouldNotBeNull()

    @Test
    fun `a registration has each part with its bound before anything is measured`() {
        val statement = claim(19.0).statement(plan)
        statement.parts shouldBe listOf("fuel", "jdk").map { StatedPart(it, "threads", low = 19.0) }
        statement.hash shouldNotBe claim(18.0).statement(plan).hash
        statement.hash shouldNotBe claim(19.0).statement(plan.copy(forks = 9)).hash
    }

    @Test
    fun `a claim is registered once, and again only with a reason, in a file of its own`() = withDataIn(data) {
        register(listOf(claim(19.0)), plan, null) shouldHaveSize 1
        register(listOf(claim(19.0)), plan, null).shouldBeEmpty()
        val first = LabHome.registered.entries().single()
        first.name shouldBe "made.blocking.1.json"
        val before = first.readText()
        refusal { register(listOf(claim(18.0)), plan, null) } shouldStartWith "made.blocking is registered with other words, bounds"
        register(listOf(claim(18.0)), plan, "A fork may end early.") shouldHaveSize 1
        LabHome.registered.entries().map { it.name } shouldBe listOf("made.blocking.1.json", "made.blocking.2.json")
        first.readText() shouldBe before
        Registration.inForce().getValue("made.blocking").because shouldBe "A fork may end early."
        Registration.hashesFor("made") shouldBe mapOf("made.blocking" to claim(18.0).statement(plan).hash)
        Registration.hashesFor("other") shouldBe emptyMap()
    }

    @Test
    fun `a claim that no treatment of the plan decides is refused`() {
        val nothing = Claim("made.nothing", Claim.BEYOND, "w", "f", listOf("made-2026-11"), "none") { emptyList() }
        refusal { nothing.statement(plan) } shouldContain "has no part for any treatment of made"
        refusal { register("made.*", Experiment("made", MadeRuns.burst)) } shouldStartWith "No claim matches 'made.*'"
    }

    @Test
    fun `the ledger says whether a claim stood before its run, was changed after it, or was never registered`() = withDataIn(data) {
        val claim = claim(19.0)
        val old = MadeRuns.folder().run
        claim.registered(listOf(old)) shouldBe "not registered before its run"
        register(listOf(claim), plan, null)
        claim.registered(emptyList()) shouldContain "not measured yet"
        claim.registered(listOf(old)) shouldContain ", after its run"
        val run = MadeRuns.folder(registered = Registration.hashesFor("made")).run
        claim.registered(listOf(run)) shouldBe "registered before its run"
        register(listOf(claim(18.0)), plan, "Somebody saw the data.")
        claim.registered(listOf(run)) shouldContain "after its run: Somebody saw the data."
    }
}
