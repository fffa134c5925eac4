package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.trial
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toList
import org.junit.jupiter.api.Test

class SummaryTest {
    private fun AnyFrame.row(index: Int): Map<String, Any?> = columnNames().associateWith { this[it][index] }

    private fun took(ms: Double) = mapOf("durationMs" to ms)

    @Test
    fun `complete trials count alone, waves and invalid ones beside them do not`() {
        val group =
            MadeTrials
                .frame(
                    trial("fuel", round = 0, metrics = took(2000.0)),
                    trial("fuel", round = 1, outcome = Outcome.Wave, metrics = took(9000.0)),
                    trial("fuel", round = 2, outcome = Outcome.Invalid, metrics = took(1.0)),
                ).byTreatment()
                .single()
        group.rows.size shouldBe 3
        group.counted.map { it.round } shouldBe listOf(0)
        group.wave shouldBe false
        group.values("durationMs") shouldBe listOf(2000.0)
        group.median("durationMs").n shouldBe 1
    }

    @Test
    fun `waves count where no trial is complete, and are told to be waves`() {
        val group =
            MadeTrials
                .frame(
                    trial("fuel", round = 0, outcome = Outcome.Wave, metrics = took(4000.0)),
                    trial("fuel", round = 1, outcome = Outcome.Invalid, metrics = took(1.0)),
                ).byTreatment()
                .single()
        group.counted.map { it.round } shouldBe listOf(0)
        group.wave shouldBe true
    }

    @Test
    fun `where all are invalid nothing counts`() {
        val group = MadeTrials.frame(trial("fuel", outcome = Outcome.Invalid)).byTreatment().single()
        group.counted shouldBe emptyList()
        group.wave shouldBe false
        group.median("durationMs").n shouldBe 0
    }

    @Test
    fun `treatments come in the catalogue's order, clients of a cell behind it, and by level`() {
        val groups =
            MadeTrials
                .frame(
                    trial("mine"),
                    trial("fuel", 500),
                    trial("fuel", 100),
                    trial("ktor-cio"),
                    trial("retrofit", start = "warm"),
                    trial("retrofit", start = "cold"),
                    trial("also-mine"),
                ).byTreatment()
        groups.map { Triple(it.client, it.inFlight, it.start) } shouldContainExactly
            listOf(
                Triple("retrofit", 100, "cold"),
                Triple("retrofit", 100, "warm"),
                Triple("ktor-cio", 100, "warm"),
                Triple("fuel", 100, "warm"),
                Triple("fuel", 500, "warm"),
                Triple("also-mine", 100, "warm"),
                Triple("mine", 100, "warm"),
            )
    }

    @Test
    fun `a summary says why trials are invalid, the first reason and how many others, and has no such column where none is`() {
        val reason = "The server was late."
        val bad = List(2) { trial("fuel", round = it, outcome = Outcome.Invalid, reasons = listOf(reason)) }
        val summary = MadeTrials.frame(trial("retrofit"), *bad.toTypedArray()).summary()
        summary["invalidBecause"].toList() shouldBe listOf("", reason)
        val another = trial("fuel", round = 2, outcome = Outcome.Invalid, reasons = listOf("It threw."))
        MadeTrials.frame(*bad.toTypedArray(), another).summary()["invalidBecause"].toList() shouldBe listOf("$reason (notes() has 1 more)")
        MadeTrials.frame(trial("retrofit")).summary().columnNames() shouldNotContain "invalidBecause"
    }

    @Test
    fun `a summary has a row a treatment with medians, intervals and outcomes`() {
        val metrics = mapOf("durationMs" to 2100.0, "threadsBlocked" to 100.0, "rssBytes" to 52_000_000.0)
        val summary =
            MadeTrials
                .frame(
                    *List(3) { trial("retrofit", round = it, metrics = metrics) }.toTypedArray(),
                    trial("retrofit", round = 3, outcome = Outcome.Invalid),
                    trial("ktor-cio@article", 500, 0, Outcome.Wave, metrics = took(10_000.0) + ("inFlightPeak" to 100.0)),
                    trial("ktor-cio@article", 500, 1, Outcome.Wave, metrics = took(10_000.0) + ("inFlightPeak" to 98.0)),
                ).summary()
        summary.columnNames() shouldNotContain "start"
        summary.row(0) shouldBe
            mapOf(
                "client" to "retrofit",
                "inFlight" to 100L,
                "n" to 3,
                "outcome" to "3 complete, 1 invalid",
                "durationMs" to "2,100 [2,100, 2,100]",
                "threadsBlocked" to "100 [100, 100]",
                "activeUnparkedNew" to "none",
                "threadsNew" to "none",
                "rssMB" to "52 [52, 52]",
                "origin" to Origin("n = 2 to 3 forks a treatment, run ${MadeTrials.RUN}", listOf(MadeTrials.RUN)),
            )
        summary.row(1).let { it["client"] to it["outcome"] } shouldBe ("ktor-cio@article" to "wave of 98–100")
    }

    @Test
    fun `of what is not a burst a summary shows what it is about`() {
        val held = MadeTrials.forks("jdk", 100) { _, _ -> mapOf("heldInFlight" to 64.0, "osThreads" to 12.0, "rssBytes" to 5e7) }
        MadeTrials.frame(*held.toTypedArray()).summary().columnNames() shouldBe
            listOf("client", "inFlight", "n", "outcome", "heldInFlight", "osThreads", "origin")
    }

    @Test
    fun `a summary tells cold from warm where there are cold trials`() {
        val summary = MadeTrials.frame(trial("retrofit", start = "cold"), trial("retrofit")).summary()
        summary.columnNames() shouldContain "start"
        summary["start"].toList() shouldBe listOf("cold", "warm")
    }

    @Test
    fun `notes are the trials that are not complete and those with a warning, with what there is to say`() {
        val notes =
            MadeTrials
                .frame(
                    trial("retrofit"),
                    trial("fuel", round = 1, outcome = Outcome.Invalid, reasons = listOf("It died."), warnings = listOf("Take care.")),
                    trial("ktor-cio", round = 2, warnings = listOf("Odd.")),
                ).notes()
        notes.rows().map { listOf(it["treatment"], it["round"], it["outcome"], it["because"]) } shouldBe
            listOf(
                listOf("fuel, http/1.1, 100 in flight, 2000 ms, warm", 1, "invalid", "It died. Take care."),
                listOf("ktor-cio, http/1.1, 100 in flight, 2000 ms, warm", 2, "complete", "Odd."),
            )
    }

    @Test
    fun `runs are named once`() {
        MadeTrials.frame(trial("fuel"), trial("fuel", round = 1)).runs() shouldBe listOf(MadeTrials.RUN)
    }
}
