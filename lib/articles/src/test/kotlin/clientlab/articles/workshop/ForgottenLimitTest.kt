package clientlab.articles.workshop

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.frame
import clientlab.notebook.made.MadeTrials.trial
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class ForgottenLimitTest {
    private fun held(vararg peaks: Pair<String, Int>, n: Int = 100): Trials<*> = frame(
        *peaks
            .map { (client, peak) ->
                val outcome = if (peak < n) Outcome.Wave else Outcome.Complete
                trial(client, n, outcome = outcome, metrics = mapOf("inFlightPeak" to peak.toDouble()))
            }.toTypedArray(),
    )

    private val five = held("ktor-okhttp@default" to 5)

    @Test
    fun `the server's word is the limit`() {
        checkLimit(five, "ktor-okhttp@default", 5).standing shouldBe Standing.Holds
        checkLimit(held("ktor-cio" to 100), "ktor-cio", 100).sentence shouldContain "holds all 100"
        checkLimit(five, "ktor-okhttp@default", null).standing shouldBe Standing.Missing
    }

    @Test
    fun `what was asked for, and a limit from hearsay, are not what the server saw`() {
        wrong(checkLimit(five, "ktor-okhttp@default", 100), "the server never saw so many at once")
        wrong(checkLimit(five, "ktor-okhttp@default", 64), "The server saw 5 requests")
    }

    @Test
    fun `waves are all requests by the limit, rounded up`() {
        checkWaves(five, "ktor-okhttp@default", 20).standing shouldBe Standing.Holds
        checkWaves(held("ktor-cio@article" to 100, n = 150), "ktor-cio@article", 2).standing shouldBe Standing.Holds
        checkWaves(held("ktor-cio" to 100), "ktor-cio", 1).sentence shouldContain "are 1 wave,"
        checkWaves(five, "ktor-okhttp@default", null).standing shouldBe Standing.Missing
    }

    @Test
    fun `waves rounded down, the limit itself, and anything else are told apart`() {
        wrong(checkWaves(held("ktor-cio@article" to 100, n = 150), "ktor-cio@article", 1), "the last wave is not full")
        wrong(checkWaves(five, "ktor-okhttp@default", 5), "is how many are in flight at once")
        wrong(checkWaves(five, "ktor-okhttp@default", 21), "and round up")
    }

    @Test
    fun `the remedy that lets all requests out at once is the right one`() {
        checkOpened(remedies, "okhttp@requests").standing shouldBe Standing.Holds
        checkOpened(remedies, null).standing shouldBe Standing.Missing
        checkOpened(remedies, "okhttp@nothing").sentence shouldContain "no trials of okhttp@nothing"
    }

    @Test
    fun `a remedy that changes nothing, and one that opens one limit of two, are told apart`() {
        wrong(checkOpened(remedies, "okhttp@pool"), "still holds 5 of 100")
        wrong(checkOpened(remedies, "okhttp@hosts"), "opens one limit of two, and the next one stops it at 64")
    }

    @Test
    fun `a machine that was too busy to send them all tells nothing of a limit`() {
        listOf(
            checkLimit(held("ktor-okhttp@requests" to 58), "ktor-okhttp@requests", 58),
            checkWaves(held("ktor-cio@article" to 58, n = 150), "ktor-cio@article", 3),
            checkOpened(held("okhttp@pool" to 5, "okhttp@requests" to 64), "okhttp@requests"),
        ).forEach {
            it.sentence shouldContain "too busy"
            it.standing shouldBe Standing.Missing
        }
    }

    private val remedies = held("okhttp@pool" to 5, "okhttp@hosts" to 64, "okhttp@requests" to 100)
}
