package clientlab.trial

import clientlab.*

/** How a trial is judged: its [outcome], why it is not complete, and what a reader should know although it counts. */
public class Judgement(
    public val outcome: Outcome,
    public val reasons: List<String>,
    public val warnings: List<String>,
) {
    /** The same with [more] reasons, each of which makes it invalid, and more warnings. */
    internal fun and(more: List<String>, warned: List<String>): Judgement =
        if (more.isEmpty()) {
            Judgement(outcome, reasons, warnings + warned)
        } else {
            Judgement(Outcome.Invalid, reasons + more, warnings + warned)
        }

    internal companion object {
        /** Complete where there are no [reasons] against the trial, and else invalid. */
        fun of(reasons: List<String>, warnings: List<String> = emptyList()): Judgement =
            Judgement(if (reasons.isEmpty()) Outcome.Complete else Outcome.Invalid, reasons, warnings)
    }
}

/**
 * Judges a burst of [asked] requests by what the server saw.
 *
 * It is invalid if a request failed, if an answer came early by the server's count or the client's clock, if the counts of client and
 * server differ, if it used connections that the session did not open, if an accept queue overflowed, if the client left behind something
 * undeclared, or if [snapshotKept] is false because answers came before the snapshot. Otherwise it is a wave if fewer than [asked] were in
 * flight at once, and complete if not.
 *
 * @param limit the most in flight that the adapter declares, or null.
 * @param delayMs the server's delay before each answer.
 * @param keptConnections how many connections may outlive a session by the adapter's declaration, so that the next session may use them;
 *   null if the server does not count connections, or if one connection may carry several requests at once.
 */
public fun judgeBurst(
    asked: Int,
    result: BurstResult,
    evidence: Evidence,
    leaks: Leaks?,
    limit: Int?,
    snapshotKept: Boolean,
    delayMs: Long = 0,
    keptConnections: Long? = null,
): Judgement {
    val peak = evidence.peakInFlight
    val wrong =
        reasons(evidence) {
            add(result.failed > 0) { "${result.failed} of $asked requests failed: ${spoken(result.errors)}. The first: ${result.example}" }
            answeredEarly()
            answeredTooSoon(result.latenciesMs, delayMs)
            arrivedOthers(asked)
            if (result.failed == 0) answeredFewer(asked)
            keptConnections?.let { found += connectionsOfOthers(evidence, it) }
            overflowed()
            leaks?.let { left(it) }
            add(!snapshotKept) { "Answers came before the snapshot was taken, so the threads were not counted; lengthen the delay." }
        }
    val warnings =
        buildList {
            serverLate(evidence, delayMs)?.let { add(it) }
            if (keptConnections != null && evidence.peakConnections < peak) {
                add("$peak requests were in flight over at most ${evidence.peakConnections} connections, so some shared one.")
            }
            if (peak < asked && limit == null) add("Only $peak of $asked were in flight at once, and the adapter declares no limit.")
            if (peak < asked && limit != null && peak != limit.toLong()) add("$peak were in flight at once; the adapter declares $limit.")
        }
    return when {
        wrong.isNotEmpty() -> Judgement(Outcome.Invalid, wrong, warnings)
        peak < asked -> Judgement(Outcome.Wave, listOf("The server saw at most $peak of $asked in flight."), warnings)
        else -> Judgement(Outcome.Complete, emptyList(), warnings)
    }
}

private fun Reasons.left(leaks: Leaks) {
    add(leaks.undeclared.isNotEmpty()) {
        "${leaks.undeclared.size} threads were left after close: ${leaks.undeclared.distinct().take(SHOWN).joinToString()}."
    }
    add(leaks.undeclaredConnections > 0) { "${leaks.connections} connections were left open after close." }
}

/**
 * A sentence if [who] had answers, with the latencies [ascendingMs], sooner than the server may give them; otherwise null.
 *
 * It checks the server by another clock, and the client too: a client that has an answer before its delay is over has not waited for it.
 * Both clocks run at one pace, and the request was on its way before the server began to wait.
 */
internal fun tooSoon(ascendingMs: DoubleArray, delayMs: Long, who: String = "client"): String? {
    val soon = ascendingMs.count { it < delayMs }
    if (soon == 0) return null
    val first = ascendingMs.first().toLong()
    return "The $who had $soon answers before the delay of $delayMs ms was over, the first after $first ms."
}

/** Each request in flight needs a connection. Connections that were not opened now existed before the session. */
private fun connectionsOfOthers(evidence: Evidence, declared: Long): List<String> {
    val used = minOf(evidence.peakInFlight, evidence.peakConnections)
    if (used - evidence.connectionsOpened <= declared) return emptyList()
    return listOf(
        "$used requests at once had $used connections and the session opened ${evidence.connectionsOpened}: " +
            "the others were there before it, and the adapter declares $declared of that kind.",
    )
}

private fun serverLate(evidence: Evidence, delayMs: Long): String? {
    val late = evidence.overshootMs?.p99 ?: return null
    if (late <= maxOf(LATE_MS, delayMs * LATE_SHARE)) return null
    return "The server itself was late: its slowest answers (99th percentile) were written ${late.toLong()} ms after they were due."
}

/** This trial, with a warning if its [warmUp] was invalid: what that left behind is in the baseline and does not count as new. */
internal fun Trial.after(warmUp: Trial?): Trial =
    if (warmUp?.outcome != Outcome.Invalid) {
        this
    } else {
        copy(warnings = warnings + "The warm-up before it was invalid: ${warmUp.reasons.joinToString(" ")}")
    }

private const val SHOWN = 3

/** Bursts on a quiet machine stay below 80 ms, even with a thousand in flight. */
private const val LATE_MS = 100.0
private const val LATE_SHARE = 0.05
