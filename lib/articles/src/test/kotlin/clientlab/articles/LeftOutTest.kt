package clientlab.articles

import clientlab.*
import clientlab.articles.threads.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.trial
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

/** What figures say of trials that they leave out. */
class LeftOutTest {
    private val metrics =
        mapOf("durationMs" to 2100.0, "inFlightPeak" to 100.0) +
            listOf("threadsBlocked", "activeUnparkedNew", "threadsUnparked").associateWith { 0.0 }
    private val good = List(5) { trial("ktor-cio", round = it, metrics = metrics) }
    private val bad = List(5) { trial("boom", round = it, outcome = Outcome.Invalid, reasons = listOf("It threw.")) }
    private val mixed = MadeTrials.frame(*(good + bad).toTypedArray())

    @Test
    fun `a client whose trials are all invalid is named in the caption, and no headline speaks of it`() {
        val figures = listOf(mixed.threadChart(), mixed.parkRuleChart(), mixed.timeChart(), mixed.threadsByInFlightChart())
        figures.forEach { it.caption shouldEndWith "; left out: boom, 5 of 5 trials invalid" }
        mixed.threadChart().title shouldBe "No client measured here holds a platform thread for each request"
        mixed.timeChart().title shouldBe "Every client measured here needs about one delay"
        mixed.threadsByInFlightChart().title shouldBe "The threads of no client measured here grow with the requests"
    }

    @Test
    fun `a client of which some trials are invalid is shown, with how many are left out`() {
        val some = MadeTrials.frame(*(good + trial("ktor-cio", round = 5, outcome = Outcome.Invalid)).toTypedArray())
        some.threadChart().caption shouldEndWith "; left out: ktor-cio, 1 of 6 trials invalid"
        some.threadChart().title shouldBe "No client here holds a platform thread for each request"
    }

    @Test
    fun `where no trial is valid the headline says so`() {
        val none = MadeTrials.frame(*bad.toTypedArray())
        listOf(none.threadChart(), none.parkRuleChart(), none.timeChart(), none.threadsByInFlightChart()).forEach {
            it.title shouldBe "No trial here is valid, so there is nothing to show"
            it.caption shouldEndWith "; left out: boom, 5 of 5 trials invalid"
        }
    }

    @Test
    fun `a level that a figure does not show is not left out of it`() {
        val remote = trial("boom", inFlight = 500, outcome = Outcome.Invalid)
        MadeTrials.frame(*(good + remote).toTypedArray()).inFlightChart(100).caption shouldNotContain "left out"
    }

    @Test
    fun `where nothing is invalid nothing is said`() {
        val all = MadeTrials.frame(*good.toTypedArray())
        all.threadChart().caption shouldNotContain "left out"
        all.threadChart().title shouldBe "No client here holds a platform thread for each request"
        all.timeChart().title shouldBe "Every client needs about one delay"
    }
}
