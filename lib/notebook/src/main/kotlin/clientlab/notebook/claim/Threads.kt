package clientlab.notebook.claim

import clientlab.Factor
import clientlab.ThreadState
import clientlab.Treatment
import clientlab.burst.Burst
import clientlab.notebook.frame.NoiseFloors
import clientlab.notebook.frame.TreatmentTrials
import clientlab.notebook.frame.Trials
import clientlab.notebook.frame.byTreatment
import clientlab.notebook.frame.metric
import clientlab.notebook.frame.round
import clientlab.notebook.stats.Bootstrap
import clientlab.notebook.stats.Estimate
import clientlab.notebook.stats.Share
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.rows

private const val SOURCE = "000"
private const val NOTEBOOK = "01-threads"
private val EVIDENCE = listOf("threads-2026-11")
private val COLD = listOf("threads-cold-2026-11")
private val LIMITS = listOf("threads-limits-2026-11")
private const val FEW = 100
private const val MANY = 500
private val BLOCKING = listOf("retrofit", "ktor-okhttp", "fuel")
private val ASYNC = listOf("ktor-apache", "ktor-apache5", "ktor-java", "ktor-cio")

/** What source 000 (M. Moskała, *How many threads your network client uses?*, 2024) says and what reading it finds, where a burst decides. */
internal val threadsClaims: List<Claim> =
    listOf(
        Claim(
            "threads.blocking",
            SOURCE,
            "Retrofit, Ktor with OkHttp and Fuel hold one platform thread for each request in flight.",
            "100 requests: 101 threads; 500: 501",
            EVIDENCE,
            NOTEBOOK,
        ) { trials ->
            each(trials, BLOCKING, listOf(FEW, MANY)) { group ->
                part(group, "threads held / requests", Bound(0.98, 1.02), group.values("threadsBlocked").map { it / group.inFlight })
            }
        },
        Claim(
            "threads.async",
            SOURCE,
            "Ktor with Apache, Apache5, Java and CIO: a few unparked threads, and no more at 500 requests than at 100.",
            "5, 4, 1 and 1 at both",
            EVIDENCE,
            NOTEBOOK,
        ) { trials ->
            each(
                trials,
                ASYNC,
                listOf(FEW, MANY),
            ) { part(it, "new unparked threads", Bound(high = 10.0), it.values("activeUnparkedNew")) } +
                ASYNC.map { client ->
                    val more = paired(trials, client, "activeUnparkedNew") { many, few -> many - few }
                    val floor = NoiseFloors.difference(Burst::class, "activeUnparkedNew")
                    Part.median(client, "more of them at $MANY than at $FEW", Bound(high = 3.0), more, floor)
                }
        },
        Claim(
            "threads.time100",
            SOURCE,
            "With 100 requests in flight every client needs about the delay.",
            "2.20 to 2.32 s of 2 s",
            EVIDENCE,
            NOTEBOOK,
        ) { trials ->
            each(trials, BLOCKING + ASYNC, listOf(FEW)) { part(it, "time / delay", Bound(1.0, 1.25), it.inDelays()) }
        },
        Claim(
            "threads.cio500",
            SOURCE,
            "Ktor CIO, as the article sets it, slows down as connections grow.",
            "2 s at 100 requests, 11.1 s at 500",
            EVIDENCE,
            NOTEBOOK,
        ) { trials ->
            val slower = paired(trials, "ktor-cio@article", "durationMs") { many, few -> many / few }
            listOf(Part.median("ktor-cio@article", "time at $MANY / time at $FEW", Bound(low = 2.0), slower, timeFloor()))
        },
        Claim(
            "threads.route-cap",
            SOURCE,
            "That is no slowness but a limit: 100 connections a route, five waves of the delay; opened, it is gone.",
            "predicted from Ktor's source",
            EVIDENCE,
            NOTEBOOK,
        ) { trials ->
            each(trials, listOf("ktor-cio@article"), listOf(MANY)) {
                listOf(
                    part(it, "most in flight, as the server saw it", Bound(100.0, 100.0), it.values("inFlightPeak")),
                    part(it, "time / delay", Bound(4.9, 6.0), it.inDelays()),
                )
            }.flatten() +
                each(trials, listOf("ktor-cio"), listOf(MANY)) {
                    listOf(
                        part(it, "most in flight, as the server saw it", Bound(500.0, 500.0), it.values("inFlightPeak")),
                        part(it, "time / delay", Bound(1.0, 1.6), it.inDelays()),
                    )
                }.flatten()
        },
        Claim(
            "threads.apache",
            SOURCE,
            "Ktor with Apache is sometimes far slower than the rest.",
            "4.7 s on average, 3 to 10 s",
            EVIDENCE,
            NOTEBOOK,
        ) { trials ->
            each(trials, listOf("ktor-apache"), listOf(MANY)) { group ->
                val slow = group.inDelays().map { if (it > 1.5) 1.0 else 0.0 }
                part(group, "share of forks beyond 1.5 delays", Bound(low = 0.05), slow, share = true)
            }
        },
        Claim(
            "threads.rest",
            SOURCE,
            "Between the other clients, time at 500 requests does not differ in a way that matters.",
            "2.43 to 2.62 s",
            EVIDENCE,
            NOTEBOOK,
        ) { trials ->
            val others = listOf("retrofit", "ktor-okhttp", "fuel", "ktor-apache5", "ktor-java")
            val groups = each(trials, others, listOf(MANY)) { it }
            val all = Bootstrap.median(groups.flatMap { it.inDelays() }).value
            groups.map {
                part(it, "time / median of these clients", Bound(0.9, 1.1), it.inDelays().map { time -> time / all })
                    .copy(floor = timeFloor())
            }
        },
        Claim(
            "threads.parkrule",
            SOURCE,
            "Without the filter for parked threads the picture blurs, and the difference stays.",
            "ActiveNew 76 to 110 against 506 to 552",
            EVIDENCE,
            NOTEBOOK,
        ) { trials ->
            val retrofit = each(trials, listOf("retrofit"), listOf(MANY)) { it.values("activeNew") }.flatten()
            each(trials, ASYNC, listOf(MANY)) {
                Part(
                    it.client,
                    "ActiveNew of retrofit / its own",
                    Bound(low = 2.0),
                    Bootstrap.ratio(retrofit, it.values("activeNew")),
                    NoiseFloors.ratio(Burst::class, "activeNew"),
                )
            }
        },
        Claim(
            "threads.leak",
            SOURCE,
            "After close Ktor Java leaves a selector thread; the others leave none.",
            "HttpClient-N-SelectorManager",
            EVIDENCE,
            NOTEBOOK,
        ) { trials ->
            each(trials, listOf("ktor-java"), listOf(MANY)) { part(it, "threads left", Bound(low = 1.0), it.values("threadsLeft")) } +
                each(
                    trials,
                    BLOCKING + ASYNC - "ktor-java",
                    listOf(MANY),
                ) { part(it, "threads left", Bound(0.0, 0.0), it.values("threadsLeft")) }
        },
        Claim(
            "threads.loom",
            SOURCE,
            "On virtual threads Retrofit is no problem any more.",
            "stated, not measured",
            EVIDENCE,
            NOTEBOOK,
        ) { trials ->
            each(trials, listOf("retrofit-virtual"), listOf(MANY)) {
                listOf(
                    part(it, "platform threads held", Bound(high = 10.0), it.values("threadsBlocked")),
                    part(it, "time / delay", Bound(1.0, 1.6), it.inDelays()),
                )
            }.flatten()
        },
        Claim(
            "threads.plus-one",
            SOURCE,
            "The article's \"plus one\" is a housekeeping thread of OkHttp, which a warm-up puts among the threads that were there before.",
            "101 and 501",
            COLD,
            NOTEBOOK,
        ) { trials ->
            listOf("cold" to 1.0, "warm" to 0.0).flatMap { (start, one) ->
                trials.byTreatment().filter { it.client == "retrofit" && it.inFlight == FEW && it.start == start }.flatMap { group ->
                    val beyond = group.values("activeUnparkedNew").map { it - group.inFlight }
                    listOf(
                        Part.median("retrofit, $start", "counted beyond the requests", Bound(one, one), beyond),
                        Part.median(
                            "retrofit, $start",
                            "of these, OkHttp's task runner",
                            Bound(one, one),
                            group.busy("OkHttp task runner"),
                        ),
                    )
                }
            }
        },
        Claim(
            "threads.parked-blocked",
            SOURCE,
            "The park rule misses threads that block by parking: HttpClient.send on platform threads counts as none, and holds one each.",
            "found by reading",
            EVIDENCE,
            NOTEBOOK,
        ) { trials ->
            each(trials, listOf("jdk-blocking"), listOf(MANY)) {
                listOf(
                    part(it, "new unparked threads (the article's rule)", Bound(high = 10.0), it.values("activeUnparkedNew")),
                    part(it, "threads held / requests", Bound(0.98, 1.02), it.values("threadsBlocked").map { held -> held / it.inFlight }),
                )
            }.flatten()
        },
        Claim(
            "threads.fuel",
            SOURCE,
            "Fuel 2.3.1, another client than the article's, holds 64 requests in flight as it comes: the size of Dispatchers.IO.",
            "found by reading",
            LIMITS,
            NOTEBOOK,
        ) { trials ->
            each(trials, listOf("fuel@default"), listOf(FEW)) {
                part(it, "most in flight, as the server saw it", Bound(64.0, 64.0), it.values("inFlightPeak"))
            }
        },
    )

