package clientlab.articles.limits

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

internal const val NOTEBOOK = "02-limits"
private const val LIMITS = "limits-2026-11f"
private const val ATTEMPTS = "limits-attempts-2026-11"
private const val DISPATCHERS = "limits-dispatchers-2026-11"
private const val ENGINES = "limits-engines-2026-11e"
private const val REUSE = "limits-reuse-2026-11"
private const val CIO = "ktor-cio@default"
private const val AS_IT_COMES = "ktor-okhttp@default"
private const val REPAIRED = "ktor-okhttp@requests"

internal class LimitsArticle : NamedArticle(NOTEBOOK, limitsClaims + conditionClaims)

/** What source 004 (*Investigation Journal: Coroutines with IO*, 2025) says of engines, dispatchers and limits. */
internal val limitsClaims: List<Claim> = claims(NOTEBOOK, "004") {
    claim("limits.default", "20 batches, 20+ s (60 s also seen)", LIMITS)
        .says(
            "By default OkHttp runs 5 requests at a time against one host, so 100 of 1 s take 20 s, and the last wait in its queue.",
        ) { trials ->
            val group = trials.of(AS_IT_COMES)
            listOf(
                group.part("most in flight, as the server saw it", exactly(5), "inFlightPeak"),
                group.part("batches of arrivals", exactly(20), "batches"),
                group.part("time / delay", Bound(20.0, 22.0), group.timesInDelays()),
                group.part("longest wait in the client's queue / delay", Bound(low = 18.0), group.timesInDelays("queuedMaxMs")),
            )
        }
    claim("limits.pool", "same time", ATTEMPTS)
        .says("A larger connection pool does not let OkHttp run more than 5 requests at a time, and saves no time.") { trials ->
            val pool = trials.of("okhttp@pool")
            val times = listOf(pool, trials.of("okhttp@default")).map { it.values("durationMs") }
            listOf(
                Part.ratio("okhttp@pool", "time / time of okhttp@default", Bound(0.97, 1.03), times[0], times[1], trials.timeFloor()),
                pool.part("most in flight, as the server saw it", exactly(5), "inFlightPeak"),
            )
        }
    claim("limits.fix", "1.2 s of 1 s", LIMITS)
        .says("With maxRequests and maxRequestsPerHost at 100 the time falls to about the delay.") { trials ->
            val group = trials.of(REPAIRED)
            listOf(
                group.part("time / delay", Bound(1.0, 1.3), group.timesInDelays()),
                group.part("batches of arrivals", exactly(1), "batches"),
            )
        }
    claim("limits.cio", "5 s at first, 1.7 s at the end", LIMITS)
        .says("CIO needs no configuration for 100 requests at once, which is just its limit to a route.") { trials ->
            val group = trials.of(CIO)
            listOf(
                group.part("most in flight, as the server saw it", exactly(100), "inFlightPeak"),
                group.part("time / delay", Bound(1.0, 1.7), group.timesInDelays()),
            )
        }
    claim("limits.dispatcher", "stated of one thread and Dispatchers.IO", DISPATCHERS)
        .says("The coroutine dispatcher hardly matters for either engine.") { trials ->
            listOf(CIO, REPAIRED).flatMap { client ->
                val io = trials.of(client, Factor.DISPATCHER, "io")
                listOf("one-thread", "cached-pool", "default").map { level ->
                    val ratios = perRound(trials.of(client, Factor.DISPATCHER, level).counted, io.counted, "durationMs")
                    Part.median("$client, $level", "time / time on Dispatchers.IO", Bound(0.9, 1.1), ratios, trials.timeFloor())
                }
            }
        }
    claim("limits.http2", "1.2 against 1.7 s, cause open", ENGINES)
        .says("OkHttp, repaired, is faster than CIO, here of Ktor 3.5.2, perhaps because it speaks HTTP/2.") { trials ->
            val (cio, okHttp) = listOf(CIO, REPAIRED).map { trials.of(it, Factor.PAYLOAD, "json") }
            val times = listOf(cio, okHttp).map { it.values("durationMs") }
            listOf(
                Part.ratio("$CIO and $REPAIRED", "time of CIO / time of OkHttp", Bound(low = 1.1), times[0], times[1], trials.timeFloor()),
                okHttp.part("share of its requests in HTTP/2", Bound(low = 0.5), okHttp.shareOfHttp1().map { 1 - it }),
            )
        }
    claim("limits.json", "open; the difference is 0.5 s", ENGINES)
        .says("Decoding JSON may explain part of the difference between the engines.") { trials ->
            val (cio, okHttp) = listOf(CIO, REPAIRED).map { client ->
                val (json, text) = listOf("json", "text").map { trials.of(client, Factor.PAYLOAD, it).byRound("durationMs") }
                json.filterKeys { it in text }.mapValues { (round, ms) -> ms - text.getValue(round) }
            }
            val more = cio.keys.intersect(okHttp.keys).map { cio.getValue(it) - okHttp.getValue(it) }
            val floor = trials.differenceFloor(Burst::class, "durationMs")
            listOf(
                Part.median("$CIO against $REPAIRED, cold", "what JSON adds to CIO beyond OkHttp, in ms", Bound(low = 50.0), more, floor),
            )
        }
    claim("limits.reuse", "open", REUSE)
        .says("The engines differ in how they use connections again.") { trials ->
            val (cio, okHttp) = listOf(CIO, REPAIRED).map { trials.of(it) }
            val more = perRound(cio.counted, okHttp.counted, "connectionsOpenedAgain") { a, b -> (a - b) / cio.inFlight.coerceAtLeast(1) }
            val words = "share of a second burst that needs new connections"
            listOf(Part.median("$CIO less $REPAIRED", words, Bound(low = 0.5), more))
        }
    about("limits.cleartext", "HTTP/2 suspected", ENGINES)
        .says("In our set-up HTTP/2 is no cause: over cleartext OkHttp speaks HTTP/1.1 unless it is told otherwise.") { trials ->
            listOf("text", "json").map { payload ->
                val group = trials.of(REPAIRED, Factor.PAYLOAD, payload)
                group.part("share of its requests in HTTP/1.1, $payload", exactly(1), group.shareOfHttp1())
            }
        }
}

private fun Trials<*>.timeFloor() = ratioFloor(Burst::class, "durationMs")

private fun TreatmentTrials.shareOfHttp1(): List<Double> = ratios("requestsHttp1", "requests")
