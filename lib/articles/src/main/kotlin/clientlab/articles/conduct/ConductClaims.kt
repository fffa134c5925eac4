package clientlab.articles.conduct

import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val NOTEBOOK = "16-conduct"
private const val RUN = "conduct-2026-11"
private const val MORE = "conduct-more-2026-11"
private const val CHANGES = "conduct-changes-2026-11"
private const val MOSTLY = "in at least 6 of 10 forks, set before"

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
    claim("conduct.many", MOSTLY, MORE)
        .says("Three hundred sessions of each client, opened and closed, leave no descriptors and no threads behind.") {
            it.mostly("closing.many-cycles", "nothing is left behind") { seen -> seen.fact == "leaves nothing behind" }
        }
    claim("conduct.main", MOSTLY, MORE)
        .says("When a program has closed its client, it ends with its main function.") {
            it.mostly("closing.main-closed", "the program ends at once") { seen -> seen.fact == "the program ends at once" }
        }
    claim("conduct.nested", MOSTLY, MORE)
        .says("Each client has its answers although every thread of Dispatchers.IO waits for one.") {
            it.mostly("threads.nested", "all are answered") { seen -> seen.fact == "all are answered" }
        }
    claim("conduct.memory", MOSTLY, MORE)
        .says("Each client reads an answer as a stream that is four times as large as the heap.") {
            it.mostly("memory.download", "it needs little memory") { seen -> seen.fact == "needs little memory" }
        }
    claim("conduct.told", MOSTLY, CHANGES)
        .says("If a caller asks for an answer as one array that does not fit into memory, each client lets it know.") {
            it.mostly("memory.whole", "the caller learns of it") { seen -> seen.fact != "the caller waits on" }
        }
    claim("conduct.lookup", MOSTLY, MORE)
        .says("With every time-out at 400 ms each client gives its caller back within 600 ms if the lookup of a name takes longer.") {
            it.mostly("names.slow", "the caller is free within 600 ms") { seen -> seen.failsSoon }
        }
    claim("conduct.addresses", MOSTLY, MORE)
        .says("If nobody listens at the first address of a name, each client asks the next one.") {
            it.mostly("names.refusing", "the next address is asked") { seen -> seen.fact == "tries the next address" }
        }
    claim("conduct.certificate", MOSTLY, MORE)
        .says("No client talks to a server whose certificate is for another host.") {
            it.mostly("tls.other-host", "it does not talk to it") { seen -> seen.fact != "talks to it" }
        }
    claim("conduct.credentials", MOSTLY, MORE)
        .says("No client follows a redirect to another host with the caller's credentials.") {
            it.mostly("redirects.other-host", "the credentials stay") { seen -> !seen.fact.startsWith("follows with the credentials") }
        }
    claim("conduct.unread", MOSTLY, MORE)
        .says("If a caller lets an answer go without reading it, no client holds the connection for nobody.") {
            it.mostly("connections.after-unread", "the connection is used or closed") { seen -> seen.fact in FREE_CONNECTION }
        }
    claim("conduct.one-reader", MOSTLY, MORE)
        .says("In HTTP/2 one answer that a caller reads slowly does not hold up the other requests of a client.") {
            it.mostly("http2.unread-stream", "the others are answered") { seen -> "wait for it" !in seen.fact }
        }
    claim("conduct.dead-http2", MOSTLY, MORE)
        .says("When two requests on a dead connection in HTTP/2 have timed out, no client uses it for a later one.") {
            it.mostly("http2.half-open", "a later request has another connection") { seen -> "so do the next ones" !in seen.fact }
        }
    claim("conduct.streams", MOSTLY, MORE)
        .says("If a server allows two streams at once, each client still has the answers to ten requests.") {
            it.mostly("http2.max-streams", "all are answered") { seen -> seen.fact in ALL_STREAMS }
        }
    claim("conduct.cancelled-http2", MOSTLY, MORE)
        .says("If a caller cancels a request in HTTP/2, each client tells the server.") {
            it.mostly("http2.cancelled", "the server is told") { seen -> "the server is not told" !in seen.fact }
        }
    claim("conduct.cut-http2", MOSTLY, MORE)
        .says("In HTTP/2 no client takes a body as whole that is shorter than the server has declared.") {
            it.mostly("http2.short", "the caller learns of it") { seen -> !seen.fact.startsWith("takes it") }
        }
}

/** The article `16-conduct`. */
internal class ConductArticle : NamedArticle(NOTEBOOK, conductClaims + conductVersionClaims + churnClaims)

private val FREE_CONNECTION = setOf("uses the connection again", "closes the connection")
private val ALL_STREAMS = setOf("lets the others wait", "opens more connections")
