package clientlab.articles.latency

import clientlab.*
import clientlab.notebook.made.*

/** Every claim about loads below a capacity, against trials made by hand. */
class CapacityClaimsTest : HeldToTrials(capacityClaims) {
    private fun forks(client: String, half: Double, most: Double, lagMs: Double = 0.1): List<Trial> =
        List(8) { round ->
            Trial(
                experiment = "capacity",
                round = round,
                treatment = Treatment(Factor.CLIENT to client, Factor.DELAY_MS to 5, Factor.P99_MS to 20, Factor.START to "steady"),
                warmup = false,
                outcome = Outcome.Complete,
                metrics = mapOf("capacityPerSecond" to 4_000.0, "halfLatencyP99Ms" to half, "nineTenthsLatencyP99Ms" to most) +
                    mapOf("halfGeneratorLagP99Ms" to lagMs, "steady" to 1.0),
            )
        }

    private val usual = forks("retrofit", 6.0, 18.0)

    override val cases: Map<String, Case> =
        mapOf(
            "capacity.half" to Case(usual + forks("jdk", 7.0, 19.0), usual + forks("jdk", 12.0, 19.0)),
            "capacity.knee" to Case(usual + forks("jdk", 7.0, 19.0), usual + forks("jdk", 7.0, 8.0)),
            "capacity.generator" to Case(usual + forks("jdk", 7.0, 19.0), usual + forks("jdk", 7.0, 19.0, lagMs = 3.0)),
        )
}
