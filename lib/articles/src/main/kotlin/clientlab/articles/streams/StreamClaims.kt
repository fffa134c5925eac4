package clientlab.articles.streams

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.streams.*

private const val NOTEBOOK = "18-streams"
private const val IDLE = "streams-2026-11"
private const val EVENTS = "streams-events-2026-11"
private const val FED = "streams-fed-2026-11"
private const val SOCKETS = "streams-sockets-2026-11"
private const val UNREAD = "streams-unread-2026-11"
private const val MANY = "streams-many-2026-11"
private const val OUTAGE = "streams-outage-2026-11"
private const val SCOPE = "Of 1,000 streams of server-sent events over HTTP/1.1"
private val BLOCKING = listOf("okhttp", "fuel", "jdk-blocking", "urlconnection", "spring-restclient", "helidon")
private val CALLED_BACK =
    listOf(
        "ktor-apache5",
        "ktor-java",
        "ktor-cio",
        "jdk",
        "apache5-async",
        "spring-webclient",
        "vertx",
        "jetty",
        "async-http-client",
        "armeria",
    )
private val READ = listOf("okhttp", "ktor-apache5", "ktor-java", "ktor-cio", "jdk")
private val ON_IO = listOf("retrofit", "ktor-okhttp")
private val WITH_SOCKETS = listOf("okhttp", "ktor-okhttp", "ktor-java", "ktor-cio", "jdk")
private val WITH_READ_TIMEOUT = listOf("okhttp", "retrofit", "ktor-cio", "ktor-okhttp", "ktor-apache5")
private val FOR_MANY = listOf("ktor-apache5", "ktor-java", "ktor-cio", "jdk", "spring-webclient", "vertx")

internal class StreamsArticle : NamedArticle(NOTEBOOK, streamClaims)

