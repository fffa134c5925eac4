package clientlab.articles.http2

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val NOTEBOOK = "13-http2"
private const val RUN = "handshakes-2026-11"
private const val SCOPE = "In this set-up (JDK 25, Ktor 3.6.1, two cores, 16 requests in flight, answered at once, steady forks)"
private const val CPU = "requestCpuMs"
private const val CIO = "ktor-cio:3.6.1"
private const val PIPELINING = "ktor-cio@pipelining:3.6.1"
private val KEPT = listOf("okhttp", "jdk")

/** The claims about connections and handshakes of many fast requests. Their bounds were set before the run. */
internal val handshakeClaims: List<Claim> = claims(NOTEBOOK) {
    claim("http2.handshake", "at least 0.5 ms, set before", RUN)
        .says(
            "$SCOPE TLS adds at least half a millisecond of processor time to each request of Ktor CIO, which connects for every one.",
        ) { trials ->
            val (plain, secure) = trials.both(CIO)
            val added = perRound(secure.counted, plain.counted, CPU) { a, b -> a - b }
            listOf(
                secure.part("connections per request", Bound(low = 0.95), "connectionsPerRequest"),
                secure.part("processor time per request, HTTPS less HTTP, in ms", Bound(low = 0.5), added),
            )
        }
    claim("http2.kept", "at most 1.5, set before", RUN)
        .says("$SCOPE where connections are kept, TLS makes a request cost at most half as much processor time again.") { trials ->
            KEPT.map { client ->
                val (plain, secure) = trials.both(client)
                secure.part("processor time per request, HTTPS / HTTP", Bound(high = 1.5), perRound(secure.counted, plain.counted, CPU))
            }
        }
    claim("http2.pipelining", "at most 0.7, set before", RUN)
        .says(
            "$SCOPE with pipelining Ktor CIO keeps its connections, and a request costs at most seven tenths of the processor time.",
        ) { trials ->
            val (usual, piped) = listOf(CIO, PIPELINING).map { trials.of(it, Factor.PROTOCOL, Protocol.Http1.label) }
            listOf(
                piped.part("connections per request", Bound(high = 0.05), "connectionsPerRequest"),
                piped.part("processor time per request, by that without", Bound(high = 0.7), perRound(piped.counted, usual.counted, CPU)),
            )
        }
}

private fun Trials<*>.both(client: String): List<TreatmentTrials> =
    listOf(Protocol.Http1, Protocol.Https1).map { of(client, Factor.PROTOCOL, it.label) }
