package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.run.MadeRun.experiment
import clientlab.notebook.run.MadeRun.measured
import clientlab.notebook.stats.*
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.util.Random
import kotlin.math.exp

/**
 * How often the interval that a stopped run reports holds the true median, in simulated runs of one treatment.
 *
 * The scatter is chosen so that runs end at every look there is, for a rule that always or never stops at the first costs nothing.
 */
class StopRuleCoverageTest {
    private enum class Values(val of: (Random, Double) -> Double) {
        Normal({ random, scatter -> 100 * (1 + scatter * random.nextGaussian()) }),
        Skewed({ random, scatter -> 100 * exp(scatter * random.nextGaussian()) }),
        HeavyTailed({ random, scatter -> 100 * (1 + scatter * random.nextGaussian() * if (random.nextInt(10) == 0) 4 else 1) }),
    }

    private class Simulated(val coverage: Double, val rounds: Map<Int, Int>)

    private fun simulate(values: Values, scatter: Double, runs: Int): Simulated {
        val asked = experiment("one").copy(precision = Precision(5.0))
        val rule = checkNotNull(StopRule.of(asked))
        val plan = Schedule.of(asked)
        val random = Random(20261121L + values.ordinal)
        val rounds = sortedMapOf<Int, Int>()
        var held = 0
        repeat(runs) {
            val kept = Kept(asked)
            val end = plan
                .first { planned ->
                    kept.add(measured(planned, values.of(random, scatter)))
                    rule.after(planned.round + 1, kept) != null
                }.round + 1
            rounds.merge(end, 1, Int::plus)
            val interval = Bootstrap.median(kept.values(0, end))
            if (100.0 in interval.low..interval.high) held++
        }
        return Simulated(held.toDouble() / runs, rounds)
    }

    private fun holds(runs: Int, least: Double) {
        Values.entries.forEach { values ->
            listOf(0.05, 0.1, 0.15).forEach { scatter ->
                val simulated = simulate(values, scatter, runs)
                val share = "%.1f".format(simulated.coverage * 100)
                val seen = "$values with a scatter of $scatter: $share % of $runs, ended after ${simulated.rounds}"
                println(seen)
                withClue(seen) { simulated.coverage shouldBeGreaterThanOrEqual least }
            }
        }
    }

    @Test
    fun `stopped by the rule, intervals hold the true median about as often as they say`() = holds(runs = 200, least = 0.85)

    @Test
    @Tag("long")
    fun `stopped by the rule, intervals hold the true median in at least 88 of 100 runs`() = holds(runs = 4_000, least = 0.88)
}
