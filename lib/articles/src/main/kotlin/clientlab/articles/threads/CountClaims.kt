package clientlab.articles.threads

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

internal const val NOTEBOOK = "01-threads"
internal const val SOURCE = "000"
internal const val EVIDENCE = "threads-2026-11e"

/** The share of slow forks that the claim allows cannot be told from none with fewer than 72. */
private const val APACHE = "threads-apache-2026-11"
internal const val FEW = 100
internal const val MANY = 500
internal const val IN_FLIGHT = "most in flight, as the server saw it"
internal val BLOCKING = listOf("retrofit", "ktor-okhttp", "fuel")
internal val ASYNC = listOf("ktor-apache", "ktor-apache5", "ktor-java", "ktor-cio")

internal class ThreadsArticle : NamedArticle(NOTEBOOK, countClaims + ruleClaims + conditionClaims)

/** What source 000 says of counts of threads and of times. */
internal val countClaims: List<Claim> = claims(NOTEBOOK, SOURCE) {
    claim("threads.blocking", "100 requests: 101 threads; 500: 501", EVIDENCE)
        .says("Retrofit, Ktor with OkHttp and Fuel hold one platform thread for each request in flight.") { trials ->
            trials.warm(BLOCKING, FEW, MANY).map { it.partAt("threads held / requests", Bound(0.98, 1.02), it.threadsPerRequest()) }
        }
    claim("threads.async", "5, 4, 1 and 1 at both", EVIDENCE)
        .says("Ktor with Apache, Apache5, Java and CIO: a few unparked threads, and no more at 500 requests than at 100.") { trials ->
            val floor = trials.differenceFloor(Burst::class, UNPARKED)
            trials.warm(ASYNC, FEW, MANY).map { it.partAt("new unparked threads", Bound(high = 10.0), it.values(UNPARKED)) } +
                ASYNC.map { client ->
                    val more = manyAndFew(trials, client, UNPARKED) { many, few -> many - few }
                    Part.median(client, "more of them at $MANY than at $FEW", Bound(high = 3.0), more, floor)
                }
        }
    claim("threads.time100", "2.20 to 2.32 s of 2 s", EVIDENCE)
        .says("With 100 requests in flight every client needs about the delay.") { trials ->
            trials.warm(BLOCKING + ASYNC, FEW).map { it.time(Bound(1.0, 1.25)) }
        }
    claim("threads.cio500", "2 s at 100 requests, 11.1 s at 500", EVIDENCE)
        .says("Ktor CIO, as the article sets it, slows down as connections grow.") { trials ->
            val slower = manyAndFew(trials, "ktor-cio@article", "durationMs") { many, few -> many / few }
            listOf(Part.median("ktor-cio@article", "time at $MANY / time at $FEW", Bound(low = 2.0), slower, trials.timeFloor()))
        }
    about("threads.route-cap", "predicted from Ktor's source", EVIDENCE)
        .says(
            "Ktor CIO's time at 500 requests comes from a limit: as the article sets it, 100 connections to a route answer in five " +
                "waves of the delay. With that limit opened, one wave is enough.",
        ) { trials ->
            val (article, opened) = trials.warm(listOf("ktor-cio@article", "ktor-cio"), MANY)
            listOf(
                article.partAt(IN_FLIGHT, exactly(100), article.values("inFlightPeak")),
                article.time(Bound(4.9, 6.0)),
                opened.partAt(IN_FLIGHT, exactly(500), opened.values("inFlightPeak")),
                opened.time(Bound(1.0, 1.6)),
            )
        }
    claim("threads.apache", "4.7 s on average, 3 to 10 s", APACHE)
        .says("Ktor with Apache is sometimes far slower than the rest.") { trials ->
            trials.warm(listOf("ktor-apache"), MANY).map { group ->
                // A share has an exact interval, because a bootstrap of ten zeros has one of no width.
                val times = group.timesInDelays()
                val slow = times.count { it > 1.5 }
                Part.share("ktor-apache at $MANY", "share of forks beyond 1.5 delays", Bound(low = 0.05), slow, times.size)
            }
        }
    claim("threads.rest", "2.43 to 2.62 s", EVIDENCE)
        .says("Between the other clients, time at 500 requests does not differ in a way that matters.") { trials ->
            val groups = trials.warm(listOf("retrofit", "ktor-okhttp", "fuel", "ktor-apache5", "ktor-java"), MANY)
            val all = Bootstrap.median(groups.flatMap { it.timesInDelays() }).value
            groups.map { group ->
                val times = group.timesInDelays().map { it / all }
                group.partAt("time / median of these clients", Bound(0.9, 1.1), times).copy(floor = trials.timeFloor())
            }
        }
}

internal const val UNPARKED = "activeUnparkedNew"

internal fun TreatmentTrials.partAt(words: String, bound: Bound, values: List<Double>): Part =
    Part.median("$client at $inFlight", words, bound, values)

internal fun TreatmentTrials.time(bound: Bound): Part = partAt("time / delay", bound, timesInDelays())

internal fun TreatmentTrials.threadsPerRequest(): List<Double> = values("threadsBlocked").map { it / inFlight }

private fun Trials<*>.timeFloor() = ratioFloor(Burst::class, "durationMs")

/** Each of [clients] at each of [levels], measured or not. A claim about a level that was not measured is inconclusive. */
internal fun Trials<*>.warm(clients: List<String>, vararg levels: Int): List<TreatmentTrials> {
    val warm = byTreatment().filter { it.start == "warm" }
    return clients.flatMap { client ->
        levels.map { level ->
            warm.firstOrNull { it.client == client && it.inFlight == level }
                ?: TreatmentTrials(Treatment(Factor.CLIENT to client, Factor.IN_FLIGHT to level), emptyList())
        }
    }
}

private fun manyAndFew(trials: Trials<*>, client: String, metric: String, combine: (Double, Double) -> Double): List<Double> {
    val (many, few) = trials.warm(listOf(client), MANY, FEW)
    return perRound(many.counted, few.counted, metric, combine = combine)
}
