package clientlab.articles.streams

import clientlab.*
import clientlab.notebook.made.*
import clientlab.streams.*

/** Every claim about streams, against trials made by hand. */
class StreamClaimsTest : HeldToTrials(streamClaims) {
    private fun forks(client: String, feed: Feed, metrics: Map<String, Double>, outcome: Outcome = Outcome.Complete): List<Trial> =
        List(8) { round ->
            Trial(
                experiment = "streams",
                round = round,
                treatment = Treatment(Factor.CLIENT to client, Factor.IN_FLIGHT to 1_000, Factor.FEED to feed.label),
                warmup = false,
                outcome = outcome,
                metrics = metrics,
            )
        }

    private fun idle(
        held: Double = 5.0,
        blocking: Double = 1_001.0,
        calledBack: Double = 8.0,
        bytes: Double = 40_000.0,
        okHttp: Double = 120_000.0,
    ): List<Trial> {
        fun each(threads: Double, bytes: Double) = mapOf("heldInFlight" to 1_000.0, "threadsNew" to threads, "streamBytes" to bytes)
        val others = listOf("fuel", "jdk-blocking", "urlconnection", "spring-restclient", "helidon")
        val async = listOf("ktor-apache5", "ktor-java", "ktor-cio", "jdk", "apache5-async", "spring-webclient", "vertx", "jetty")
        return forks(
            "okhttp@default",
            Feed.Idle,
            mapOf("heldInFlight" to held, "threadsNew" to 6.0, "streamBytes" to 400_000.0),
            Outcome.Wave,
        ) +
            forks("okhttp", Feed.Idle, each(blocking, okHttp)) +
            others.flatMap { forks(it, Feed.Idle, each(blocking, 100_000.0)) } +
            (async + "async-http-client" + "armeria").flatMap { forks(it, Feed.Idle, each(calledBack, bytes)) }
    }

    private fun fed(read: Double = 0.99, onIo: Double = 0.064, beside: Double = 0.99, cancelMs: Double? = 20.0): List<Trial> {
        fun of(share: Double) = mapOf("dueShare" to share, "besideSlowShare" to beside) + listOfNotNull(cancelMs?.let { "cancelMs" to it })
        return listOf("okhttp", "ktor-apache5", "ktor-java", "ktor-cio", "jdk").flatMap { forks(it, Feed.EverySecond, of(read)) } +
            listOf("retrofit", "ktor-okhttp").flatMap { forks(it, Feed.EverySecond, of(onIo)) }
    }

    private fun downloads(share: Double = 0.99): List<Trial> =
        listOf("okhttp", "ktor-apache5", "ktor-java", "ktor-cio", "jdk").flatMap { forks(it, Feed.Download, mapOf("dueShare" to share)) }

    private fun sockets(held: Double = 5.0, bytes: Double = 110_000.0): List<Trial> {
        fun taking(bytes: Double) = mapOf("heldInFlight" to 1_000.0, "streamBytes" to bytes)
        return forks("okhttp@default", Feed.SocketIdle, mapOf("heldInFlight" to held), Outcome.Wave) +
            listOf("okhttp", "ktor-okhttp", "ktor-java", "ktor-cio", "jdk").flatMap {
                forks(it, Feed.Idle, taking(100_000.0)) + forks(it, Feed.SocketIdle, taking(bytes))
            }
    }

    private fun unread(heap: Double = 60_000.0): List<Trial> =
        listOf("okhttp", "ktor-apache5", "ktor-java", "ktor-cio", "jdk", "retrofit", "ktor-okhttp")
            .flatMap { forks(it, Feed.FasterThanRead, mapOf("streamHeapBytes" to heap)) }

    private fun many(held: Double = 10_000.0): List<Trial> =
        listOf("ktor-apache5", "ktor-java", "ktor-cio", "jdk", "spring-webclient", "vertx")
            .flatMap { forks(it, Feed.Idle, mapOf("heldInFlight" to held, "threadsNew" to 20.0)) }

    private fun outage(backMaxMs: Double? = 2_150.0, noticed: Double = 0.0): List<Trial> {
        fun of(client: String, metrics: Map<String, Double>) = List(8) { round ->
            Trial("outage", round, Treatment(Factor.CLIENT to client), warmup = false, outcome = Outcome.Complete, metrics = metrics)
        }
        val back = mapOf("noticedShare" to 1.0) + listOfNotNull(backMaxMs?.let { "backMaxMs" to it })
        return listOf("okhttp", "retrofit", "ktor-cio", "ktor-okhttp", "ktor-apache5").flatMap { of(it, back) } +
            listOf("jdk", "ktor-java").flatMap { of(it, mapOf("noticedShare" to noticed)) }
    }

    override val cases: Map<String, Case> = mapOf(
        "streams.default" to Case(idle(), idle(held = 6.0)),
        "streams.threads" to Case(idle(), idle(blocking = 64.0)),
        "streams.called-back" to Case(idle(), idle(calledBack = 300.0)),
        "streams.memory" to Case(idle(), idle(okHttp = 300_000.0)),
        "streams.half" to Case(idle(), idle(bytes = 90_000.0)),
        "streams.read" to Case(fed(), fed(read = 0.5)),
        "streams.io" to Case(fed(), fed(onIo = 0.9)),
        "streams.beside" to Case(fed(), fed(beside = 0.2)),
        "streams.cancelled" to Case(fed(), fed(cancelMs = null)),
        "streams.download" to Case(downloads(), downloads(share = 0.5)),
        "streams.sockets" to Case(sockets(), sockets(held = 64.0)),
        "streams.socket-memory" to Case(sockets(), sockets(bytes = 200_000.0)),
        "streams.unread" to Case(unread(), unread(heap = 2_000_000.0)),
        "streams.many" to Case(many(), many(held = 9_000.0)),
        "streams.back" to Case(outage(), outage(backMaxMs = null)),
        "streams.unnoticed" to Case(outage(), outage(noticed = 0.5)),
    )
}
