package clientlab.articles.wire

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val NOTEBOOK = "17-wire"
private const val RUN = "wires-2026-11"
private const val STREAMS = "wires-http2-2026-11"
private const val QUIC = "wires-http3-2026-11"
private const val COST = "http3-cost-2026-11c"

/** The round trip of the run with a loss, in ms. */
private const val LOSSY_RTT_MS = 40

/** A handshake in a young JVM takes some ms more or less by itself, so a nearer server would not show a twentieth of a round trip. */
private const val FAR_MS = 150
private const val SCOPE = "At a round trip of 150 ms"

/** The share by which a time may differ from its round trips. */
private const val TOLERANCE = 0.05

/** The claims about round trips, beyond the sources. Their bounds were set before the run: what the standards say, and a twentieth. */
internal val wireClaims: List<Claim> = claims(NOTEBOOK) {
    claim("wire.http", "two round trips ± 5 %, by TCP", RUN)
        .says(
            "$SCOPE the first request of a session over HTTP takes two of them with each client: one for the connection and one for itself.",
        ) { it.trips(Protocol.Http1, FIRST, expected = 2) }
    claim("wire.https", "three round trips ± 5 %, by TLS 1.3", RUN)
        .says("$SCOPE the first request of a session over HTTPS takes three of them with each client: TLS 1.3 adds one.") {
            it.trips(Protocol.Https1, FIRST, expected = 3)
        }
    claim("wire.http2", "three round trips ± 5 %, by TLS 1.3 and RFC 9113", STREAMS)
        .says("$SCOPE the first request of a session over HTTP/2 takes three of them with each client: HTTP/2 itself adds none.") {
            it.trips(Protocol.Http2, FIRST, expected = 3)
        }
    claim("wire.kept", "one round trip ± 5 %", RUN)
        .says("$SCOPE the next request of a session over HTTPS takes one of them with each client, because the connection is kept.") {
            it.trips(Protocol.Https1, NEXT, expected = 1)
        }
    claim("wire.kept-http2", "one round trip ± 5 %", STREAMS)
        .says("$SCOPE the next request of a session over HTTP/2 takes one of them with each client.") {
            it.trips(Protocol.Http2, NEXT, expected = 1)
        }
    claim("wire.http3", "two round trips ± 5 %, by RFC 9001", QUIC)
        .says("$SCOPE the first request of a session over HTTP/3 takes two of them: QUIC agrees upon its keys while it connects.") {
            it.trips(Protocol.Http3, FIRST, expected = 2)
        }
    claim("wire.kept-http3", "one round trip ± 5 %", QUIC)
        .says("$SCOPE the next request of a session over HTTP/3 takes one of them.") { it.trips(Protocol.Http3, NEXT, expected = 1) }
    claim("wire.loss", "the same median, and one round trip, set before", "loss-2026-11")
        .says(
            "At a round trip of $LOSSY_RTT_MS ms a loss of 2 % leaves the median of requests over HTTP/3 as it is, and makes the " +
                "slowest of a hundred at least one round trip slower.",
        ) { trials -> trials.lossy().flatMap { it.lost(trials) } }
    claim("wire.http3-cost", "at least 1.5, set before", COST)
        .says(
            "On one processor, at 1,000 requests a second and after a minute of warm-up, a request over HTTP/3 takes Spring's WebClient " +
                "at least one and a half times the processor time of one over HTTP/2.",
        ) { trials ->
            trials.byTreatment().filter { it[Factor.PROTOCOL] == Protocol.Http3.label }.map { newer ->
                val older = trials.of(newer.client, Factor.PROTOCOL, Protocol.Http2.label).counted
                newer.part("processor time, by that of h2", Bound(low = 1.5), perRound(newer.counted, older, "requestCpuMs"))
            }
        }
}

/** The article `17-wire`. */
internal class WireArticle : NamedArticle(NOTEBOOK, wireClaims)

/** The time of the first request of a session, its connection included, and of the next one. */
internal const val FIRST: String = "durationMs"
internal const val NEXT: String = "durationAgainMs"

private fun Trials<*>.trips(protocol: Protocol, metric: String, expected: Int): List<Part> =
    wired().filter { it[Factor.PROTOCOL] == protocol.label && it.rttMs == FAR_MS }.map { far ->
        val bound = Bound(expected * (1 - TOLERANCE), expected * (1 + TOLERANCE))
        far.part("round trips", bound, far.roundTrips(near(far), metric).map { it.second })
    }

private fun Trials<*>.lossy(): List<TreatmentTrials> = wired().filter { "loss" in it[Factor.WIRE].orEmpty() }

/** What a loss does to the latency of [this], in pairs of rounds with the trials that lose nothing. */
private fun TreatmentTrials.lost(trials: Trials<*>): List<Part> {
    val without = trials.of(client, Factor.WIRE, "$LOSSY_RTT_MS ms").counted
    val later = perRound(counted, without, "latencyP99Ms") { a, b -> (a - b) / LOSSY_RTT_MS }
    return listOf(
        part("median, by that without loss", Bound(1 - TOLERANCE, 1 + TOLERANCE), perRound(counted, without, "latencyP50Ms")),
        part("p99 less that without loss, in round trips", Bound(low = 1.0), later),
    )
}

/** The treatments that have a wire, direct or not. */
internal fun Trials<*>.wired(): List<TreatmentTrials> = byTreatment().filter { it[Factor.WIRE] != null }

/** The round-trip time in ms; 0 without a relay. */
internal val TreatmentTrials.rttMs: Int get() = this[Factor.WIRE]?.removeSuffix(" ms")?.toIntOrNull() ?: 0

/** The same client and protocol as [far], with no network between them. */
internal fun Trials<*>.near(far: TreatmentTrials): TreatmentTrials =
    of(far.client) { it[Factor.PROTOCOL] == far[Factor.PROTOCOL] && it[Factor.WIRE] == Wire.direct.label }

/** How many round trips the network adds to [metric], one value per fork: the time less that of the same round in [near]. */
internal fun TreatmentTrials.roundTrips(near: TreatmentTrials, metric: String): List<Pair<AnyTrial, Double>> =
    pairs(counted, near.counted).mapNotNull { (fork, other) ->
        val far = fork.metric(metric) ?: return@mapNotNull null
        other.metric(metric)?.let { fork to (far - it) / rttMs }
    }
