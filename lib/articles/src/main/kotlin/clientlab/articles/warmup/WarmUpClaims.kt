package clientlab.articles.warmup

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val NOTEBOOK = "15-warmup"
private const val RUN = "warmup-2026-11"
private const val SCOPE = "In this set-up (JDK 25, two cores, 500 requests a second, delay 5 ms, a load of 120 s from the first request on)"
private val CLIENTS = listOf("retrofit", "ktor-okhttp", "ktor-apache5", "ktor-java", "ktor-cio", "fuel")

internal class WarmUpArticle : NamedArticle(NOTEBOOK, warmUpClaims)

/** The claims about fresh forks, beyond the sources. Their bounds were set before the run. */
internal val warmUpClaims: List<Claim> = claims(NOTEBOOK) {
    claim("warmup.time", "at least 10 s, set before", RUN)
        .says(
            "$SCOPE no client is steady within 10 s of its first request. A fork that is never steady counts with the length of its load.",
        ) {
            it.held("seconds until steady", Bound(low = 10.0), WarmUp::seconds)
        }
    claim("warmup.end", "at most 90 s, set before", RUN)
        .says(
            "$SCOPE every client is steady within 90 s, the latest moment from which a quarter of the load is left to show it.",
        ) { it.held("seconds until steady", Bound(high = 90.0), WarmUp::seconds) }
    claim("warmup.burn", "more than 1, set before", RUN)
        .says("$SCOPE the compilers take more processor time until a fork is steady than the client itself does.") {
            it.held("processor time until steady, compilers / client", Bound(low = 1.0), WarmUp::burn)
        }
    claim("warmup.first", "at least 10, set before", RUN)
        .says("$SCOPE the 99th percentile of the first second is at least ten times as long as that of a steady half second.") {
            it.held("99th percentile, first second / steady", Bound(low = 10.0), WarmUp::firstByShare)
        }
    claim("warmup.cost", "at least 2, set before", RUN)
        .says("$SCOPE a request of the first ten seconds takes the client at least twice the processor time of a steady one.") {
            it.held("processor time per request, first 10 s / steady", Bound(low = 2.0), WarmUp::costRatio)
        }
}

/** One part per client: [value] of each fresh fork within [bound]. */
private fun Trials<*>.held(words: String, bound: Bound, value: (WarmUp) -> Double?): List<Part> =
    CLIENTS.map { of(it, Factor.START, Start.Cold.label) }.map { group -> group.part(words, bound, group.warmUps().mapNotNull(value)) }
