package clientlab.articles.http2

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val SOURCE = Claim.BEYOND
private val EVIDENCE = listOf("http2-2026-11")
private val STREAMS = listOf("http2-streams-2026-11")
private val POOLING = listOf("okhttp", "ktor-okhttp", "jetty")
private const val FEW = 10.0

/** The claims about the cost of protocols, beyond the sources. */
internal val protocolClaims: List<Claim> =
    listOf(
        Claim(
            id = "http2.connections",
            source = SOURCE,
            words = "In HTTP/2 fifty requests in flight need at most ten connections, where HTTP/1.1 needs fifty.",
            figure = "a connection or a few, by RFC 9113",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            trials.inProtocols("h2c", "h2").map { group ->
                Part.median(
                    "${group.client}, ${group[Factor.PROTOCOL]}",
                    "connections",
                    Bound(high = FEW),
                    group.values("connectionsOpened"),
                )
            }
        },
        Claim(
            id = "http2.threads",
            source = SOURCE,
            words =
                "Over HTTP/2 OkHttp still holds a thread for each request, and one more for each connection: it shares connections, and not threads.",
            figure = "one a request, by its design",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            trials.inProtocols("h2c", "h2").filter { it.client == "okhttp" }.map { group ->
                Part.median(
                    "okhttp, ${group[Factor.PROTOCOL]}",
                    "threads held, by requests in flight",
                    Bound(0.95, 1.5),
                    group.values("threadsBlocked").map { it / group.inFlight },
                )
            }
        },
        Claim(
            id = "http2.tls",
            source = SOURCE,
            words = "TLS on fifty connections more than doubles the processor time of a burst in HTTP/1.1.",
            figure = "twice, set before",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials -> trials.ratios("https/1.1", "http/1.1", "processor time, with TLS / without", Bound(low = 2.0)) },
        Claim(
            id = "http2.cheaper",
            source = SOURCE,
            words = "Over TLS, HTTP/2 takes less processor time for the burst than HTTP/1.1: one handshake where there are fifty.",
            figure = "less, by counting handshakes",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials -> trials.ratios("h2", "https/1.1", "processor time, HTTP/2 / HTTP/1.1", Bound(high = 1.0)) },
        Claim(
            id = "http2.streams",
            source = SOURCE,
            words =
                "Where a server allows a hundred streams on a connection, OkHttp, alone and below Ktor, and Jetty open a second one " +
                    "for two hundred requests, and have them all in flight.",
            figure = "two connections, by their documentation",
            evidence = STREAMS,
            notebook = NOTEBOOK,
        ) { trials ->
            POOLING.flatMap { client ->
                val group = trials.inProtocols("h2").firstOrNull { it.client == client }
                listOf(
                    Part.median(client, "connections", Bound(2.0, 3.0), group?.values("connectionsOpened").orEmpty()),
                    Part.median(client, "most in flight", Bound(low = 200.0), group?.values("inFlightPeak").orEmpty()),
                )
            }
        },
    )

private fun Trials<*>.inProtocols(vararg protocols: String): List<TreatmentTrials> = byTreatment().filter {
    it[Factor.PROTOCOL] in protocols
}

private fun Trials<*>.ratios(protocol: String, other: String, words: String, bound: Bound): List<Part> =
    inProtocols(protocol).map { group ->
        val others =
            inProtocols(other)
                .firstOrNull { it.client == group.client }
                ?.counted
                .orEmpty()
                .associate { it.round to it.metric("cpuSeconds") }
        val ratios = group.counted.mapNotNull { row -> others[row.round]?.let { row.metric("cpuSeconds")?.div(it) } }
        Part.median(group.client, words, bound, ratios)
    }
