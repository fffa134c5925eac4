package clientlab.articles.threads

import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val SOURCE = "000"

private val EVIDENCE = listOf("threads-2026-11")

/** What source 000 says of counts of threads and of times. */
internal val countClaims: List<Claim> =
    listOf(
        Claim(
            id = "threads.blocking",
            source = SOURCE,
            words = "Retrofit, Ktor with OkHttp and Fuel hold one platform thread for each request in flight.",
            figure = "100 requests: 101 threads; 500: 501",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            each(trials, BLOCKING, listOf(FEW, MANY)) { group ->
                part(group, "threads held / requests", Bound(0.98, 1.02), group.values("threadsBlocked").map { it / group.inFlight })
            }
        },
        Claim(
            id = "threads.async",
            source = SOURCE,
            words = "Ktor with Apache, Apache5, Java and CIO: a few unparked threads, and no more at 500 requests than at 100.",
            figure = "5, 4, 1 and 1 at both",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
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
            id = "threads.time100",
            source = SOURCE,
            words = "With 100 requests in flight every client needs about the delay.",
            figure = "2.20 to 2.32 s of 2 s",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            each(trials, BLOCKING + ASYNC, listOf(FEW)) { part(it, "time / delay", Bound(1.0, 1.25), it.timesInDelays()) }
        },
        Claim(
            id = "threads.cio500",
            source = SOURCE,
            words = "Ktor CIO, as the article sets it, slows down as connections grow.",
            figure = "2 s at 100 requests, 11.1 s at 500",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            val slower = paired(trials, "ktor-cio@article", "durationMs") { many, few -> many / few }
            listOf(Part.median("ktor-cio@article", "time at $MANY / time at $FEW", Bound(low = 2.0), slower, timeFloor()))
        },
        Claim(
            id = "threads.route-cap",
            source = SOURCE,
            words = "That is no slowness but a limit: 100 connections a route, five waves of the delay; opened, it is gone.",
            figure = "predicted from Ktor's source",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            each(trials, listOf("ktor-cio@article"), listOf(MANY)) {
                listOf(
                    part(it, "most in flight, as the server saw it", Bound(100.0, 100.0), it.values("inFlightPeak")),
                    part(it, "time / delay", Bound(4.9, 6.0), it.timesInDelays()),
                )
            }.flatten() +
                each(trials, listOf("ktor-cio"), listOf(MANY)) {
                    listOf(
                        part(it, "most in flight, as the server saw it", Bound(500.0, 500.0), it.values("inFlightPeak")),
                        part(it, "time / delay", Bound(1.0, 1.6), it.timesInDelays()),
                    )
                }.flatten()
        },
        Claim(
            id = "threads.apache",
            source = SOURCE,
            words = "Ktor with Apache is sometimes far slower than the rest.",
            figure = "4.7 s on average, 3 to 10 s",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            each(trials, listOf("ktor-apache"), listOf(MANY)) { group ->
                val slow = group.timesInDelays().map { if (it > 1.5) 1.0 else 0.0 }
                part(group, "share of forks beyond 1.5 delays", Bound(low = 0.05), slow, share = true)
            }
        },
        Claim(
            id = "threads.rest",
            source = SOURCE,
            words = "Between the other clients, time at 500 requests does not differ in a way that matters.",
            figure = "2.43 to 2.62 s",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            val others = listOf("retrofit", "ktor-okhttp", "fuel", "ktor-apache5", "ktor-java")
            val groups = each(trials, others, listOf(MANY)) { it }
            val all = Bootstrap.median(groups.flatMap { it.timesInDelays() }).value
            groups.map {
                part(it, "time / median of these clients", Bound(0.9, 1.1), it.timesInDelays().map { time -> time / all })
                    .copy(floor = timeFloor())
            }
        },
    )
