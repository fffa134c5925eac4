package clientlab.articles.threads

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.rows

private const val SOURCE = "000"

private val EVIDENCE = listOf("threads-2026-11")

private val COLD = listOf("threads-cold-2026-11")

private val LIMITS = listOf("threads-limits-2026-11")

/** What source 000 says of its rule for counting, and what reading it finds. */
internal val ruleClaims: List<Claim> =
    listOf(
        Claim(
            id = "threads.parkrule",
            source = SOURCE,
            words = "Without the filter for parked threads the picture blurs, and the difference stays.",
            figure = "ActiveNew 76 to 110 against 506 to 552",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
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
            id = "threads.leak",
            source = SOURCE,
            words = "After close Ktor Java leaves a selector thread; the others leave none.",
            figure = "HttpClient-N-SelectorManager",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            each(trials, listOf("ktor-java"), listOf(MANY)) { part(it, "threads left", Bound(low = 1.0), it.values("threadsLeft")) } +
                each(
                    trials,
                    BLOCKING + ASYNC - "ktor-java",
                    listOf(MANY),
                ) { part(it, "threads left", Bound(0.0, 0.0), it.values("threadsLeft")) }
        },
        Claim(
            id = "threads.loom",
            source = SOURCE,
            words = "On virtual threads Retrofit is no problem any more.",
            figure = "stated, not measured",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            each(trials, listOf("retrofit-virtual"), listOf(MANY)) {
                listOf(
                    part(it, "platform threads held", Bound(high = 10.0), it.values("threadsBlocked")),
                    part(it, "time / delay", Bound(1.0, 1.6), it.timesInDelays()),
                )
            }.flatten()
        },
        Claim(
            id = "threads.plus-one",
            source = SOURCE,
            words =
                "The article's \"plus one\" is a housekeeping thread of OkHttp, which a warm-up puts among the threads that were there before.",
            figure = "101 and 501",
            evidence = COLD,
            notebook = NOTEBOOK,
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
            id = "threads.parked-blocked",
            source = SOURCE,
            words =
                "The park rule misses threads that block by parking: HttpClient.send on platform threads counts as none, and holds one each.",
            figure = "found by reading",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            each(trials, listOf("jdk-blocking"), listOf(MANY)) {
                listOf(
                    part(it, "new unparked threads (the article's rule)", Bound(high = 10.0), it.values("activeUnparkedNew")),
                    part(it, "threads held / requests", Bound(0.98, 1.02), it.values("threadsBlocked").map { held -> held / it.inFlight }),
                )
            }.flatten()
        },
        Claim(
            id = "threads.fuel",
            source = SOURCE,
            words = "Fuel 2.3.1, another client than the article's, holds 64 requests in flight as it comes: the size of Dispatchers.IO.",
            figure = "found by reading",
            evidence = LIMITS,
            notebook = NOTEBOOK,
        ) { trials ->
            each(trials, listOf("fuel@default"), listOf(FEW)) {
                part(it, "most in flight, as the server saw it", Bound(64.0, 64.0), it.values("inFlightPeak"))
            }
        },
    )

/** New threads of [owner] that are not parked idle, one value per fork. */
private fun TreatmentTrials.busy(owner: String): List<Double> =
    counted.map { trial ->
        val threads = (trial["threads"] as AnyFrame).rows().filter { it["owner"] == owner && it["doing"] != ThreadState.ParkedIdle.label }
        threads.sumOf { it["count"] as Int }.toDouble()
    }
