package clientlab.articles.limits

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val SOURCE = "004"
private val LIMITS = listOf("limits-2026-11")
private val ATTEMPTS = listOf("limits-attempts-2026-11")
private val DISPATCHERS = listOf("limits-dispatchers-2026-11")
private val ENGINES = listOf("limits-engines-2026-11")
private val REUSE = listOf("limits-reuse-2026-11")
private const val CIO = "ktor-cio@default"
private const val AS_IT_COMES = "ktor-okhttp@default"
private const val REPAIRED = "ktor-okhttp@requests"

/** What source 004 (*Investigation Journal: Coroutines with IO*, 2025) says of engines, dispatchers and limits. */
internal val limitsClaims: List<Claim> =
    listOf(
        Claim(
            id = "limits.default",
            source = SOURCE,
            words =
                "OkHttp as it comes runs 5 requests at a time against one host, so 100 of 1 s take 20 s, and the last wait in its queue.",
            figure = "20 batches, 20+ s (60 s also seen)",
            evidence = LIMITS,
            notebook = NOTEBOOK,
        ) { trials ->
            val group = trials.of(AS_IT_COMES)
            listOf(
                group.part("most in flight, as the server saw it", Bound(5.0, 5.0), group.values("inFlightPeak")),
                group.part("batches of arrivals", Bound(20.0, 20.0), group.values("batches")),
                group.part("time / delay", Bound(20.0, 22.0), group.inDelays()),
                group.part("longest wait in the client's queue / delay", Bound(low = 18.0), group.inDelays("queuedMaxMs")),
            )
        },
        Claim(
            id = "limits.pool",
            source = SOURCE,
            words = "A larger connection pool changes nothing about that.",
            figure = "same time",
            evidence = ATTEMPTS,
            notebook = NOTEBOOK,
        ) { trials ->
            val pool = trials.of("okhttp@pool")
            val ratio = Bootstrap.ratio(pool.values("durationMs"), trials.of("okhttp@default").values("durationMs"))
            listOf(
                Part("okhttp@pool", "time / time of okhttp@default", Bound(0.97, 1.03), ratio, timeFloor()),
                pool.part("most in flight, as the server saw it", Bound(5.0, 5.0), pool.values("inFlightPeak")),
            )
        },
        Claim(
            id = "limits.fix",
            source = SOURCE,
            words = "With maxRequests and maxRequestsPerHost at 100 the time falls to about the delay.",
            figure = "1.2 s of 1 s",
            evidence = LIMITS,
            notebook = NOTEBOOK,
        ) { trials ->
            val group = trials.of(REPAIRED)
            listOf(
                group.part("time / delay", Bound(1.0, 1.3), group.inDelays()),
                group.part("batches of arrivals", Bound(1.0, 1.0), group.values("batches")),
            )
        },
        Claim(
            id = "limits.cio",
            source = SOURCE,
            words = "CIO needs no configuration for 100 requests at once.",
            figure = "5 s at first, 1.7 s at the end",
            evidence = LIMITS,
            notebook = NOTEBOOK,
        ) { trials ->
            val group = trials.of(CIO)
            listOf(
                group.part("most in flight, as the server saw it", Bound(100.0, 100.0), group.values("inFlightPeak")),
                group.part("time / delay", Bound(1.0, 1.7), group.inDelays()),
            )
        },
        Claim(
            id = "limits.dispatcher",
            source = SOURCE,
            words = "The coroutine dispatcher hardly matters for either engine.",
            figure = "stated of one thread and Dispatchers.IO",
            evidence = DISPATCHERS,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(CIO, REPAIRED).flatMap { client ->
                val io = trials.of(client, Factor.DISPATCHER to "io")
                listOf("one-thread", "cached-pool", "default").map { level ->
                    val ratios = paired(trials.of(client, Factor.DISPATCHER to level), io, "durationMs") { a, b -> a / b }
                    Part.median("$client, $level", "time / time on Dispatchers.IO", Bound(0.9, 1.1), ratios, timeFloor())
                }
            }
        },
        Claim(
            id = "limits.http2",
            source = SOURCE,
            words = "OkHttp, repaired, is faster than CIO, perhaps because it speaks HTTP/2.",
            figure = "1.2 against 1.7 s, cause open",
            evidence = ENGINES,
            notebook = NOTEBOOK,
        ) { trials ->
            val okHttp = trials.of(REPAIRED, Factor.PAYLOAD to "json")
            val cio = trials.of(CIO, Factor.PAYLOAD to "json")
            listOf(
                Part(
                    "$CIO and $REPAIRED",
                    "time of CIO / time of OkHttp",
                    Bound(low = 1.1),
                    Bootstrap.ratio(cio.values("durationMs"), okHttp.values("durationMs")),
                    timeFloor(),
                ),
                okHttp.part("share of its requests in HTTP/2", Bound(low = 0.5), okHttp.shareOfHttp1().map { 1 - it }),
            )
        },
        Claim(
            id = "limits.json",
            source = SOURCE,
            words = "Decoding JSON may explain part of the difference between the engines.",
            figure = "open; the difference is 0.5 s",
            evidence = ENGINES,
            notebook = NOTEBOOK,
        ) { trials ->
            val extra = listOf(CIO, REPAIRED).map { client ->
                pairedByRound(
                    trials.of(client, Factor.PAYLOAD to "json"),
                    trials.of(client, Factor.PAYLOAD to "text"),
                    "durationMs",
                ) { json, text -> json - text }
            }
            val (cio, okHttp) = extra
            val more = cio.keys.intersect(okHttp.keys).map { cio.getValue(it) - okHttp.getValue(it) }
            val floor = NoiseFloors.difference(Burst::class, "durationMs")
            listOf(
                Part.median("$CIO against $REPAIRED, cold", "what JSON adds to CIO beyond OkHttp, in ms", Bound(low = 50.0), more, floor),
            )
        },
        Claim(
            id = "limits.reuse",
            source = SOURCE,
            words = "The engines differ in how they use connections again.",
            figure = "open",
            evidence = REUSE,
            notebook = NOTEBOOK,
        ) { trials ->
            val opened = { client: String -> trials.of(client) }
            val more = paired(opened(CIO), opened(REPAIRED), "connectionsOpenedAgain") { cio, okHttp -> cio - okHttp }
            val requests = opened(CIO).inFlight.coerceAtLeast(1)
            listOf(
                Part.median(
                    "$CIO less $REPAIRED",
                    "share of a second burst that needs new connections",
                    Bound(low = 0.5),
                    more.map { it / requests },
                ),
            )
        },
        Claim(
            id = "limits.cleartext",
            source = SOURCE,
            words = "HTTP/2 is no cause: over cleartext OkHttp speaks HTTP/1.1 unless it is told otherwise.",
            figure = "HTTP/2 suspected",
            evidence = ENGINES,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf("text", "json").map { payload ->
                val group = trials.of(REPAIRED, Factor.PAYLOAD to payload)
                group.part("share of its requests in HTTP/1.1, $payload", Bound(1.0, 1.0), group.shareOfHttp1())
            }
        },
    )

