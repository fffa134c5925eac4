package clientlab.articles.audit

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val NOTEBOOK = "11-limits-audit"
private const val MANY = "20"
private const val FOUND = "audit-2026-11"
private const val OPENED = "audit-opened-2026-11"
private const val WAITED = "audit-timeouts-2026-11"

internal class AuditArticle : NamedArticle(NOTEBOOK, auditClaims)

/** The claims of the limits audit, beyond the sources. */
internal val auditClaims: List<Claim> = claims(NOTEBOOK) {
    check("audit.okhttp", "5 and 64, by its documentation", FOUND)
        .says("By default OkHttp has 5 requests in flight to one host and 64 in all, alone and below Retrofit and Ktor.") { trials ->
            listOf("okhttp@default", "retrofit@default", "ktor-okhttp@default").flatMap { client ->
                listOf(trials.held(client, "1", 5.0), trials.held(client, MANY, 64.0))
            }
        }
    check("audit.cio", "100 and 1,000, by its documentation", FOUND)
        .says("By default Ktor CIO has 100 in flight to one host and 1,000 in all.") { trials ->
            listOf("1" to 100.0, MANY to 1_000.0).map { (hosts, most) -> trials.held("ktor-cio@default", hosts, most) }
        }
    check("audit.io", "64, by the documentation of Dispatchers.IO", FOUND)
        .says("By default Fuel has as many in flight as Dispatchers.IO has threads, 64, to however many hosts.") { trials ->
            listOf("1", MANY).map { trials.held("fuel@default", it, 64.0) }
        }
    check("audit.quiet", "5, 5 and 64, by their documentation", FOUND)
        .says("By default Vert.x and Apache HttpClient 5 have 5 in flight to one host, as OkHttp does; Jetty has 64.") { trials ->
            listOf("vertx" to 5.0, "apache5-async" to 5.0, "jetty" to 64.0).map { (id, most) -> trials.held("$id@default", "1", most) }
        }
    claim("audit.opened", "none up to 2,000", OPENED)
        .says("With every limit opened, each of the twelve clients measured has all 2,000 requests in flight.") { trials ->
            trials.byTreatment().filter { '@' !in it.client && it[Factor.HOSTS] == "1" }.map {
                it.part("most in flight to one host", exactly(it.inFlight), HELD)
            }
        }
    check("audit.timeouts", "10, 15 and 5 s, by their documentation", WAITED)
        .says(
            "By default OkHttp gives up an answer after 10 s, and Ktor CIO after 15 s. CIO gives up a request that waits for a place " +
                "after 5 s.",
        ) { trials ->
            listOf(
                trials.seconds("okhttp@default", "answerTimeoutMs", "gives up an answer after, in s", 10.0),
                trials.seconds("ktor-cio@default", "answerTimeoutMs", "gives up an answer after, in s", 15.0),
                trials.seconds("ktor-cio@default", "waitTimeoutMs", "gives up a request that waits for a place after, in s", 5.0),
            )
        }
}

private fun Trials<*>.held(client: String, hosts: String, documented: Double): Part {
    val where = if (hosts == "1") "one host" else "$hosts hosts"
    return of(client, Factor.HOSTS, hosts).part("most in flight to $where", near(documented), HELD)
}

private fun Trials<*>.seconds(client: String, metric: String, words: String, documented: Double): Part =
    of(client, Factor.HOSTS, "1").let { group -> group.part(words, near(documented), group.values(metric).map { it / 1_000 }) }

/** A limit counts as found if it is within a twentieth of the documented one. */
private fun near(documented: Double) = Bound(documented * 0.95, documented * 1.05)

private const val HELD = "heldInFlight"
