package clientlab.articles.versions

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val NOTEBOOK = "10-versions"
private const val VERSIONS = "versions-2026-11"
private const val ENGINES = "versions-engines-2026-11"
private const val OPENED = "ktor-cio"
private const val ARTICLE = "ktor-cio@article"
private const val OLD = "2.3.12"
private const val NEW = "3.5.2"

internal class VersionsArticle : NamedArticle(NOTEBOOK, versionsClaims)

/** What source 000 says about the libraries of its year, asked of older and newer versions. */
internal val versionsClaims: List<Claim> = claims(NOTEBOOK) {
    claim("versions.cio-route", "CIO slows down; Ktor 2.3.7", VERSIONS)
        .says(
            "CIO has a limit of 100 connections to a route in Ktor $OLD as in $NEW: with the article's settings 500 requests arrive " +
                "in five waves under both, and where the limit is opened in one.",
        ) { trials ->
            listOf(OLD, NEW).flatMap { version ->
                val (article, opened) = listOf(ARTICLE, OPENED).map { trials.of("$it:$version") }
                listOf(
                    article.part("most in flight, as the server saw it", exactly(100), "inFlightPeak"),
                    article.part("waves", exactly(5), "batches"),
                    opened.part("waves", exactly(1), "batches"),
                )
            }
        }
    claim("versions.threads-okhttp", "a thread a request; OkHttp 4.12, Retrofit 2.9", VERSIONS)
        .says("A request holds a platform thread under OkHttp 4.12 as under 5, and under Retrofit from 2.9 to 3.0.") { trials ->
            listOf("okhttp:4.12.0", "okhttp:5.5.1", "retrofit:2.9.0", "retrofit:3.0.0").map { trials.of(it).perRequest(Bound(0.95, 1.05)) }
        }
    claim("versions.threads-cio", "1 thread for 500 requests; Ktor 2.3.7", VERSIONS)
        .says("CIO holds no platform thread for a request in any version measured, from Ktor 2.3.12 to 3.5.2.") { trials ->
            trials.everyVersionOf(OPENED).map { it.perRequest(Bound(0.0, 0.01)) }
        }
    claim("versions.threads-engines", "501 threads for 500 requests in Ktor OkHttp, 1 to 5 in the others; Ktor 2.3.7", ENGINES)
        .says(
            "Ktor's OkHttp engine and Retrofit 2.11 hold a platform thread for each request, and Ktor's Java, Apache (to 3.3.3) and " +
                "Apache5 (from 3.4.3) engines hold none, in every version measured, from Ktor 2.3.7 to 3.5.2.",
        ) { trials ->
            trials.everyVersionOf("ktor-okhttp", "retrofit").map { it.perRequest(Bound(0.95, 1.05)) } +
                trials.everyVersionOf("ktor-java", "ktor-apache", "ktor-apache5").map { it.perRequest(Bound(0.0, 0.02)) }
        }
    claim("versions.leak", "HttpClient-N-SelectorManager; Ktor 2.3.7", ENGINES)
        .says("After close Ktor Java leaves a thread in every version measured, from Ktor 2.3.12 to 3.5.2.") { trials ->
            trials.everyVersionOf("ktor-java").map { it.part("threads left", Bound(low = 1.0), "threadsLeft") }
        }
    claim("versions.idle-workers", "85 to 89 active threads; Ktor 2.3.7", VERSIONS)
        .says("Ktor $NEW has no more platform threads alive than $OLD while 500 requests wait in CIO.") { trials ->
            listOf(newAgainstOld(trials, "threads alive", "threadsLive", Bound(high = 1.1)))
        }
    claim("versions.time", "11 s for 2 s, unopened; Ktor 2.3.7", VERSIONS)
        .says(
            "With its limits opened CIO of Ktor $NEW needs no more than a tenth more time for 500 requests than that of $OLD.",
        ) { trials -> listOf(newAgainstOld(trials, "time", "durationMs", Bound(high = 1.1))) }
}

private fun newAgainstOld(trials: Trials<*>, words: String, metric: String, bound: Bound): Part {
    val (new, old) = listOf(NEW, OLD).map { trials.of("$OPENED:$it").values(metric) }
    return Part.ratio("$OPENED:$NEW", "$words / those of $OLD", bound, new, old, trials.ratioFloor(Burst::class, metric))
}

/** The versions of each client. A client without any has an entry without trials, so its claim stays open. */
private fun Trials<*>.everyVersionOf(vararg clients: String): List<TreatmentTrials> = clients.flatMap { client ->
    byTreatment()
        .filter { ClientInfo.unversioned(it.client) == client && ClientInfo.versionOf(it.client) != null }
        .ifEmpty { listOf(of(client)) }
}

private fun TreatmentTrials.perRequest(bound: Bound): Part =
    part("threads held by requests / requests", bound, values("threadsBlocked").map { it / inFlight.coerceAtLeast(1) })
