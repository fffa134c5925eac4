package clientlab.notebook.claim

import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.frame
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test

class VerdictTest {
    @Test
    fun `a verdict in a page is escaped`() {
        val verdict =
            Verdict(
                Claim("threads.x", "000", "a < b", "<1>", listOf("threads-2026-11"), "01-threads") { emptyList() },
                listOf(Part.median("<mine>", "m", Bound(), listOf(1.0))),
                listOf("r"),
            )
        verdict.html() shouldContain "a &lt; b"
        verdict.html() shouldContain "&lt;1&gt;"
        verdict.html() shouldContain "&lt;mine&gt;"
    }

    @Test
    fun `what cannot be tested here says why, and asks no data`() {
        val claim = Claim("threads.x", "000", "w", "f", emptyList(), "01-threads", untestable = "An anecdote.") { error("asked") }
        val verdict = claim.heldAgainst(frame(MadeTrials.trial("fuel")))
        verdict.outcome shouldBe VerdictOutcome.NotTestable
        verdict.toString() shouldBe "threads.x: not testable here. w (source 000: f; no run)\n  An anecdote."
    }

    @Test
    fun `a claim about the source's own figures rests on no run`() {
        val claim = Claim("io.x", "001", "w", "f", emptyList(), "05-transfer") {
            listOf(Part.median("raw values", "ms", Bound(high = 50.0), listOf(38.0, 39.0, 39.0, 40.0, 41.0)))
        }
        val verdict = claim.heldAgainst(null)
        verdict.outcome shouldBe VerdictOutcome.Supported
        verdict.toString() shouldStartWith "io.x: supported. w (source 001: f; n = 5, the source's own figures)"
    }
}
