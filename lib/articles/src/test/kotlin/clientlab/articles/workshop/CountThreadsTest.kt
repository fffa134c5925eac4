package clientlab.articles.workshop

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.forks
import clientlab.notebook.made.MadeTrials.frame
import clientlab.notebook.made.MadeTrials.trial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class CountThreadsTest {
    private val trials = burst(forks = 2)

    /** Retrofit with a thread a request and one of its own, and CIO with none; both in a JVM with twenty more. */
    private fun burst(forks: Int): Trials<*> = frame(
        *(
            forks("retrofit", 50, 100, forks = forks) { n, _ -> counts(n, held = n, new = n + 1) } +
                forks("ktor-cio", 50, 100, forks = forks) { n, _ -> counts(n, held = 0, new = 1) }
        ).toTypedArray(),
    )

    private fun counts(n: Int, held: Int, new: Int) =
        mapOf(
            "threadsBlocked" to held.toDouble(),
            "threadsNew" to new.toDouble(),
            "threadsLive" to new + 20.0,
            "inFlightPeak" to n.toDouble(),
        )

    @Test
    fun `the right prediction holds, with one fork as with two`() {
        listOf(1, 2).forEach { checkThreadsHeld(burst(it), 100, "retrofit" to 100, "ktor-cio" to 0).standing shouldBe Standing.Holds }
    }

    @Test
    fun `without a prediction the check asks for one, whatever was measured`() {
        val check = checkThreadsHeld(trials, 100, "retrofit" to 100, "ktor-cio" to null)
        check.standing shouldBe Standing.Missing
        check.sentence shouldContain "ktor-cio is still null"
    }

    @Test
    fun `a few threads for a client that blocks are told from one too many`() {
        wrong(
            checkThreadsHeld(trials, 100, "retrofit" to 1, "ktor-cio" to 0),
            "retrofit holds 100 threads and not 1: each is blocked in a read",
        )
        wrong(
            checkThreadsHeld(trials, 100, "retrofit" to 101, "ktor-cio" to 0),
            "the one more is a thread of its own that holds no request",
        )
    }

    @Test
    fun `a thread a request for a client that does not block is wrong`() {
        wrong(checkThreadsHeld(trials, 100, "retrofit" to 100, "ktor-cio" to 100), "ktor-cio holds none and not 100")
        wrong(checkThreadsHeld(trials, 100, "retrofit" to 100, "ktor-cio" to 1), "count those that are held by a request each")
    }

    @Test
    fun `a client that holds requests back answers another question`() {
        val limited = frame(trial("fuel", 100, outcome = Outcome.Wave, metrics = counts(64, held = 64, new = 64)))
        wrong(checkThreadsHeld(limited, 100, "fuel" to 64), "held only 64 of 100 in flight")
    }

    @Test
    fun `trials that are not there, or do not count, are named before an answer is judged`() {
        val check = checkThreadsHeld(trials, 200, "retrofit" to 200)
        check.standing shouldBe Standing.Missing
        check.sentence shouldContain "There are no trials of retrofit at 200"
        val failed = frame(trial("retrofit", 100, outcome = Outcome.Invalid, reasons = listOf("The fork ended.")))
        checkThreadsHeld(failed, 100, "retrofit" to 100).sentence shouldContain "The fork ended."
    }

    @Test
    fun `what one more request adds is the difference of two levels by that of the requests`() {
        val right = (trials.measured("threadsNew", "retrofit", 100) - trials.measured("threadsNew", "retrofit", 50)) / 50
        checkThreadsPerRequest(trials, "retrofit", right).standing shouldBe Standing.Holds
    }

    @Test
    fun `all threads divided by all requests, or a difference that nobody divided, are told what they count`() {
        wrong(
            checkThreadsPerRequest(trials, "retrofit", trials.measured("threadsLive", "retrofit", 100) / 100),
            "threads that are there anyway",
        )
        wrong(checkThreadsPerRequest(trials, "retrofit", 50.0), "more than one more request adds")
        wrong(checkThreadsPerRequest(trials, "retrofit", 50.0 / 100), "difference in requests, 50")
        checkThreadsPerRequest(trials, "retrofit", null).standing shouldBe Standing.Missing
    }

    @Test
    fun `a client of one's own holds no thread, or is told whose it holds`() {
        checkHoldsNone(frame(trial("mine", 100, metrics = counts(100, held = 0, new = 2))), "mine").holds shouldBe true
        wrong(checkHoldsNone(frame(trial("mine", 100, metrics = counts(100, held = 100, new = 100))), "mine"), "CallerThreads.Virtual")
        val few = frame(trial("mine", 100, outcome = Outcome.Wave, metrics = counts(8, held = 0, new = 8)))
        wrong(checkHoldsNone(few, "mine"), "held only 8 of 100 requests in flight")
    }

    @Test
    fun `a number that was not measured is refused in one sentence`() {
        shouldThrow<LabException> { trials.measured("threadsNew", "fuel", 100) }.message shouldContain "no trials of fuel at 100"
    }

    @Test
    fun `a check is shown with its sign in text and in words`() {
        val check = checkHoldsNone(frame(trial("mine", 100, metrics = counts(100, held = 0, new = 2))), "mine")
        "$check" shouldBe "✓ ${check.sentence}"
        check.html() shouldContain "It holds."
    }
}

/** That [check] found something wrong, and says [what]. */
internal fun wrong(check: Check, what: String) {
    check.sentence shouldContain what
    check.standing shouldBe Standing.Wrong
}
