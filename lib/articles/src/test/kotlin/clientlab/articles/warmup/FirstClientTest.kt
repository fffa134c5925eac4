package clientlab.articles.warmup

import clientlab.*
import clientlab.notebook.made.*

/** The claim about the first client, against trials made by hand. */
class FirstClientTest : HeldToTrials(firstClientClaims) {
    private fun forks(openMs: Double): List<Trial> =
        listOf("ktor-okhttp", "ktor-apache5", "ktor-java", "ktor-cio").flatMap { client ->
            List(8) { round ->
                Trial(
                    experiment = "first-client",
                    round = round,
                    treatment = Treatment(Factor.CLIENT to client, Factor.PROTOCOL to "https/1.1", Factor.START to "cold"),
                    warmup = false,
                    outcome = Outcome.Complete,
                    metrics = mapOf("openMs" to openMs + round, "latencyMaxMs" to 250.0),
                )
            }
        }

    override val cases: Map<String, Case> = mapOf("warmup.client" to Case(forks(openMs = 300.0), forks(openMs = 100.0)))
}