/** The claims about streams, beyond the sources. Their bounds were set before the run. */
internal val streamClaims: List<Claim> = claims(NOTEBOOK) {
    check("streams.default", "5, by its documentation", IDLE)
        .says("$SCOPE OkHttp opens 5 by default. The others wait until one of them ends.") {
            listOf(it.idle("okhttp@default").part("streams held", exactly(5), HELD))
        }
    claim("streams.threads", "one for each, set before", IDLE)
        .says("$SCOPE each holds a thread in a client that reads with blocking calls.") { trials ->
            BLOCKING.map { trials.idle(it) }.map { it.part("threads for each stream", Bound(0.95, 1.1), it.threadsEach()) }
        }
    claim("streams.called-back", "at most one for ten, set before", IDLE)
        .says("$SCOPE ten hold at most one thread in a client that suspends or is called back.") { trials ->
            CALLED_BACK.map { trials.idle(it) }.map { it.part("threads for each stream", Bound(high = 0.1), it.threadsEach()) }
        }
    claim("streams.memory", "at most 256 kB, set before", IDLE)
        .says("$SCOPE an idle one takes at most 256 kB with each client, so that all of them fit in 256 MB.") { trials ->
            trials.byTreatment().filter { it[Factor.FEED] == Feed.Idle.label && '@' !in it.client }.map {
                it.part("kB for each stream", Bound(high = 256.0), it.values(BYTES).map { bytes -> bytes * PER_KB })
            }
        }
    claim("streams.half", "at most 0.5, set before", IDLE)
        .says("$SCOPE an idle one takes at most half as much memory with Ktor CIO and java.net.http as with OkHttp.") { trials ->
            val blocking = trials.idle("okhttp").counted
            listOf("ktor-cio", "jdk").map { trials.idle(it) }.map {
                it.part("kB for each stream, by that of okhttp", Bound(high = 0.5), perRound(it.counted, blocking, BYTES))
            }
        }
    claim("streams.read", "at least 0.95, set before", EVENTS)
        .says("$SCOPE that each get an event a second, callers read at least 95 % of the events.") { trials ->
            READ.map { trials.fed(it).part("share of the due bytes", Bound(low = 0.95), "dueShare") }
        }
    claim("streams.io", "64 of 1,000, by counting threads", EVENTS)
        .says(
            "$SCOPE that each get an event a second, callers read at most 8 % if they read on the 64 threads of Dispatchers.IO.",
        ) { trials ->
            ON_IO.map { trials.fed(it).part("share of the due bytes", Bound(high = 0.08), "dueShare") }
        }
    claim("streams.beside", "at least 0.95, set before", EVENTS)
        .says("$SCOPE callers still read 95 % of the events of all the others while one is fed faster than it is read.") { trials ->
            READ.map { trials.fed(it).part("share of the due bytes", Bound(low = 0.95), "besideSlowShare") }
        }
    claim("streams.cancelled", "at most 1 s, set before", EVENTS)
        .says("$SCOPE one that its caller cancels is closed within a second.") { trials ->
            READ.map { trials.fed(it) }.map { it.part("s until the server sees it", Bound(high = 1.0), it.cancelSeconds()) }
        }
    claim("streams.download", "at least 0.95, set before", FED)
        .says("Of 1,000 downloads over HTTP/1.1 of 64 bytes a second, callers read at least 95 % of the bytes as they come.") { trials ->
            READ.map { trials.of(it, Factor.FEED, Feed.Download.label).part("share of the due bytes", Bound(low = 0.95), "dueShare") }
        }
    claim("streams.sockets", "5, by okhttp#3801", SOCKETS)
        .says("Of 1,000 WebSockets to one host OkHttp opens 5 by default.") {
            listOf(it.socket("okhttp@default").part("WebSockets held", exactly(5), HELD))
        }
    claim("streams.socket-memory", "0.75 to 1.25, set before", SOCKETS)
        .says("Of 1,000 that are idle, a WebSocket takes as much memory as a stream of server-sent events, within a quarter.") { trials ->
            WITH_SOCKETS.map { trials.socket(it) }.map {
                val events = trials.idle(it.client).counted
                it.part("kB for each WebSocket, by that of a stream", Bound(0.75, 1.25), perRound(it.counted, events, BYTES))
            }
        }
    claim("streams.unread", "at most 256 kB, set before", UNREAD)
        .says(
            "Of 100 streams that are fed faster than they are read, each takes at most 256 kB of a client's heap: the sender waits.",
        ) { trials ->
            (READ + ON_IO).map { trials.of(it, Factor.FEED, Feed.FasterThanRead.label) }.map {
                it.part("kB of heap for each stream", Bound(high = 256.0), it.values("streamHeapBytes").map { bytes -> bytes * PER_KB })
            }
        }
    claim("streams.many", "10,000, and one thread for 100, set before", MANY)
        .says(
            "A client that suspends or is called back holds 10,000 idle streams over HTTP/1.1, with at most one thread for a hundred.",
        ) { trials ->
            FOR_MANY.map { trials.idle(it) }.flatMap {
                listOf(
                    it.part("streams held", exactly(10_000), HELD),
                    it.part("threads for each stream", Bound(high = 0.01), it.threadsEach()),
                )
            }
        }
    claim("streams.back", "at most 2.5 s, set before", OUTAGE)
        .says(
            "With a read time-out of 2 s, all callers of 50 streams read events again within 2.5 s of the end of a silence of the network.",
        ) { trials ->
            WITH_READ_TIMEOUT.map { trials.of(it) }.map {
                it.part("s until the last caller reads again", Bound(high = 2.5), it.backSeconds())
            }
        }
    claim("streams.unnoticed", "none, set before", OUTAGE)
        .says(
            "java.net.http, and Ktor's Java engine on it, have no read time-out: no caller of theirs notices that the network is silent.",
        ) {
            listOf("jdk", "ktor-java").map { client -> it.of(client).part("share of the callers", exactly(0), "noticedShare") }
        }
}

private fun Trials<*>.idle(client: String): TreatmentTrials = of(client, Factor.FEED, Feed.Idle.label)

private fun Trials<*>.socket(client: String): TreatmentTrials = of(client, Factor.FEED, Feed.SocketIdle.label)

private fun Trials<*>.fed(client: String): TreatmentTrials = of(client, Factor.FEED, Feed.EverySecond.label)

/** Seconds until a cancelled stream has gone; one that stays counts as long as the trial looks. */
private fun TreatmentTrials.cancelSeconds(): List<Double> =
    counted.filter { it.metric("besideSlowShare") != null }.map { (it.metric("cancelMs") ?: PATIENCE_MS) / 1e3 }

/** Seconds until the last caller reads again; one who does not counts as long as the trial looks. */
private fun TreatmentTrials.backSeconds(): List<Double> = counted.map { (it.metric("backMaxMs") ?: AFTER_MS) / 1e3 }

private const val HELD = "heldInFlight"
private const val BYTES = "streamBytes"
private const val PATIENCE_MS = 5_000.0
private const val AFTER_MS = 10_000.0
