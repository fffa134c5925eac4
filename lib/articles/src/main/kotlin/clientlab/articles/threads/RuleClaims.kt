package clientlab.articles.threads

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val COLD = "threads-cold-2026-11"
private const val LIMITS = "threads-limits-2026-11e"

/** What source 000 says of its rule for counting, and what reading it finds. */
internal val ruleClaims: List<Claim> = claims(NOTEBOOK, SOURCE) {
    claim("threads.parkrule", "ActiveNew 76 to 110 against 506 to 552", EVIDENCE)
        .says("Without the filter for parked threads the picture blurs, and the difference stays.") { trials ->
            val retrofit = trials.warm(listOf("retrofit"), MANY).single().values("activeNew")
            trials.warm(ASYNC, MANY).flatMap {
                val floor = trials.ratioFloor(Burst::class, "activeNew")
                listOf(
                    Part.ratio(it.client, "ActiveNew of retrofit / own", Bound(low = 2.0), retrofit, it.values("activeNew"), floor),
                    Part.median(it.client, "parked threads among its ActiveNew", Bound(low = 10.0), it.parkedAmongActive()),
                )
            }
        }
    claim("threads.leak", "HttpClient-N-SelectorManager", EVIDENCE)
        .says("After close Ktor Java leaves a selector thread.") { trials ->
            trials.warm(listOf("ktor-java"), MANY).map { it.partAt("threads left", Bound(low = 1.0), it.values("threadsLeft")) }
        }
    claim("threads.leak-others", "named of Ktor Java alone", EVIDENCE)
        .says("After close Ktor with Apache, Apache5 or CIO leaves no thread.") { trials ->
            trials.warm(ASYNC - "ktor-java", MANY).map { it.partAt("threads left", exactly(0), it.values("threadsLeft")) }
        }
    about("threads.leak-okhttp", "none in its log", EVIDENCE)
        .says(
            "OkHttp's housekeeping outlives a closed client, alone and below Ktor. The source's log cannot show it, because its code " +
                "ends these threads itself.",
        ) { trials ->
            trials.warm(listOf("retrofit", "ktor-okhttp"), MANY).map {
                it.partAt("threads left", Bound(low = 1.0), it.values("threadsLeft"))
            }
        }
    claim("threads.loom", "stated, not measured", EVIDENCE)
        .says("On virtual threads, here of Java 25, Retrofit is no problem any more.") { trials ->
            trials.warm(listOf("retrofit-virtual"), MANY).flatMap {
                listOf(
                    it.partAt("platform threads held", Bound(high = 10.0), it.values("threadsBlocked")),
                    it.time(Bound(1.0, 1.6)),
                )
            }
        }
    about("threads.plus-one", "101 and 501", COLD)
        .says(
            "The article's \"plus one\" is a housekeeping thread of OkHttp, which a warm-up puts among the threads that were there before.",
        ) { trials ->
            listOf("cold" to 1, "warm" to 0).flatMap { (start, one) ->
                trials.byTreatment().filter { it.client == "retrofit" && it.inFlight == FEW && it.start == start }.flatMap { group ->
                    val beyond = group.values(UNPARKED).map { it - group.inFlight }
                    val busy = group.busy("OkHttp task runner")
                    listOf("counted beyond the requests" to beyond, "of these, OkHttp's task runner" to busy).map { (words, values) ->
                        Part.median("retrofit, $start", words, exactly(one), values)
                    }
                }
            }
        }
    about("threads.parked-blocked", "found by reading", EVIDENCE)
        .says(
            "The park rule misses threads that block by parking: HttpClient.send on platform threads counts as none, and holds one each.",
        ) { trials ->
            trials.warm(listOf("jdk-blocking"), MANY).flatMap {
                listOf(
                    it.partAt("new unparked threads (the article's rule)", Bound(high = 10.0), it.values(UNPARKED)),
                    it.partAt("threads held / requests", Bound(0.98, 1.02), it.threadsPerRequest()),
                )
            }
        }
    about("threads.fuel", "found by reading", LIMITS)
        .says(
            "Fuel 2.3.1, another client than the article's, holds 64 requests in flight by default: the size of Dispatchers.IO.",
        ) { trials ->
            trials.warm(listOf("fuel@default"), FEW).map { it.partAt(IN_FLIGHT, exactly(64), it.values("inFlightPeak")) }
        }
}

/** The new threads that are parked, and that a count without the source's filter holds for active, one value per fork. */
private fun TreatmentTrials.parkedAmongActive(): List<Double> =
    counted.mapNotNull { trial -> trial.metric("activeNew")?.let { active -> trial.metric(UNPARKED)?.let { active - it } } }

/** New threads of [owner] that are not parked idle, one value per fork. */
private fun TreatmentTrials.busy(owner: String): List<Double> = counted.map { trial ->
    trial
        .table("threads")
        .filter { it["owner"] == owner && it["doing"] != ThreadState.ParkedIdle.label }
        .sumOf { it["count"] as Int }
        .toDouble()
}
