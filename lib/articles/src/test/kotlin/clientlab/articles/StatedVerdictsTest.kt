package clientlab.articles

import clientlab.LabJson
import clientlab.notebook.claim.StatedVerdicts
import clientlab.notebook.home.LabHome
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
    private val run = Regex(
        "\"run\": \"([^\"]+)\"",
    ).find(LabHome.published.resolve("threads-2026-11/manifest.json").readText())!!.groupValues[1]

    private fun article(text: String) {
        val plain = LabJson.encodeToString(JsonPrimitive(text))
        folder.resolve("09-made.ipynb").writeText(
            """{"cells": [{"cell_type": "markdown"}, {"cell_type": "code", "outputs": [{"data": {"text/plain": [$plain]}}]}]}""",
        )
    }

    @Test
    fun `an article that says what its data give agrees`() {
        article("threads.blocking: supported. Words; with a semicolon. (source 000: 101; 501; run $run)\n  part: 1")
        val stated = StatedVerdicts.of(folder).single()
        stated.agrees shouldBe true
        stated.claim shouldBe "threads.blocking"
    }

    @Test
    fun `an article that says another verdict than its data give is found out`() {
        article("threads.blocking: refuted. Words. (source 000: 101; run $run)")
        val stated = StatedVerdicts.of(folder).single()
        stated.agrees shouldBe false
        stated.toString() shouldContain "09-made says that threads.blocking is refuted, and its data give supported."
    }

    @Test
    fun `a verdict on a claim that there is no more is found out`() {
        article("threads.gone: supported. Words. (source 000: 101; run $run)")
        StatedVerdicts.of(folder).single().agrees shouldBe false
    }

    @Test
    fun `a verdict on the reader's own run is no statement of the article`() {
        article("threads.blocking: inconclusive. Words. (source 000: 101; run 20200101-000000-abcd)")
        StatedVerdicts.of(folder).shouldBeEmpty()
    }

    @Test
    fun `the committed articles state verdicts, and each as its data give it`() {
        StatedVerdicts
            .of()
            .also { it.shouldNotBeEmpty() }
            .filterNot { it.agrees }
            .shouldBeEmpty()
    }
}
