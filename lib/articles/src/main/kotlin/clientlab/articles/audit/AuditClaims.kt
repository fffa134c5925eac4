package clientlab.articles.audit

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val SOURCE = Claim.BEYOND
private const val MANY = "20"
private val FOUND = listOf("audit-2026-11")
private val OPENED = listOf("audit-opened-2026-11")
private val WAITED = listOf("audit-timeouts-2026-11")

/** The claims of the limits audit, beyond the sources. */
internal val auditClaims: List<Claim> =
    listOf(
        Claim(
            id = "audit.okhttp",
            source = SOURCE,
            words = "OkHttp as it comes has 5 requests in flight to one host and 64 in all, alone and below Retrofit and Ktor.",
            figure = "5 and 64, by its documentation",
            evidence = FOUND,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf("okhttp@default", "retrofit@default", "ktor-okhttp@default").flatMap { client ->
                listOf(trials.held(client, "1", 5.0), trials.held(client, MANY, 64.0))
            }
        },
        Claim(
            id = "audit.cio",
            source = SOURCE,
            words = "Ktor CIO as it comes has 100 in flight to one host and 1,000 in all.",
            figure = "100 and 1,000, by its documentation",
            evidence = FOUND,
            notebook = NOTEBOOK,
        ) { trials -> listOf(trials.held("ktor-cio@default", "1", 100.0), trials.held("ktor-cio@default", MANY, 1_000.0)) },
        Claim(
            id = "audit.io",
            source = SOURCE,
            words = "Fuel as it comes has as many in flight as Dispatchers.IO has threads, 64, to however many hosts.",
            figure = "64, by the documentation of Dispatchers.IO",
            evidence = FOUND,
            notebook = NOTEBOOK,
        ) { trials -> listOf("1", MANY).map { trials.held("fuel@default", it, 64.0) } },
        Claim(
            id = "audit.quiet",
            source = SOURCE,
            words = "Vert.x and Apache HttpClient 5 as they come have 5 in flight to one host, as OkHttp does; Jetty has 64.",
            figure = "5, 5 and 64, by their documentation",
            evidence = FOUND,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(
                trials.held("vertx@default", "1", 5.0),
                trials.held("apache5-async@default", "1", 5.0),
                trials.held("jetty@default", "1", 64.0),
            )
        },
        Claim(
            id = "audit.opened",
            source = SOURCE,
            words = "With every limit opened, each of the twelve clients measured has all 2,000 requests in flight.",
            figure = "none up to 2,000",
            evidence = OPENED,
            notebook = NOTEBOOK,
        ) { trials ->
            trials.byTreatment().filter { '@' !in it.client && it[Factor.HOSTS] == "1" }.map { group ->
                Part.median(
                    group.client,
                    "most in flight to one host",
                    Bound(group.inFlight.toDouble(), group.inFlight.toDouble()),
                    group.held(),
                )
            }
        },
        Claim(
            id = "audit.timeouts",
            source = SOURCE,
            words = "As they come, OkHttp gives up an answer after 10 s, and Ktor CIO after 15 s, but what it keeps waiting after 5 s.",
            figure = "10, 15 and 5 s, by their documentation",
            evidence = WAITED,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(
                trials.seconds("okhttp@default", "answerTimeoutMs", "gives up an answer after, in s", 10.0),
                trials.seconds("ktor-cio@default", "answerTimeoutMs", "gives up an answer after, in s", 15.0),
                trials.seconds("ktor-cio@default", "waitTimeoutMs", "gives up what it keeps waiting after, in s", 5.0),
            )
        },
    )

/** A limit counts as found if it is within a twentieth of the documented one. */
private fun Trials<*>.held(client: String, hosts: String, documented: Double): Part {
    val where = if (hosts == "1") "one host" else "$hosts hosts"
    return Part.median(client, "most in flight to $where", near(documented), of(client, hosts)?.held().orEmpty())
}

private fun Trials<*>.seconds(client: String, metric: String, words: String, documented: Double): Part =
    Part.median(client, words, near(documented), of(client, "1")?.values(metric).orEmpty().map { it / 1_000 })

private fun Trials<*>.of(client: String, hosts: String): TreatmentTrials? =
    byTreatment().firstOrNull { it.client == client && it[Factor.HOSTS] == hosts }

private fun TreatmentTrials.held(): List<Double> = values("heldInFlight")

private fun near(documented: Double) = Bound(documented * 0.95, documented * 1.05)
