package clientlab.articles.http2

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val NOTEBOOK = "13-http2"
private const val EVIDENCE = "http2-2026-11"
private const val STREAMS = "http2-streams-2026-11"

internal class Http2Article : NamedArticle(NOTEBOOK, protocolClaims + handshakeClaims)

/** The claims about the cost of protocols, beyond the sources. */
internal val protocolClaims: List<Claim> = claims(NOTEBOOK) {
    claim("http2.connections", "a connection or a few, by RFC 9113", EVIDENCE)
        .says("In HTTP/2 at most ten connections carry fifty requests in flight, where HTTP/1.1 needs fifty.") { trials ->
            trials.inProtocols("h2c", "h2").map {
                Part.median("${it.client}, ${it[Factor.PROTOCOL]}", CARRYING, Bound(high = 10.0), it.connectionsUsed())
            }
        }
    claim("http2.threads", "one a request, by its design", EVIDENCE)
        .says(
            "Over HTTP/2 OkHttp still holds a thread for each request, and one more for each connection: it shares connections, " +
                "and not threads.",
        ) { trials ->
            trials.inProtocols("h2c", "h2").filter { it.client == "okhttp" }.map { group ->
                val held = group.values("threadsBlocked").map { it / group.inFlight }
                Part.median("okhttp, ${group[Factor.PROTOCOL]}", "threads held, by requests in flight", Bound(0.95, 1.5), held)
            }
        }
    claim("http2.tls", "twice, set before", EVIDENCE)
        .says("TLS on fifty connections more than doubles the processor time of a burst in HTTP/1.1.") { trials ->
            trials.ratios("https/1.1", "http/1.1", "processor time, with TLS / without", Bound(low = 2.0))
        }
    claim("http2.cheaper", "less, by counting handshakes", EVIDENCE)
        .says("Over TLS, HTTP/2 takes less processor time for the burst than HTTP/1.1: one handshake where there are fifty.") { trials ->
            trials.ratios("h2", "https/1.1", "processor time, HTTP/2 / HTTP/1.1", Bound(high = 1.0))
        }
    claim("http2.streams", "two connections, by their documentation", STREAMS)
        .says(
            "Where a server allows a hundred streams on a connection, OkHttp, alone and below Ktor, and Jetty use a second one for two " +
                "hundred requests, and have them all in flight.",
        ) { trials ->
            listOf("okhttp", "ktor-okhttp", "jetty").map { trials.of(it, Factor.PROTOCOL, "h2") }.flatMap {
                listOf(
                    it.part(CARRYING, Bound(2.0, 3.0), it.connectionsUsed()),
                    it.part("most in flight", Bound(low = 200.0), "inFlightPeak"),
                )
            }
        }
}

private const val CARRYING = "connections that carried requests"

/** How many connections carried the requests of a burst; others were opened, and carried none. */
private fun TreatmentTrials.connectionsUsed(): List<Double> = values("connectionsPerRequest").map { it * inFlight }

private fun Trials<*>.inProtocols(vararg protocols: String): List<TreatmentTrials> =
    byTreatment().filter { it[Factor.PROTOCOL] in protocols }

private fun Trials<*>.ratios(protocol: String, other: String, words: String, bound: Bound): List<Part> =
    inProtocols(protocol).map { group ->
        val others = of(group.client, Factor.PROTOCOL, other)
        group.part(words, bound, perRound(group.counted, others.counted, "cpuSeconds"))
    }
