package clientlab.articles.conduct

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.made.*
import io.kotest.matchers.collections.shouldContainExactly
import org.junit.jupiter.api.Test

/** Every claim about conduct, against trials made by hand. */
class ConductClaimsTest : HeldToTrials(conductClaims) {
    private fun forks(client: String, situation: String, fact: String, ms: Double? = null): List<Trial> = List(8) { round ->
        Trial(
            experiment = "made",
            round = round,
            treatment = Treatment(Factor.CLIENT to client),
            warmup = false,
            outcome = Outcome.Complete,
            metrics = emptyMap(),
            observations = listOf(Observation(situation, fact, ms)),
        )
    }

    /** Two clients that do what is right, and one of them beside one that does what is wrong. */
    private fun case(situation: String, right: String, wrong: String, rightMs: Double? = null, wrongMs: Double? = null): Case {
        val good = forks("jdk", situation, right, rightMs)
        return Case(good + forks("okhttp", situation, right, rightMs), good + forks("okhttp", situation, wrong, wrongMs))
    }

    override val cases: Map<String, Case> = mapOf(
        "conduct.in-time" to case("timeouts.no-answer", "fails (A) in time", "fails (A) late", rightMs = 405.0, wrongMs = 1_001.0),
        "conduct.whole-call" to case("timeouts.trickle", "fails (A) in time", "reads to the end", rightMs = 405.0, wrongMs = 1_001.0),
        "conduct.cancelled" to case(
            "cancellation.waiting",
            "the caller is free at once, the connection is closed",
            "the caller is free at once, the connection stays open",
        ),
        "conduct.stale" to case("idle.closed-get", "opens another connection", "fails (A)"),
        "conduct.once" to case("idle.closed-on-post", "sends it once: fails (A)", "sends it again: 200"),
        "conduct.unasked" to case("idle.unasked", "does not take it for the next answer", "takes it for the next answer"),
        "conduct.cut" to case("answers.short", "fails (A)", "takes it for a whole answer"),
        "conduct.closing" to case("closing.churn", "leaves nothing behind", "leaves descriptors behind"),
    )

    @Test
    fun `a client with which a situation cannot be tried has no part in the claim`() {
        val refusing = forks("fuel", "idle.unasked", "not supported: Fuel refuses")
        val verdict = verdictOn("conduct.unasked", cases.getValue("conduct.unasked").supports + refusing)
        verdict.parts.map(Part::of) shouldContainExactly listOf("okhttp", "jdk")
    }
}
