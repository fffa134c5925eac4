package clientlab.articles.versions

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val SOURCE = Claim.BEYOND
private val VERSIONS = listOf("versions-2026-11")
private val ENGINES = listOf("versions-engines-2026-11")
private const val OPENED = "ktor-cio"
private const val ARTICLE = "ktor-cio@article"
private const val OLD = "2.3.12"
private const val NEW = "3.5.2"

/** What source 000 says about the libraries of its year, asked of older and newer versions. */
internal val versionsClaims: List<Claim> =
    listOf(
        Claim(
            id = "versions.cio-route",
            source = SOURCE,
            words =
                "CIO has a limit of 100 connections to a route in Ktor $OLD as in $NEW: with the article's settings 500 requests " +
                    "arrive in five waves under both, and where the limit is opened in one.",
            figure = "CIO slows down; Ktor 2.3.7",
            evidence = VERSIONS,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(OLD, NEW).flatMap { version ->
                val article = trials.of("$ARTICLE:$version")
                val opened = trials.of("$OPENED:$version")
                listOf(
                    article.part("most in flight, as the server saw it", Bound(100.0, 100.0), "inFlightPeak"),
                    article.part("waves", Bound(5.0, 5.0), "batches"),
                    opened.part("waves", Bound(1.0, 1.0), "batches"),
                )
            }
        },
        Claim(
            id = "versions.threads-okhttp",
            source = SOURCE,
            words = "A request holds a platform thread under OkHttp 4.12 as under 5, and under Retrofit from 2.9 to 3.0.",
            figure = "a thread a request; OkHttp 4.12, Retrofit 2.9",
            evidence = VERSIONS,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf("okhttp:4.12.0", "okhttp:5.5.1", "retrofit:2.9.0", "retrofit:3.0.0").map { trials.of(it).perRequest(Bound(0.95, 1.05)) }
        },
        Claim(
            id = "versions.threads-cio",
            source = SOURCE,
            words = "CIO holds no platform thread for a request in any version from Ktor 2.3 to 3.5.",
            figure = "1 thread for 500 requests; Ktor 2.3.7",
            evidence = VERSIONS,
            notebook = NOTEBOOK,
        ) { trials -> trials.everyVersionOf(OPENED).map { it.perRequest(Bound(0.0, 0.01)) } },
        Claim(
            id = "versions.threads-engines",
            source = SOURCE,
            words =
                "Ktor's OkHttp engine and Retrofit 2.11 hold a platform thread for each request, and Ktor's Java, Apache and " +
                    "Apache5 engines hold none, in every version from Ktor 2.3 to 3.5.",
            figure = "501 threads for 500 requests in Ktor OkHttp, 1 to 5 in the others; Ktor 2.3.7",
            evidence = ENGINES,
            notebook = NOTEBOOK,
        ) { trials ->
            trials.everyVersionOf("ktor-okhttp", "retrofit").map { it.perRequest(Bound(0.95, 1.05)) } +
                trials.everyVersionOf("ktor-java", "ktor-apache", "ktor-apache5").map { it.perRequest(Bound(0.0, 0.02)) }
        },
        Claim(
            id = "versions.leak",
            source = SOURCE,
            words = "After close Ktor Java leaves a thread in every version from Ktor 2.3 to 3.5.",
            figure = "HttpClient-N-SelectorManager; Ktor 2.3.7",
            evidence = ENGINES,
            notebook = NOTEBOOK,
        ) { trials -> trials.everyVersionOf("ktor-java").map { it.part("threads left", Bound(low = 1.0), "threadsLeft") } },
        Claim(
            id = "versions.idle-workers",
            source = SOURCE,
            words = "Ktor $NEW has no more platform threads alive than $OLD while 500 requests wait in CIO.",
            figure = "85 to 89 active threads; Ktor 2.3.7",
            evidence = VERSIONS,
            notebook = NOTEBOOK,
        ) { trials -> listOf(newAgainstOld(trials, "threads alive", "threadsLive", Bound(high = 1.1))) },
        Claim(
            id = "versions.time",
            source = SOURCE,
            words = "With its limits opened CIO of Ktor $NEW needs no more than a tenth more time for 500 requests than that of $OLD.",
            figure = "11 s for 2 s, unopened; Ktor 2.3.7",
            evidence = VERSIONS,
            notebook = NOTEBOOK,
        ) { trials -> listOf(newAgainstOld(trials, "time", "durationMs", Bound(high = 1.1))) },
    )

private fun newAgainstOld(trials: Trials<*>, words: String, metric: String, bound: Bound): Part {
    val (new, old) = listOf(NEW, OLD).map { trials.of("$OPENED:$it").values(metric) }
    return Part("$OPENED:$NEW", "$words / those of $OLD", bound, Bootstrap.ratio(new, old), NoiseFloors.ratio(Burst::class, metric))
}

private fun Trials<*>.of(client: String): TreatmentTrials =
    byTreatment().firstOrNull { it.client == client }
        ?: TreatmentTrials(Treatment(Factor.CLIENT to client), emptyList())

private fun Trials<*>.versionsOf(client: String): List<TreatmentTrials> =
    byTreatment().filter { ClientInfo.unversioned(it.client) == client && ClientInfo.versionOf(it.client) != null }

/** The versions of each client. A client without any has an entry without trials, so its claim stays open. */
private fun Trials<*>.everyVersionOf(vararg clients: String): List<TreatmentTrials> =
    clients.flatMap { client -> versionsOf(client).ifEmpty { listOf(of(client)) } }

private fun TreatmentTrials.part(words: String, bound: Bound, metric: String): Part = Part.median(client, words, bound, values(metric))

private fun TreatmentTrials.perRequest(bound: Bound): Part =
    Part.median(client, "threads held by requests / requests", bound, values("threadsBlocked").map { it / inFlight.coerceAtLeast(1) })
