package clientlab.articles

import clientlab.articles.cost.*
import clientlab.articles.latency.*
import clientlab.articles.loom.*
import clientlab.notebook.claim.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test
import kotlin.io.path.exists

class LedgerTest {
    /** Every measurable thing that the five documents say, and what reading them finds. */
    private val asked =
        mapOf(
            "000" to
                "blocking async time100 cio500 apache rest parkrule idle-io leak leak-others leak-okhttp little megabyte choice " +
                "production loom fast bulk route-cap plus-one parked-blocked arrived uneven-caps warmup average table fuel idle-log " +
                "source-held source-async source-cio source-arrived",
            "001" to "pipeline async-file file socket custom nio alloc close mean",
            "002" to "delay many flat linear one two calls base overlap cap saturated",
            "003" to "linear pool ratio tens hundreds first cpu fit",
            "004" to "default pool fix cio dispatcher http2 json reuse cleartext source-default source-fix source-tls source-cleartext",
        ).mapValues { (_, words) -> words.split(' ') }

    private val topics = mapOf("000" to "threads", "001" to "io", "002" to "loom", "003" to "memory", "004" to "limits")

    @Test
    fun `every claim of the sources is in the ledger, under its source`() {
        asked.forEach { (source, names) ->
            Claims.all.filter { it.source == source }.map { it.id } shouldContainExactlyInAnyOrder names.map { "${topics[source]}.$it" }
        }
    }

    @Test
    fun `what cannot be tested here says why in a sentence`() {
        Claims.all
            .mapNotNull { it.untestable }
            .filterNot { it.length > 40 && it.endsWith(".") }
            .shouldBeEmpty()
    }

    @Test
    fun `every notebook and every run that a claim names is there`() {
        val notebooks = Claims.all.map { it.notebook }.filterNot { LabHome.root.resolve("notebooks/$it.ipynb").exists() }
        val runs = Claims.all.flatMap { it.evidence }.filterNot { LabHome.published.resolve(it).exists() }
        (notebooks + runs).distinct().shouldBeEmpty()
    }

    @Test
    fun `every registration in force is what its claim states today, so an edited bound is found out`() {
        val claims = Claims.all.associateBy { it.id }
        val registered = Registration.inForce()
        registered.keys - claims.keys shouldBe WAITING
        (registered - WAITING).values.forEach { registration ->
            withClue("${registration.claim} has changed: register it again and say why, and then it needs a new run") {
                val stated = registration.statement
                claims.getValue(registration.claim).statement(stated.plans, stated.runs) shouldBe stated
                registration.statement.hash shouldBe registration.hash
            }
        }
    }

    @Test
    fun `what the sources say is counted apart from what we say about them and from what we add`() {
        val blocks = Claims.all.groupBy { it.block }
        blocks.getValue(Block.Says).groupingBy { it.source }.eachCount() shouldBe
            mapOf("000" to 20, "001" to 8, "002" to 7, "003" to 7, "004" to 11)
        blocks.getValue(Block.About).size shouldBe 20
        blocks.getValue(Block.Adds).map { it.source }.distinct() shouldBe listOf(Claim.BEYOND)
        whole.count().rows().map { it["block"] to it["source"] } shouldBe
            whole.verdicts.map { "${it.claim.block}" to it.claim.source }.distinct()
        whole.html() shouldContain "<h3>What we say about the sources: source 000</h3>"
    }

    @Test
    fun `no claim rests on a superseded run`() {
        val superseded = SupersededRun.all().map { it.run }.toSet()
        Claims.all.filter { claim -> claim.evidence.any { it in superseded } }.map { it.id }.shouldBeEmpty()
    }

    @Test
    fun `a superseded run stays, beside the verdict that it would give`() {
        val climb = supersededRuns().rows().filter { it["run"] == "gateway-climb-replaced-2026-11" }
        climb.map { it["supersededBy"] }.distinct() shouldBe listOf("gateway-climb-2026-11")
        val little = climb.single { it["claim"] == "threads.little" }
        little["verdictOfThatRun"] shouldBe "refuted"
        little["verdictInForce"] shouldBe "supported"
        val twice = supersededRuns().rows().filter { it["run"] == "transfer-write-replaced-2026-11" }
        twice.single()["supersededBy"] shouldBe "transfer-write-replaced-2026-11b"
    }

    @Test
    fun `a row links its notebook and its data`() {
        val html = ledger("threads").html()
        html shouldContain
            "<a href=\"01-threads.ipynb\">01-threads</a>; <a href=\"../data/published/threads-2026-11e\">threads-2026-11e</a>"
        html shouldContain "<code>threads.blocking</code>"
    }

    @Test
    fun `every claim that trials decide has an estimate from at least five forks`() {
        val decided = whole.verdicts.filter { it.outcome == VerdictOutcome.Supported || it.outcome == VerdictOutcome.Refuted }
        decided.size shouldNotBe 0
        decided.filter { (it.deciding?.estimate?.n ?: 0) < Part.FEWEST_FORKS }.map { it.claim.id }.shouldBeEmpty()
    }

    @Test
    fun `the count adds up to all claims`() {
        VerdictOutcome.entries.sumOf { outcome -> whole.verdicts.count { it.outcome == outcome } } shouldBe Claims.all.size
        whole.frame().rowsCount() shouldBe Claims.all.size
    }

    @Test
    fun `as JSON it says of every claim and of every part what it says to a reader`() {
        val claims = whole.json()["claims"]!!.jsonArray.map { it.jsonObject }
        claims.map { it.text("id") } shouldBe whole.verdicts.map { it.claim.id }
        claims.map { it.text("verdict") } shouldBe whole.verdicts.map { "${it.outcome}" }
        claims.zip(whole.verdicts).forEach { (claim, verdict) ->
            val parts = claim["parts"]!!.jsonArray.map { it.jsonObject }
            parts.map { it.text("estimate") } shouldBe verdict.parts.map { "${it.estimate}" }
            parts.map { it.text("bound") } shouldBe verdict.parts.map { "${it.bound}" }
            // Days that disagree leave a claim open, whatever the part says that decides its first run.
            if ("disagree" in claim.text("days")) {
                claim.text("verdict") shouldBe "inconclusive"
            } else {
                val outcome = if (verdict.outcome == VerdictOutcome.NoLongerSo) VerdictOutcome.Refuted else verdict.outcome
                verdict.deciding?.let { parts[claim.text("deciding").toInt()].text("verdict") shouldBe "$outcome" }
            }
        }
    }

    private fun JsonObject.text(name: String) = getValue(name).jsonPrimitive.content

    private companion object {
        /** Registered claims whose run is to come. They are not in the ledger, which has no row without trials. */
        val WAITING = emptySet<String>()

        /** Computed once: it reads every published run. */
        val whole: Ledger by lazy { ledger() }
    }
}
