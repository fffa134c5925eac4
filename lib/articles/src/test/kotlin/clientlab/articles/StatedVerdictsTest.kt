package clientlab.articles

import clientlab.notebook.claim.*
import clientlab.notebook.home.*
import clientlab.notebook.output.*
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.JsonPrimitive
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText

class StatedVerdictsTest(
    @param:TempDir private val folder: Path,
) {
    private fun article(claim: String, outcome: String, published: String? = "threads-2026-11", kind: String = "verdict") {
        val verdict = """"claim": "$claim", "outcome": "$outcome", "runs": [{"run": "20200101-000000-abcd", "published": ${quoted(
            published,
        )}}]"""
        val part = if (kind == "verdict") """"kind": "verdict", $verdict""" else """"kind": "$kind", "verdicts": [{$verdict}]"""
        folder.resolve("09-made.ipynb").writeText(
            """{"cells": [{"cell_type": "markdown"}, {"cell_type": "code", "outputs": [{"data": {"${DataPart.MIME}": {$part}}}]}]}""",
        )
    }

    private fun quoted(text: String?) = text?.let { "\"$it\"" }

    @Test
    fun `an article that says what its data give agrees, in a verdict alone, among several and in the ledger`() {
        listOf("verdict", "verdicts", "ledger").forEach { kind ->
            article("threads.blocking", "supported", kind = kind)
            val stated = StatedVerdicts.of(folder).single()
            stated.agrees shouldBe true
            stated.claim shouldBe "threads.blocking"
        }
    }

    @Test
    fun `the part that a verdict shows is the part that is read`() {
        val verdict = verdict("threads.blocking")
        folder.resolve("09-made.ipynb").writeText("""{"cells": [{"outputs": [{"data": {"${DataPart.MIME}": ${verdict.data()}}}]}]}""")
        StatedVerdicts.of(folder).single() shouldBe StatedVerdict("09-made", "threads.blocking", "supported", "supported")
    }

    @Test
    fun `an article that says another verdict than its data give is found out`() {
        article("threads.blocking", "refuted")
        val stated = StatedVerdicts.of(folder).single()
        stated.agrees shouldBe false
        stated.toString() shouldContain "09-made says that threads.blocking is refuted, and its data give supported."
    }

    @Test
    fun `a verdict on a claim that there is no more is found out`() {
        article("threads.gone", "supported")
        StatedVerdicts.of(folder).single().agrees shouldBe false
    }

    @Test
    fun `a verdict on the reader's own run is no statement of the article`() {
        article("threads.blocking", "inconclusive", published = null)
        StatedVerdicts.of(folder).shouldBeEmpty()
    }

    @Test
    fun `the committed articles state verdicts, and each as its data give it`() {
        StatedVerdicts.of().also { it.shouldNotBeEmpty() }.filterNot { it.agrees }.joinToString("\n") shouldBe ""
    }
}
