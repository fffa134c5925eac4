package clientlab.articles.conduct

import clientlab.*
import clientlab.notebook.made.*

/** Every claim about what sessions leave behind, against trials made by hand. */
class ChurnClaimsTest : HeldToTrials(churnClaims) {
    private fun forks(client: String, metric: String, left: Double): List<Trial> = List(8) { round ->
        Trial(
            experiment = "made",
            round = round,
            treatment = Treatment(Factor.CLIENT to client, Factor.CYCLES to 2_000),
            warmup = false,
            outcome = Outcome.Complete,
            metrics = mapOf(metric to left),
        )
    }

    private fun case(metric: String, right: Double, wrong: Double): Case {
        val good = forks("jdk", metric, right)
        return Case(good + forks("okhttp", metric, right), good + forks("okhttp", metric, wrong))
    }

    override val cases: Map<String, Case> = mapOf(
        "conduct.cycle-descriptors" to case("descriptorsPerCycle", 0.001, wrong = 1.0),
        "conduct.cycle-threads" to case("threadsLeftPerCycle", 0.0, wrong = 0.02),
        "conduct.cycle-heap" to case("cycleHeapBytes", 100.0, wrong = 4_096.0),
    )
}
