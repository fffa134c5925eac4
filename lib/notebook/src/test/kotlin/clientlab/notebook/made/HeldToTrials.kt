package clientlab.notebook.made

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.RUN
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

/** Trials that bear a claim out, and others that speak against it. */
class Case(val supports: List<Trial>, val refutes: List<Trial>)

/** What all claims of a topic are held to, against trials made by hand: each is supported by some, refuted by others, and open on four forks. */
abstract class HeldToTrials(private val claims: List<Claim>) {
    protected abstract val cases: Map<String, Case>

    /** Claims that the source's own figures decide, and no trial. */
    protected open val ofTheSource: List<String> = emptyList()

    /** The verdict on the claim [id] by [trials]. */
    protected open fun verdictOn(id: String, trials: List<Trial>): Verdict = verdict(claims.first { it.id == id }, trials.toTrials(RUN))

    @Test
    fun `every claim has trials that bear it out and trials that do not, or needs none`() {
        cases.keys + ofTheSource shouldContainExactlyInAnyOrder claims.map { it.id }
    }

    @TestFactory
    fun `trials that bear a claim out support it`(): List<DynamicTest> = ofEach(VerdictOutcome.Supported) { it.supports }

    @TestFactory
    fun `trials that speak against a claim refute it`(): List<DynamicTest> = ofEach(VerdictOutcome.Refuted) { it.refutes }

    @TestFactory
    fun `four forks leave every claim open`(): List<DynamicTest> =
        ofEach(VerdictOutcome.Inconclusive) { case -> case.supports.filter { it.round < 4 } }

    private fun ofEach(expected: VerdictOutcome, trials: (Case) -> List<Trial>): List<DynamicTest> =
        cases.map { (id, case) -> dynamicTest(id) { verdictShouldBe(expected, id, trials(case)) } }

    /** Fails, and shows the verdict, where that on the claim [id] by [trials] is not [expected]. */
    protected fun verdictShouldBe(expected: VerdictOutcome, id: String, trials: List<Trial>) {
        val verdict = verdictOn(id, trials)
        withClue(verdict) { verdict.outcome shouldBe expected }
    }
}
