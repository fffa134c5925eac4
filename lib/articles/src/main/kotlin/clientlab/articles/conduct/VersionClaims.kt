package clientlab.articles.conduct

import clientlab.articles.*
import clientlab.notebook.claim.*

private const val RUN = "conduct-versions-2026-11"

/** Three changes did not show there. This run has situations in which two of them can. */
private const val SHOWN = "conduct-changes-2026-11"

/** This one has Ktor's OkHttp engine alone: with a client of the caller's, and with a long text. */
private const val PRECONFIGURED = "conduct-engine-2026-11"

/** Ktor CIO alone, in the releases on both sides of two changes and between them. */
private const val BUSY = "conduct-busy-2026-11"

/** Changes of conduct between two releases, which their trackers and change logs name: each claim says what both of them do. */
internal val conductVersionClaims: List<Claim> = claims("16-conduct") {
    claim("conduct.aborted-from", "KTOR-9615, set before", RUN)
        .says("Ktor's Apache5 engine closes the connection of a cancelled request in 3.5.1, and leaves it open in 3.5.0.") {
            listOf(
                it.mostly("ktor-apache5:3.5.0", "cancellation.waiting", "the connection stays open") { seen -> "stays open" in seen.fact },
                it.mostly("ktor-apache5:3.5.1", "cancellation.waiting", "the connection is closed") { seen -> "is closed" in seen.fact },
            )
        }
    claim("conduct.late-until", "OkHttp's change log, set before", RUN)
        .says("OkHttp 5.3.0 is late with its time-outs, and 5.3.2 is not.") {
            listOf(
                it.mostly("okhttp:5.3.0", "timeouts.no-answer", "the time-out is late") { seen -> " late" in seen.fact },
                it.mostly("okhttp:5.3.2", "timeouts.no-answer", "it is in time") { seen -> "in time" in seen.fact },
            )
        }
    claim("conduct.aborted-reading-from", "KTOR-9615, set before", SHOWN)
        .says(
            "If a caller cancels while it reads an answer, Ktor's Apache5 engine closes the connection in 3.5.1, and leaves it open in 3.5.0.",
        ) {
            listOf(
                it.mostly("ktor-apache5:3.5.0", "cancellation.reading", "the connection stays open") { seen -> "stays open" in seen.fact },
                it.mostly("ktor-apache5:3.5.1", "cancellation.reading", "the connection is closed") { seen -> "is closed" in seen.fact },
            )
        }
    claim("conduct.late-beside-until", "OkHttp's change log, set before", SHOWN)
        .says("While a shorter time-out of the same process runs, OkHttp 5.3.0 is late with a longer one, and 5.3.2 is not.") {
            listOf(
                it.mostly("okhttp:5.3.0", "timeouts.beside", "the time-out is late") { seen -> " late" in seen.fact },
                it.mostly("okhttp:5.3.2", "timeouts.beside", "it is in time") { seen -> "in time" in seen.fact },
            )
        }
    claim("conduct.upgrade-from", "KTOR-9097, set before", RUN)
        .says("By default Ktor's Java engine asks for an upgrade to HTTP/2 in 3.5.2, and does not in 3.3.3.") {
            listOf(
                it.mostly(
                    "ktor-java@default:3.3.3",
                    "connections.upgrade",
                    "it asks for none",
                ) { seen -> seen.fact == "asks for no upgrade" },
                it.mostly(
                    "ktor-java@default:3.5.2",
                    "connections.upgrade",
                    "it asks for one",
                ) { seen -> seen.fact.startsWith("asks for an upgrade") },
            )
        }
    claim("conduct.preconfigured-until", "ktorio/ktor#5212, set before", PRECONFIGURED)
        .says("Ktor's OkHttp engine uses the dispatcher of a client that it is given in 3.5.2, and another one in 3.4.3.") {
            listOf(
                it.mostly(
                    "ktor-okhttp@preconfigured:3.4.3",
                    "connections.at-once",
                    "fewer are sent",
                ) { seen -> seen.fact != ALL_AT_ONCE },
                it.mostly(
                    "ktor-okhttp@preconfigured:3.5.2",
                    "connections.at-once",
                    "all are sent",
                ) { seen -> seen.fact == ALL_AT_ONCE },
            )
        }
    claim("conduct.text-until", "KTOR-9704, by a tenth, set before", PRECONFIGURED)
        .says("Ktor's OkHttp engine takes longer to send a text of four million letters in 3.4.3 than in 3.5.2.") {
            val (former, later) = listOf("3.4.3", "3.5.2").map { version -> it.times("ktor-okhttp:$version", "requests.text") }
            listOf(Part.ratio("ktor-okhttp", "time with 3.4.3 by time with 3.5.2", Bound(low = 1.1), former, later))
        }
    claim("conduct.dispatcher-until", "ktorio/ktor#5212, set before", RUN)
        .says("Ktor's OkHttp engine sends as many requests at once as the caller has set in 3.5.2, and fewer in 3.4.3.") {
            listOf(
                it.mostly("ktor-okhttp:3.4.3", "connections.at-once", "fewer are sent") { seen -> seen.fact != ALL_AT_ONCE },
                it.mostly("ktor-okhttp:3.5.2", "connections.at-once", "all are sent") { seen -> seen.fact == ALL_AT_ONCE },
            )
        }
    claim("conduct.busy-upload", "a bisection of the lab, set before", BUSY)
        .says(
            "While the server does not read an upload, Ktor CIO keeps a processor busy in 3.0.0 and 3.6.0, and in 2.3.13 and 3.6.1 it does not.",
        ) {
            listOf(
                it.mostly("ktor-cio:2.3.13", UPLOAD, "it waits") { seen -> seen.fact == WAITS },
                it.mostly("ktor-cio:3.0.0", UPLOAD, "a processor is busy") { seen -> seen.fact.startsWith("keeps a processor busy") },
                it.mostly("ktor-cio:3.6.0", UPLOAD, "a processor is busy") { seen -> seen.fact.startsWith("keeps a processor busy") },
                it.mostly("ktor-cio:3.6.1", UPLOAD, "it waits") { seen -> seen.fact == WAITS },
            )
        }
}

private const val UPLOAD = "threads.unread-upload"
private const val WAITS = "waits almost without processor time"
private const val ALL_AT_ONCE = "sends all ten at once"
