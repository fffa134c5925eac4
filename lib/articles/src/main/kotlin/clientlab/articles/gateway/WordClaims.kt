package clientlab.articles.gateway

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import kotlin.math.abs

private const val CAPS = "uneven-caps-2026-11"
private const val BEYOND = 1200
private const val BY_HAND_MS = 300

/** What source 000 says beside its figures: its text, its code, its tables and logs. */
internal val wordClaims: List<Claim> = claims(NOTEBOOK, SOURCE) {
    about("threads.arrived", "threads are counted after 1 s", THREADS)
        .says(
            "One second after the start all requests have arrived at the server, as the source takes for granted: over cleartext. " +
                "Over TLS, where many had not, it is not measured yet.",
        ) { trials ->
            listOf("retrofit", "ktor-okhttp", "fuel", "ktor-apache", "ktor-apache5", "ktor-java", "ktor-cio").map { client ->
                val arrived = bursts(trials, client, MANY).flatMap { it.values("snapshotAtMs") }
                Part.median("$client at $MANY", "ms until the server had all in flight", Bound(high = MS), arrived)
            }
        }
    about("threads.uneven-caps", "found by reading", CAPS)
        .says(
            "The source raises the limit of some clients only: Ktor Apache5 as it sets it stops at Ktor's 1,000, and opened it does not.",
        ) { trials ->
            listOf("ktor-apache5@article" to 1000, "ktor-apache5" to BEYOND).map { (client, held) ->
                val peaks = bursts(trials, client, BEYOND).flatMap { it.values("inFlightPeak") }
                Part.median("$client, asked for $BEYOND", "most in flight, as the server saw it", exactly(held), peaks)
            }
        }
    about("threads.warmup", "\"there is also a warmup phase\"")
        .isUntestable(
            "The source says that it warms up; in its published code the loop that would is commented out.",
            "It is a statement about the source's code, seen by reading it. None of its figures can tell: it ends OkHttp's threads " +
                "after each burst, so that they are new in a warm JVM too. What a warm-up changes is measured in threads.plus-one.",
        )
    about("threads.average", "± 300 ms, added by hand")
        .says(
            "The ± 300 ms beside the source's times is no measured spread: more of the times that it logs lie beyond than one in twenty.",
        ) {
            val off = SourceLog.all.mapNotNull { row -> row.averageMs?.let { average -> abs(row.timesMs.first() - average) } }
            val beyond = off.count { it > BY_HAND_MS }
            listOf(Part.share("its first log against its table", "share of times beyond ± 300 ms", Bound(low = 0.05), beyond, off.size))
        }
    about("threads.table", "text: 1000; column: 500")
        .says("The source's second table is of 500 requests, not of the 1,000 that its text says.") {
            val held = SourceLog.all
                .filter { it.blocking }
                .flatMap { listOf(it.unparkedNew.first(), it.tableThreads) }
                .map { it - 1.0 }
            listOf(Part.median("blocking clients, table and first log", "threads beyond the one for housekeeping", exactly(500), held))
        }
    about("threads.idle-log", "second log, against the first")
        .says(
            "The source says that tasks beside the requests have a huge impact on the number of unparked threads; the log it gives " +
                "for that shows none, so it is no log of that experiment.",
        ) {
            val more = SourceLog.all.map { (it.unparkedNew[1] - it.unparkedNew[0]).toDouble() }
            listOf(Part.median("the source's seven clients", "unparked threads more in its second log", Bound(0.0, 5.0), more))
        }
}

internal fun bursts(trials: Trials<*>, client: String, inFlight: Int): List<TreatmentTrials> =
    trials.byTreatment().filter { it.client == client && it.inFlight == inFlight && it.start == "warm" && it[Factor.RATE] == null }
