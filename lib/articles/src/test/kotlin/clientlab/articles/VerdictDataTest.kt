package clientlab.articles

import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.double
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test

class VerdictDataTest {
    private val published = published("threads-2026-11e")

    private fun JsonObject.text(name: String): String = getValue(name).jsonPrimitive.content

    private fun JsonObject.objects(name: String): List<JsonObject> = getValue(name).jsonArray.map { it.jsonObject }

    @Test
    fun `a verdict says its claim, outcome, runs and parts`() {
        val data = verdict("threads.blocking").data()
        data.text("kind") shouldBe "verdict"
        data.text("claim") shouldBe "threads.blocking"
        data.text("outcome") shouldBe "supported"
        val run = data.objects("runs").first()
        run.text("published") shouldBe "threads-2026-11e"
        val part = data.objects("parts")[data.getValue("deciding").jsonPrimitive.int]
        val estimate = part.getValue("estimate").jsonObject
        (estimate.getValue("low").jsonPrimitive.double <= estimate.getValue("value").jsonPrimitive.double) shouldBe true
        listOf("of", "metric", "bound", "outcome").forEach { part.text(it).isNotEmpty() shouldBe true }
        listOf("n", "method", "high").forEach { estimate.text(it).isNotEmpty() shouldBe true }
    }

    @Test
    fun `a verdict on a run that is not published says so`() {
        val made = clientlab.notebook.made.MadeTrials.frame(clientlab.notebook.made.MadeTrials.trial("retrofit"))
        verdict("threads.blocking", made).data().objects("runs").single()["published"] shouldBe JsonNull
    }

    @Test
    fun `several verdicts and the ledger list theirs`() {
        verdicts(published).data().objects("verdicts").shouldNotBeEmpty()
        val ledger = ledger("threads").data()
        ledger.text("kind") shouldBe "ledger"
        ledger.objects("verdicts").forEach { (it.objects("parts").size <= 1) shouldBe true }
    }
}