private fun part(group: TreatmentTrials, metric: String, bound: Bound, values: List<Double>, share: Boolean = false): Part {
    val of = "${group.client} at ${group.inFlight}"
    return if (share) Part(of, metric, bound, shareOf(values)) else Part.median(of, metric, bound, values)
}

private fun timeFloor() = NoiseFloors.ratio(Burst::class, "durationMs")

/** A share with its exact interval, for a bootstrap of ten zeros would be certain of a zero. */
private fun shareOf(values: List<Double>): Estimate = Share.of(values.count { it > 0 }, values.size)

/** For each of [clients] at each of [levels], measured or not: what was not measured leaves a claim about it inconclusive. */
private fun <T> each(
    trials: Trials,
    clients: List<String>,
    levels: List<Int>,
    make: (TreatmentTrials) -> T,
): List<T> {
    val warm = trials.byTreatment().filter { it.start == "warm" }
    return clients.flatMap { client ->
        levels.map { level ->
            make(
                warm.firstOrNull { it.client == client && it.inFlight == level }
                    ?: TreatmentTrials(Treatment(Factor.CLIENT to client, Factor.IN_FLIGHT to level), emptyList()),
            )
        }
    }
}

/** A value a round: of [metric] at the many and at the few requests of the same round. */
private fun paired(trials: Trials, client: String, metric: String, combine: (Double, Double) -> Double): List<Double> {
    val groups = each(trials, listOf(client), listOf(FEW, MANY)) { it }
    val few = groups
        .firstOrNull { it.inFlight == FEW }
        ?.counted
        .orEmpty()
        .associateBy { it.round }
    val many = groups.firstOrNull { it.inFlight == MANY }?.counted.orEmpty()
    return many.mapNotNull { row ->
        val other = few[row.round]?.metric(metric) ?: return@mapNotNull null
        row.metric(metric)?.let { combine(it, other) }
    }
}

/** New threads of [owner] that are not parked idle, a value a fork. */
private fun TreatmentTrials.busy(owner: String): List<Double> =
    counted.map { trial ->
        val threads = (trial["threads"] as AnyFrame).rows().filter { it["owner"] == owner && it["doing"] != ThreadState.ParkedIdle.label }
        threads.sumOf { it["count"] as Int }.toDouble()
    }

private fun TreatmentTrials.inDelays(): List<Double> =
    counted.mapNotNull { row ->
        val duration = row.metric("durationMs")
        val delay = row.metric("delayMs")
        if (duration == null || delay == null || delay == 0.0) null else duration / delay
    }
