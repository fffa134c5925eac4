package clientlab.articles.conduct

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import org.jetbrains.kotlinx.dataframe.AnyRow
import org.jetbrains.kotlinx.dataframe.api.columnNames

private const val NOTEBOOK = "16-conduct"
private const val RUN = "conduct-2026-11"
private const val MOSTLY = "in at least 6 of 10 forks, set before"

/** A caller that is free so soon after a time-out of 400 ms is free in time. */
internal const val SOON_MS: Int = 600

/**
 * The claims about what clients do when things go wrong, beyond the sources. Each says that every client does what a standard or a caller
 * asks of it. A client with which a situation cannot be tried has no part in its claim.
 */
internal val conductClaims: List<Claim> = claims(NOTEBOOK) {
    claim("conduct.in-time", MOSTLY, RUN)
        .says(
            "With every time-out at 400 ms each client gives its caller back within 600 ms if the server takes a request and never answers.",
        ) { it.mostly("timeouts.no-answer", "the caller is free within 600 ms") { seen -> seen.failsSoon } }
    claim("conduct.whole-call", MOSTLY, RUN)
        .says(
            "With every time-out at 400 ms each client gives its caller back within 600 ms if the server sends its answer byte by byte.",
        ) { it.mostly("timeouts.trickle", "the caller is free within 600 ms") { seen -> seen.failsSoon } }
    claim("conduct.cancelled", MOSTLY, RUN)
        .says(
            "If a caller cancels a request that waits for its answer, each client closes the connection, so that the server learns of it.",
        ) {
            it.mostly("cancellation.waiting", "the connection is closed") { seen -> "the connection is closed" in seen.fact }
        }
    claim("conduct.stale", MOSTLY, RUN)
        .says("If the server has closed a connection while it was idle, the next GET of each client is answered all the same.") {
            it.mostly("idle.closed-get", "the GET is answered") { seen -> seen.fact == "opens another connection" }
        }
    claim("conduct.once", MOSTLY, RUN)
        .says("If the server takes a POST on a used connection and closes that without an answer, no client sends the POST again.") {
            it.mostly("idle.closed-on-post", "the POST is sent once") { seen -> seen.fact.startsWith("sends it once") }
        }
    claim("conduct.unasked", MOSTLY, RUN)
        .says("No client takes an answer that nobody asked for as the answer of its next request.") {
            it.mostly("idle.unasked", "it is not taken for the next answer") { seen -> !seen.fact.startsWith("takes it") }
        }
    claim("conduct.cut", MOSTLY, RUN)
        .says("No client takes a body as whole that is shorter than the server has declared.") {
            it.mostly("answers.short", "the caller learns of it") { seen -> !seen.fact.startsWith("takes it") }
        }
    claim("conduct.closing", MOSTLY, RUN)
        .says("Thirty sessions of each client, opened and closed, leave no descriptors and no threads behind.") {
            it.mostly("closing.churn", "nothing is left behind") { seen -> seen.fact == "leaves nothing behind" }
        }
}

/** The article `16-conduct`. */
internal class ConductArticle : NamedArticle(NOTEBOOK, conductClaims)

private class Seen(row: AnyRow) {
    val fact: String = row["fact"].toString()
    private val ms: Double? = (row["ms"] as Number?)?.toDouble()

    /** Whether the situation could be tried with the client. */
    val tried: Boolean get() = !fact.startsWith("not testable") && !fact.startsWith("not supported")

    val failsSoon: Boolean get() = fact.startsWith("fails") && ms != null && ms <= SOON_MS
}

/**
 * One part per client: the share of forks in which it did what is [right] in [situation]. It has none where all forks say that the situation
 * cannot be tried with it.
 */
private fun Trials<*>.mostly(situation: String, words: String, right: (Seen) -> Boolean): List<Part> =
    byTreatment().mapNotNull { group ->
        val seen = group.counted.flatMap { it.observations() }.filter { it["situation"] == situation }.map(::Seen)
        val tried = seen.filter { it.tried }
        if (tried.isEmpty() && seen.isNotEmpty()) return@mapNotNull null
        Part.share(group.client, "share of forks in which $words", Bound(low = 0.6), tried.count(right), tried.size)
    }

/** Trials that are planned and not measured have none. */
private fun AnyTrial.observations(): List<AnyRow> = if (OBSERVATIONS in df().columnNames()) table(OBSERVATIONS) else emptyList()

private const val OBSERVATIONS = "observations"
