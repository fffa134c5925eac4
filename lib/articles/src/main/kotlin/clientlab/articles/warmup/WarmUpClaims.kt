package clientlab.articles.warmup

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val NOTEBOOK = "15-warmup"
private const val RUN = "warmup-2026-11b"
private const val SCOPE =
    "In this set-up (JDK 25, two cores, 500 requests a second, delay 5 ms, a load of 120 s from the first request on; later: its last 30 s)"
private const val CIO = "ktor-cio"
private val CLIENTS = listOf("retrofit", "ktor-okhttp", "ktor-apache5", "ktor-java", CIO, "fuel")

internal class WarmUpArticle : NamedArticle(NOTEBOOK, warmUpClaims + firstClientClaims)

/** The claims about fresh forks, beyond the sources. Their bounds were set before the run. */
internal val warmUpClaims: List<Claim> = claims(NOTEBOOK) {
    claim("warmup.time", "at least 10 s, set before", RUN)
        .says("$SCOPE a request of every client costs a quarter more than later for at least its first ten seconds.") {
            it.held("seconds until the cost has settled", Bound(low = 10.0), of = WarmUp::settledSeconds)
        }
    claim("warmup.end", "at most 60 s, set before", RUN)
        .says("$SCOPE from one minute on a request of every client costs at most a quarter more than later.") {
            it.held("seconds until the cost has settled", Bound(high = 60.0), of = WarmUp::settledSeconds)
        }
    claim("warmup.burn", "at least 0.5, set before", RUN)
        .says("$SCOPE in the first ten seconds the compilers take at least half as much processor time as the client's threads.") {
            it.held("processor time of the first ten seconds, compilers / client", Bound(low = 0.5), of = WarmUp::burn)
        }
    claim("warmup.first", "at least 10, set before", RUN)
        .says("$SCOPE the 99th percentile of the first second is at least ten times as long as that of a half second later.") {
            it.held("99th percentile, first second / later", Bound(low = 10.0), of = WarmUp::firstByLater)
        }
    claim("warmup.cost", "at least 2, set before", RUN)
        .says(
            "$SCOPE a request of the first ten seconds takes the client at least twice the processor time of a later one. Ktor CIO is " +
                "left out: it connects for every request, which costs it as much later.",
        ) { it.held("processor time per request, first ten seconds / later", Bound(low = 2.0), CLIENTS - CIO, WarmUp::costRatio) }
}

/** One part per client: the value [of] each fresh fork within [bound]. */
private fun Trials<*>.held(words: String, bound: Bound, clients: List<String> = CLIENTS, of: (WarmUp) -> Double?): List<Part> =
    clients.map { of(it, Factor.START, Start.Cold.label) }.map { group -> group.part(words, bound, group.warmUps().mapNotNull(of)) }
