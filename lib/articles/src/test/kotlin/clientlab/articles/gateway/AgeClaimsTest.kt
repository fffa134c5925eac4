package clientlab.articles.gateway

import clientlab.*
import clientlab.notebook.made.*

/** The claims about the age of gateways, against trials made by hand. */
class AgeClaimsTest : HeldToTrials(ageClaims) {
    private fun gateways(client: String, start: String, metric: String, value: Double): List<Trial> =
        List(8) { round ->
            val treatment = Treatment(
                Factor.CLIENT to client,
                Factor.RATE to 500,
                Factor.DELAY_MS to 2000,
                Factor.MEMORY_MIB to 256,
                Factor.START to start,
            )
            Trial("made", round, treatment, warmup = false, outcome = Outcome.Complete, metrics = mapOf(metric to value, "steady" to 1.0))
        }

    private fun minutes(java: Double, cio: Double) =
        mapOf("ktor-java" to java, "ktor-cio" to cio, "retrofit-virtual" to 1.0)
            .flatMap { (client, survived) -> gateways(client, "warm", "survived", survived) }

    private fun costs(young: Double, steady: Double) =
        gateways("ktor-java", "warm", "requestCpuMs", young) + gateways("ktor-java", "steady", "requestCpuMs", steady)

    override val cases: Map<String, Case> =
        mapOf(
            "gateway.minute" to Case(minutes(java = 0.0, cio = 1.0), minutes(java = 1.0, cio = 1.0)),
            "gateway.steady" to Case(costs(young = 3.0, steady = 1.0), costs(young = 1.2, steady = 1.0)),
        )
}
