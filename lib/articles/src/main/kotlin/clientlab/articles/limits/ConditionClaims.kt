package clientlab.articles.limits

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val RUN = "limits-source-2026-11"
private const val CONDITIONS = "In Ktor 3.3.3, over HTTP/1.1 with and without TLS,"
private const val OPENED = "ktor-okhttp@requests:3.3.3"
private const val CIO = "ktor-cio@default:3.3.3"
private val PROTOCOLS = listOf(Protocol.Http1, Protocol.Https1)

/** What source 004 says, in the release of Ktor that it used, and over TLS, which its server may have asked for. */
internal val conditionClaims: List<Claim> = claims(NOTEBOOK, "004") {
    claim("limits.source-default", "20 batches, 20+ s", RUN)
        .says("$CONDITIONS OkHttp by default runs 5 requests at a time, so 100 of 1 s take 20 s.") { trials ->
            trials.overEach("ktor-okhttp@default:3.3.3").flatMap {
                listOf(
                    it.over("most in flight, as the server saw it", exactly(5), it.values("inFlightPeak")),
                    it.over("time / delay", Bound(20.0, 22.0), it.timesInDelays()),
                )
            }
        }
    claim("limits.source-fix", "1.2 s of 1 s", RUN)
        .says("$CONDITIONS OkHttp with maxRequests and maxRequestsPerHost at 100 has all 100 in flight at once.") { trials ->
            trials.overEach(OPENED).flatMap {
                listOf(
                    it.over("most in flight, as the server saw it", exactly(100), it.values("inFlightPeak")),
                    it.over("time / delay", Bound(1.0, 2.0), it.timesInDelays()),
                )
            }
        }
    claim("limits.source-tls", "1.2 against 1.7 s", RUN)
        .says("In Ktor 3.3.3 over TLS OkHttp with its limits opened is faster than CIO without HTTP/2, too.") { trials ->
            listOf(trials.cioByOkHttp(Protocol.Https1, Bound(low = 1.1)))
        }
    about("limits.source-cleartext", "1.2 against 1.7 s", RUN)
        .says("In Ktor 3.3.3 over cleartext CIO and OkHttp with its limits opened take the same time, within a tenth.") { trials ->
            listOf(trials.cioByOkHttp(Protocol.Http1, Bound(0.9, 1.1)))
        }
}

private fun Trials<*>.cioByOkHttp(protocol: Protocol, bound: Bound): Part {
    val (cio, okHttp) = listOf(CIO, OPENED).map { of(it, Factor.PROTOCOL, protocol.label).values("durationMs") }
    val floor = ratioFloor(Burst::class, "durationMs")
    return Part.ratio("over ${protocol.label}", "time of CIO / time of OkHttp", bound, cio, okHttp, floor)
}

private fun Trials<*>.overEach(client: String): List<TreatmentTrials> = PROTOCOLS.map { of(client, Factor.PROTOCOL, it.label) }

private val TreatmentTrials.name get() = "$client over ${this[Factor.PROTOCOL]}"

private fun TreatmentTrials.over(words: String, bound: Bound, values: List<Double>): Part = Part.median(name, words, bound, values)
