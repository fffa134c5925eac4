package clientlab.articles.loom

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTasks.forks
import clientlab.notebook.made.MadeTasks.frame
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path

/**
 * Every claim of source 002 against trials made by hand: some that bear it out and some that do not.
 *
 * Without published data, so that no noise of the machine that made them is between a made trial and its verdict.
 */
class LoomClaimsTest(
    @param:TempDir private val data: Path,
) : HeldToTrials(loomClaims) {
    private val both = listOf(1, 2)

    /** The source's machine: a pool that overtakes nothing with one call, and is overtaken from 2 ms with two. */
    private fun pool(perMs: Double = 300.0) = forks("pool-processors", calls = both) { delay, calls -> (800 + perMs * delay) * calls }

    private fun virtual(ms: (Int, Int) -> Double = { _, _ -> 2_700.0 }) = forks("virtual", calls = both, ms = ms)

    private fun busy(share: Double) = forks("virtual", calls = both, metrics = mapOf("machineShare" to share)) { _, _ -> 2_900.0 }

    private fun pools(ms: Double) =
        listOf("pool-64", "pool-512").flatMap { forks(it, listOf(100), tasks = 10_000) { _, _ -> ms } } +
            forks("virtual", listOf(100), tasks = 10_000) { _, _ -> 1_000.0 }

    private fun control(limited: Double) =
        listOf("processors", "8").flatMap { size ->
            forks("pool-$size", listOf(5)) { _, _ -> 2_000.0 } + forks("virtual-limited-$size", listOf(5)) { _, _ -> limited }
        }

    override val cases: Map<String, Case> =
        mapOf(
            "loom.delay" to Case(virtual { delay, _ -> 2_900.0 - 40 * delay }, virtual { delay, _ -> 2_000.0 + 40 * delay }),
            "loom.many" to Case(pools(15_000.0), pools(700.0)),
            "loom.flat" to Case(virtual(), virtual { delay, _ -> 1_000.0 + 100 * delay }),
            "loom.linear" to Case(pool() + virtual(), pool(0.0) + virtual()),
            "loom.one" to Case(pool() + virtual(), pool() + virtual { _, _ -> 500.0 }),
            "loom.two" to Case(pool() + virtual(), pool() + virtual { _, _ -> 500.0 }),
            "loom.calls" to Case(virtual(), virtual { _, calls -> 1_000.0 * calls }),
            "loom.cap" to Case(control(2_050.0), control(4_000.0)),
            "loom.busy" to Case(busy(0.95), busy(0.3)),
        )

    override val ofTheSource = listOf("loom.base", "loom.overlap", "loom.saturated")

    @TestFactory
    fun `the source's own figures decide what is said of them`(): List<DynamicTest> =
        ofTheSource.map { id -> dynamicTest(id) { verdictShouldBe(VerdictOutcome.Supported, id, virtual()) } }

    @Test
    fun `ten thousand calls of 4 ms in the pool's time take about fifty threads`() {
        verdict("loom.base", frame(virtual())).parts.first().estimate.value shouldBe (49.5 plusOrMinus 0.1)
    }

    @Test
    fun `invalid trials decide nothing`() {
        val invalid = cases.getValue("loom.one").supports.map { it.copy(outcome = Outcome.Invalid) }
        verdict("loom.one", frame(invalid)).outcome shouldBe VerdictOutcome.Inconclusive
    }

    override fun verdictOn(id: String, trials: List<Trial>): Verdict {
        lateinit var verdict: Verdict
        withDataIn(data) { verdict = super.verdictOn(id, trials) }
        return verdict
    }
}
