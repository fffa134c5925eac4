package clientlab.articles

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.forks
import clientlab.notebook.made.MadeTrials.frame
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toList
import org.junit.jupiter.api.Test

class VerdictTest {
    private fun held(
        client: String,
        forks: Int = 6,
        share: Double = 1.0,
        levels: IntArray = intArrayOf(100, 500),
    ) = forks(client, *levels, forks = forks) { n, _ -> mapOf("threadsBlocked" to n * share) }.toTypedArray()

    @Test
    fun `the worst part is the verdict`() {
        val two = held("retrofit") + held("ktor-okhttp")
        verdict("threads.blocking", frame(*two, *held("fuel"))).outcome shouldBe VerdictOutcome.Supported
        verdict("threads.blocking", frame(*two, *held("fuel", forks = 3))).outcome shouldBe VerdictOutcome.Inconclusive
        verdict("threads.blocking", frame(*held("retrofit"), *held("fuel", forks = 3), *held("ktor-okhttp", share = 0.5))).outcome shouldBe
            VerdictOutcome.Refuted
    }

    @Test
    fun `a client that the claim names and nobody measured leaves it inconclusive`() {
        verdict("threads.blocking", frame(*held("retrofit"), *held("ktor-okhttp"))).outcome shouldBe VerdictOutcome.Inconclusive
    }

    @Test
    fun `a claim of which no trial tells is inconclusive`() {
        verdict("threads.blocking", frame(*held("okhttp"))).outcome shouldBe VerdictOutcome.Inconclusive
    }

    @Test
    fun `a claim of the reader's own is held against trials like any other`() {
        fun mine(bound: Bound) =
            Claim("mine.held", "mine", "It holds a thread for each request.", "none given", listOf("mine"), "none") { trials ->
                trials.byTreatment().map { Part.median(it.client, "threads held", bound, it.values("threadsBlocked")) }
            }
        verdict(mine(Bound(high = 500.0)), frame(*held("fuel"))).outcome shouldBe VerdictOutcome.Supported
        verdict(mine(Bound(high = 99.0)), frame(*held("fuel"))).outcome shouldBe VerdictOutcome.Refuted
        verdict(mine(Bound(high = 99.0)), frame(*held("fuel"))).toString() shouldContain "run ${MadeTrials.RUN}"
    }

    @Test
    fun `an unknown claim is refused with those that are known`() {
        val refusal = shouldThrow<LabException> { verdict("threads.nonsense", frame(*held("fuel"))) }
        shouldThrow<LabException> { verdict("threads.routecap") }.message shouldBe
            "No claim 'threads.routecap': did you mean 'threads.route-cap'?"
        refusal.message.shouldNotBeNull() shouldStartWith "No claim 'threads.nonsense'. Known claims: threads.blocking, threads.async, "
    }

    @Test
    fun `a verdict prints claim, source, run, and each part with its bound, its interval and its forks`() {
        val text = verdict("threads.blocking", frame(*held("fuel"), *held("retrofit", forks = 2))).toString()
        text shouldStartWith "threads.blocking: inconclusive. "
        text shouldContain "(source 000: 100 requests: 101 threads; 500: 501; n = 2, run ${MadeTrials.RUN})"
        text shouldContain "  fuel at 100, threads held / requests: 1 [1, 1], bound 0.98 to 1.02, n = 6: supported"
        text shouldContain "n = 2: inconclusive: 2 forks, where 5 are needed; so far inside the bound"
    }

    @Test
    fun `the table has a row for each claim that the trials can tell of, and names the part that decides`() {
        val few = intArrayOf(100)
        val table = verdicts(frame(*held("ktor-okhttp", levels = few), *held("fuel", share = 0.5, levels = few))).frame()
        table.columnNames() shouldBe listOf("claim", "words", "source", "decidedBy", "bound", "n", "verdict", "origin")
        table["claim"].toList() shouldBe listOf("threads.blocking")
        val row = table.rows().first()
        row["claim"] shouldBe "threads.blocking"
        row["decidedBy"] shouldBe "fuel at 100, threads held / requests: 0.50 [0.50, 0.50]"
        row["bound"] shouldBe "0.98 to 1.02"
        row["n"] shouldBe 6
        row["verdict"] shouldBe "refuted"
    }

    @Test
    fun `a topic that no claim is about is refused with those there are`() {
        shouldThrow<LabException> { verdicts(frame(*held("retrofit")), topic = "limit") }.message.shouldNotBeNull() shouldStartWith
            "No claims are about 'limit'; there are claims about threads"
    }

    @Test
    fun `with too few forks the table says on which side of the bound they lie so far`() {
        val table = verdicts(frame(*held("retrofit", forks = 3))).frame()
        table.rows().first()["verdict"] shouldBe "inconclusive: 3 forks, where 5 are needed; so far inside the bound"
    }

    @Test
    fun `in text too an undecided verdict says why, and a decided one is as it was`() {
        val lines = verdicts(frame(*held("retrofit", forks = 3))).toString().lines()
        lines[0] shouldStartWith "threads.blocking: inconclusive. "
        lines[1] shouldEndWith "]: 3 forks, where 5 are needed; so far inside the bound"
        val few = intArrayOf(100)
        verdicts(frame(*held("ktor-okhttp", levels = few), *held("fuel", share = 0.5, levels = few))).toString().lines()[1] shouldBe
            "  fuel at 100, threads held / requests: 0.50 [0.50, 0.50]"
    }

    @Test
    fun `several claims stand in one table, in the order in which they are named, each decided as alone`() {
        val both = verdicts("threads.route-cap", "threads.blocking")
        both.all.map { it.claim.id } shouldBe listOf("threads.route-cap", "threads.blocking")
        both.all.map { it.outcome } shouldBe listOf(verdict("threads.route-cap").outcome, verdict("threads.blocking").outcome)
    }

    @Test
    fun `no id at all, and one that is mistyped, are refused in a sentence`() {
        shouldThrow<LabException> { verdicts() }.message.shouldNotBeNull() shouldStartWith "verdicts() needs the id of a claim"
        shouldThrow<LabException> { verdicts("threads.blocking", "threads.rout-cap") }.message.shouldNotBeNull() shouldContain
            "threads.route-cap"
    }
}
