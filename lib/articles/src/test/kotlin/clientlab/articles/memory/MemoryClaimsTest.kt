package clientlab.articles.memory

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.made.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class MemoryClaimsTest {
    private val made = MadeMemory.frame(MadeMemory.forks())

    private fun outcome(id: String) = verdict(id, made).outcome

    @Test
    fun `straight lines, threads of sixty kilobytes and coroutines of ten are what the source says`() {
        listOf("memory.linear", "memory.pool", "memory.ratio", "memory.tens", "memory.first").associateWith(::outcome).filterValues {
            it != VerdictOutcome.Supported
        } shouldBe emptyMap()
    }

    @Test
    fun `hundreds of such threads differ by more than a few megabytes`() {
        val verdict = verdict("memory.hundreds", made)
        verdict.parts.map { it.outcome } shouldContainExactly listOf(VerdictOutcome.Supported, VerdictOutcome.Refuted)
        verdict.outcome shouldBe VerdictOutcome.Refuted
    }

    @Test
    fun `a hundred to one is not six to one`() {
        val trials = MadeMemory.frame(MadeMemory.forks(MadeMemory.PER_TASK + ("coroutines" to 600.0)))
        verdict("memory.ratio", trials).outcome shouldBe VerdictOutcome.Refuted
    }

    @Test
    fun `a first task that takes what the others take is not odd`() {
        verdict("memory.first", MadeMemory.frame(MadeMemory.forks(first = 1.0))).outcome shouldBe VerdictOutcome.Refuted
    }

    /** Beyond [after] tasks one more takes a fifth. */
    private fun bent(after: Int) =
        MadeMemory
            .forks()
            .map { trial ->
                val n = trial.treatment.number("tasks") ?: 0
                if (n <=
                    after
                ) {
                    trial
                } else {
                    trial.copy(metrics = trial.metrics.mapValues { (_, bytes) -> bytes * (after + (n - after) / 5.0) / n })
                }
            }.let(MadeMemory::frame)

    @Test
    fun `a line that bends within the source's range is not linear`() {
        verdict("memory.linear", bent(after = 100)).outcome shouldBe VerdictOutcome.Refuted
    }

    @Test
    fun `a line that bends beyond it is linear within, and takes less beyond`() {
        listOf("memory.linear", "memory.beyond").map { verdict(it, bent(after = 1_000)).outcome }.distinct() shouldBe
            listOf(VerdictOutcome.Supported)
        verdict("memory.beyond", made).outcome shouldBe VerdictOutcome.Refuted
    }

    @Test
    fun `few forks, or a point that was not measured, decide nothing`() {
        verdict("memory.ratio", MadeMemory.frame(MadeMemory.forks(forks = 3))).outcome shouldBe VerdictOutcome.Inconclusive
        val missing = MadeMemory.forks().filter { it.treatment.number("tasks") != 500L }
        verdict("memory.ratio", MadeMemory.frame(missing)).parts.single().estimate.n shouldBe 0
    }

    @Test
    fun `invalid trials are in no claim`() {
        val wrong = List(6) { MadeMemory.trial("coroutines", 500, it + 10, 1e12, outcome = Outcome.Invalid) }
        verdict("memory.ratio", MadeMemory.frame(MadeMemory.forks() + wrong)).outcome shouldBe VerdictOutcome.Supported
    }

    @Test
    fun `warm trials and deep stacks are not the source's, and stay out`() {
        val others = List(6) { MadeMemory.trial("coroutines", 500, it, 1e12, start = "warm") } +
            List(6) { MadeMemory.trial("coroutines", 500, it, 1e12, depth = 10) }
        verdict("memory.ratio", MadeMemory.frame(MadeMemory.forks() + others)).outcome shouldBe VerdictOutcome.Supported
    }

    @Test
    fun `computing coroutines that take what a pool takes save nothing, and those that take half do`() {
        fun computing(coroutines: Double) = MadeMemory.frame(
            listOf(10, 100).flatMap { n ->
                List(6) { MadeMemory.trial("pool", n, it, 1e6 + it, state = "computing") } +
                    List(6) { MadeMemory.trial("coroutines", n, it, coroutines + it, state = "computing") }
            },
        )
        verdict("memory.cpu", computing(1e6)).outcome shouldBe VerdictOutcome.Supported
        verdict("memory.cpu", computing(5e5)).outcome shouldBe VerdictOutcome.Refuted
    }

    @Test
    fun `odd first tasks that are dear enough tilt the line`() {
        // Hundreds of the cheap ones weigh as much as one that takes hundreds.
        val tilted = MadeMemory.frame(MadeMemory.forks(first = 120.0))
        verdict("memory.fit", tilted).parts.size shouldBe 3
        verdict("memory.fit", MadeMemory.frame(MadeMemory.forks(first = 1.0))).outcome shouldBe VerdictOutcome.Refuted
    }
}
