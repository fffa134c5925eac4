package clientlab.articles.audit

import clientlab.*
import clientlab.notebook.made.*

/** Every claim of the audit against trials made by hand: some that bear it out and some that do not. */
class AuditClaimsTest : HeldToTrials(auditClaims) {
    private fun forks(client: String, hosts: Int, held: Int, late: Map<String, Double> = emptyMap()): List<Trial> =
        List(6) { round ->
            Trial(
                experiment = "made",
                round = round,
                treatment = Treatment(Factor.CLIENT to client, Factor.IN_FLIGHT to 2_000, Factor.HOSTS to hosts),
                warmup = false,
                outcome = if (held < 2_000) Outcome.Wave else Outcome.Complete,
                metrics = mapOf("heldInFlight" to held.toDouble()) + late,
            )
        }

    private fun okHttp(one: Int) =
        listOf("okhttp@default", "retrofit@default", "ktor-okhttp@default").flatMap { forks(it, 1, one) + forks(it, 20, 64) }

    private fun timeouts(wait: Double) =
        forks("okhttp@default", 1, 5, mapOf("answerTimeoutMs" to 10_010.0)) +
            forks("ktor-cio@default", 1, 100, mapOf("answerTimeoutMs" to 15_010.0, "waitTimeoutMs" to wait))

    override val cases: Map<String, Case> =
        mapOf(
            "audit.okhttp" to Case(okHttp(5), okHttp(64)),
            "audit.cio" to Case(
                forks("ktor-cio@default", 1, 100) + forks("ktor-cio@default", 20, 1_000),
                forks("ktor-cio@default", 1, 100) + forks("ktor-cio@default", 20, 2_000),
            ),
            "audit.io" to Case(
                forks("fuel@default", 1, 64) + forks("fuel@default", 20, 64),
                forks("fuel@default", 1, 64) + forks("fuel@default", 20, 128),
            ),
            "audit.quiet" to Case(
                forks("vertx@default", 1, 5) + forks("apache5-async@default", 1, 5) + forks("jetty@default", 1, 64),
                forks("vertx@default", 1, 50) + forks("apache5-async@default", 1, 5) + forks("jetty@default", 1, 64),
            ),
            "audit.opened" to Case(forks("jdk", 1, 2_000) + forks("okhttp", 1, 2_000), forks("jdk", 1, 2_000) + forks("okhttp", 1, 64)),
            "audit.timeouts" to Case(timeouts(5_010.0), timeouts(15_010.0)),
        )
}
