package clientlab.articles.conduct

import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val RUN = "churn-2026-11"
private const val SOME = "one in a hundred sessions, set before"

/** What two thousand sessions leave behind, each opened, used for one request, and closed. */
internal val churnClaims: List<Claim> = claims("16-conduct") {
    claim("conduct.cycle-descriptors", SOME, RUN)
        .says("Of two thousand sessions of each client, which are opened and closed, fewer than one in a hundred leaves a file open.") {
            it.left("open files that a session leaves behind", "descriptorsPerCycle", most = 0.01)
        }
    claim("conduct.cycle-threads", SOME, RUN)
        .says("Of two thousand sessions of each client, which are opened and closed, fewer than one in a hundred leaves a thread behind.") {
            it.left("threads that a session leaves behind", "threadsLeftPerCycle", most = 0.01)
        }
    claim("conduct.cycle-heap", "1 KiB per session, set before", RUN)
        .says("Each of two thousand sessions of a client, which are opened and closed, leaves less than 1 KiB of heap behind.") {
            it.left("bytes of heap that a session leaves behind", "cycleHeapBytes", most = 1_024.0)
        }
}

/** One part per client: the median over forks of [metric], and that it is below [most]. */
private fun Trials<*>.left(words: String, metric: String, most: Double): List<Part> =
    byTreatment().map { Part.median(it.client, words, Bound(high = most), it.values(metric)) }
