package clientlab.articles.latency

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.made.*
import org.junit.jupiter.api.Test

/** Every claim about one client at one rate, young and steady, against trials made by hand. */
class SteadyLatencyClaimsTest : HeldToTrials(steadyLatencyClaims) {
    private fun forks(start: String, p99: (Int) -> Double): List<Trial> =
        List(8) { round ->
            Trial(
                experiment = "latency-steady",
                round = round,
                treatment = Treatment(Factor.CLIENT to "ktor-java", Factor.RATE to 2_000, Factor.DELAY_MS to 5, Factor.START to start),
                warmup = false,
                outcome = Outcome.Complete,
                metrics = mapOf("latencyP99Ms" to p99(round)) + if (start == "steady") mapOf("steady" to 1.0) else emptyMap(),
            )
        }

    private fun both(young: Double, steady: (Int) -> Double) = forks("warm") { young } + forks("steady", steady)

    override val cases: Map<String, Case> =
        mapOf(
            "latency.steady" to Case(both(900.0) { 9.0 }, both(900.0) { 40.0 }),
            "latency.young" to Case(both(900.0) { 9.0 }, both(10.0) { 9.0 }),
        )

    @Test
    fun `one fork in eight that is late refutes what is said of every fork`() {
        verdictShouldBe(VerdictOutcome.Refuted, "latency.steady", both(900.0) { if (it == 3) 31.0 else 9.0 })
    }
}
