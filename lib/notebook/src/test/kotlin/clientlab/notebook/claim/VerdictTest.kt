package clientlab.notebook.claim

import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.frame
import clientlab.notebook.stats.Estimate
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

    @Test
    fun `of ten true parts, one that is just outside its bound refutes nothing, and the verdict says why`() {
        val outside = ratio(List(5) { 1.0 } + List(15) { 10.0 }, Bound(high = 5.0))
        val inside = ratio(List(20) { 1.0 + it / 100.0 }, Bound(high = 5.0))
        verdict(outside).outcome shouldBe VerdictOutcome.Refuted
        val among = verdict(outside, *Array(9) { inside })
        among.outcome shouldBe VerdictOutcome.Inconclusive
        among.because shouldStartWith "outside the bound, but of 10 such intervals one may be so by chance; the interval of 99.5 % is "
        among.deciding?.metric shouldBe outside.metric
        among.parts.map { it.outcome }.distinct() shouldBe listOf(VerdictOutcome.Inconclusive, VerdictOutcome.Supported)
    }

    @Test
    fun `of ten parts, one that is far outside its bound refutes`() {
        val far = ratio(List(20) { 10.0 + it / 100.0 }, Bound(high = 5.0))
        val inside = ratio(List(20) { 1.0 + it / 100.0 }, Bound(high = 5.0))
        verdict(far, *Array(9) { inside }).outcome shouldBe VerdictOutcome.Refuted
    }

    @Test
    fun `a figure of the source refutes alone, for chance has no part in it`() {
        val stated = Part("its table", "ms", Bound(high = 5.0), Estimate(7.0, 7.0, 7.0, 5, "the source's figure"))
        verdict(stated, *Array(9) { ratio(List(20) { 1.0 + it / 100.0 }, Bound(high = 5.0)) }).outcome shouldBe VerdictOutcome.Refuted
    }

    private fun ratio(values: List<Double>, bound: Bound) = Part.ratio("a", "time of a / time of b", bound, values, List(20) { 1.0 })

    private fun verdict(vararg parts: Part) =
        Verdict(Claim("threads.x", "000", "w", "f", listOf("r"), "01-threads") { parts.toList() }, parts.toList(), listOf("r"))
}