private fun timeFloor() = NoiseFloors.ratio(Burst::class, "durationMs")

/** The trials of [client] with [level]; empty if there are none, and then the claim is inconclusive. */
private fun Trials<*>.of(client: String, level: Pair<String, String>? = null): TreatmentTrials =
    byTreatment().firstOrNull { it.client == client && (level == null || it[level.first] == level.second) }
        ?: TreatmentTrials(Treatment(Factor.CLIENT to client), emptyList())

private fun TreatmentTrials.part(metric: String, bound: Bound, values: List<Double>): Part = Part.median(client, metric, bound, values)

private fun TreatmentTrials.inDelays(metric: String = "durationMs"): List<Double> =
    counted.mapNotNull { row -> row.metric(metric)?.let { time -> row.metric("delayMs")?.let { time / it } } }

private fun TreatmentTrials.shareOfHttp1(): List<Double> =
    counted.mapNotNull { row -> row.metric("requestsHttp1")?.let { it / (row.metric("requests") ?: return@mapNotNull null) } }

/** One value per round that both have, from [metric] of [a] and of [b] in that round. */
private fun paired(a: TreatmentTrials, b: TreatmentTrials, metric: String, combine: (Double, Double) -> Double): List<Double> =
    pairedByRound(a, b, metric, combine).values.toList()

private fun pairedByRound(
    a: TreatmentTrials,
    b: TreatmentTrials,
    metric: String,
    combine: (Double, Double) -> Double,
): Map<Int, Double> {
    val others = b.counted.associateBy { it.round }
    return a.counted
        .mapNotNull { row ->
            val mine = row.metric(metric) ?: return@mapNotNull null
            val other = others[row.round]?.metric(metric) ?: return@mapNotNull null
            row.round to combine(mine, other)
        }.toMap()
}
