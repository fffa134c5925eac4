package clientlab.articles.versions

import clientlab.*
import clientlab.articles.*
import clientlab.client.*
import clientlab.notebook.frame.*

/**
 * A finding of the ledger that a release of a library bears out or not.
 *
 * @property line the same in a few words, as a figure's line has them.
 * @property words what holds, beginning with a verb.
 * @property subject the client, or the I/O API, without a version.
 * @property run the published run that has its releases.
 * @property entry where its makers name the change; empty if no change was named.
 * @property share in which share of the forks of one release it holds; null if they cannot tell.
 */
internal class Finding(
    val claim: String,
    val line: String,
    val words: String,
    val subject: String,
    val run: String,
    val entry: String = "",
    private val share: (Trials<*>, TreatmentTrials) -> Double?,
) {
    /** The releases that were measured, the oldest first, and whether it holds in most of the forks of each. */
    fun releases(trials: Trials<*>): List<Pair<String, Boolean>> = trials
        .byTreatment()
        .filter { ClientInfo.unversioned(it.treatment.subject) == subject }
        .groupBy { ClientInfo.versionOf(it.treatment.subject) }
        .mapNotNull { (version, groups) ->
            val shares = groups.mapNotNull { share(trials, it) }
            if (version == null || shares.isEmpty()) null else version to (shares.average() > HALF)
        }.sortedWith(compareBy(VersionOrder) { it.first })

    private companion object {
        private const val HALF = 0.5
    }
}

/** Every finding of which a published run has several releases. */
internal val findings: List<Finding> = listOf(
    Finding(
        "versions.cio-route",
        "ktor-cio@article: waves",
        "sends 500 calls in waves, as source 000 set it",
        "ktor-cio@article",
        VERSIONS,
    ) { _, of ->
        of.shareOf("batches") { it > 1 }
    },
    Finding(
        "versions.threads-cio",
        "ktor-cio: no thread a call",
        "holds no thread for a call",
        "ktor-cio",
        VERSIONS,
    ) { _, of -> of.shareOf("threadsBlocked") { it < 1 } },
    Finding("versions.threads-okhttp", "okhttp: a thread a call", HOLDS, "okhttp", VERSIONS) { _, of -> of.holding },
    Finding("versions.threads-okhttp", "retrofit: a thread a call", HOLDS, "retrofit", VERSIONS) { _, of -> of.holding },
    Finding("versions.threads-engines", "ktor-okhttp: a thread a call", HOLDS, "ktor-okhttp", ENGINES) { _, of -> of.holding },
    Finding("versions.leak", "ktor-java: a thread left", "leaves a thread behind after close", "ktor-java", ENGINES) { _, of ->
        of.shareOf("threadsLeft") { left -> left > 0 }
    },
    Finding(
        "conduct.aborted-reading-from",
        "ktor-apache5: cancelled, open",
        "leaves the connection of a cancelled download open",
        "ktor-apache5",
        HISTORY,
        "KTOR-9615",
    ) { _, of ->
        of.shareSeen("cancellation.reading") { "stays open" in it }
    },
    Finding(
        "conduct.late-beside-until",
        "okhttp: late time-outs",
        "is late while a shorter time-out runs",
        "okhttp",
        HISTORY,
        "change log of 5.3.2",
    ) { _, of ->
        of.shareSeen("timeouts.beside") { " late" in it }
    },
    Finding(
        "conduct.upgrade-from",
        "ktor-java: asks for HTTP/2",
        "asks for an upgrade to HTTP/2",
        "ktor-java@default",
        HISTORY,
        "KTOR-9097",
    ) { _, of ->
        of.shareSeen("connections.upgrade") { it.startsWith("asks for an upgrade") }
    },
    Finding(
        "conduct.preconfigured-until",
        "ktor-okhttp: other dispatcher",
        "uses another dispatcher than that of its own client",
        "ktor-okhttp@preconfigured",
        HISTORY,
        "ktorio/ktor#5212",
    ) { _, of -> of.shareSeen("connections.at-once") { it != "sends all ten at once" } },
    Finding(
        "conduct.busy-upload",
        "ktor-cio: busy uploads",
        "keeps a processor busy while its upload is not read",
        "ktor-cio",
        BUSY,
    ) { _, of -> of.shareSeen("threads.unread-upload") { it.startsWith("keeps a processor busy") } },
    Finding(
        "io.file",
        "ktor io: file reads, 10 times",
        "reads a file in ten times the time of a stream",
        "ktor",
        TRANSFERS,
    ) { trials, of -> tenfold(trials, of) },
)

private const val HOLDS = "holds a thread for each call"
private const val VERSIONS = "versions-2026-11"
private const val ENGINES = "versions-engines-2026-11"
private const val HISTORY = "history-2026-11"
private const val BUSY = "conduct-busy-2026-11"
private const val TRANSFERS = "transfer-versions-2026-11"
private const val OPERATION = "file-read"
private const val TENFOLD = 10
private const val MOST_OF_THEM = 0.9

private fun TreatmentTrials.shareOf(metric: String, holds: (Double) -> Boolean): Double? =
    values(metric).takeIf { it.isNotEmpty() }?.let { all -> all.count(holds).toDouble() / all.size }

private val TreatmentTrials.holding: Double? get() = shareOf("threadsBlocked") { it > MOST_OF_THEM * inFlight }

private fun TreatmentTrials.shareSeen(situation: String, holds: (String) -> Boolean): Double? {
    val facts = counted.flatMap { it.table("observations") }.filter { it["situation"] == situation }.map { "${it["fact"]}" }
    val tried = facts.filter { !it.startsWith("not ") }
    return if (tried.isEmpty()) null else tried.count(holds).toDouble() / tried.size
}

private fun tenfold(trials: Trials<*>, of: TreatmentTrials): Double? {
    if (of[Factor.OPERATION] != OPERATION) return null
    val stream = trials.byTreatment().first { it[Factor.IO_API] == "stream" && it[Factor.OPERATION] == OPERATION }
    val ratios = perRound(of.counted, stream.counted, "iterationMedianMs")
    return if (ratios.isEmpty()) null else ratios.count { it >= TENFOLD }.toDouble() / ratios.size
}
