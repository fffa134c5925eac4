package clientlab.trial

import clientlab.*

/** How a trial is judged: why it is not complete, and what a reader should know although it counts. */
public class Judgement(public val outcome: Outcome, public val reasons: List<String>, public val warnings: List<String>) {
    /** The same with [more] reasons, each of which makes it invalid, and more warnings. */
    internal fun and(more: List<String>, warned: List<String>): Judgement =
        Judgement(if (more.isEmpty()) outcome else Outcome.Invalid, reasons + more, warnings + warned)

    internal companion object {
        /** Complete where there are no [reasons] against the trial, and else invalid. */
        fun of(reasons: List<String>, warnings: List<String> = emptyList()): Judgement =
            Judgement(if (reasons.isEmpty()) Outcome.Complete else Outcome.Invalid, reasons, warnings)
    }
}

/**
 * Judges a burst of [asked] requests by what the server saw: invalid if there is any reason against it, otherwise a wave if fewer than
 * [asked] were in flight at once, and complete if not.
 *
 * @param limit the most in flight that the adapter declares, or null.
 * @param snapshotKept false if answers came before the snapshot.
 * @param keptConnections how many connections the adapter leaves to the next session by its declaration; null if the server does not
 *   count connections, or if one may carry several requests at once.
 */
internal fun judgeBurst(
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
    val wrong = reasons(evidence) {
        add(result.failed > 0) { "${result.failed} of $asked requests failed: ${spoken(result.errors)}. The first: ${result.example}" }
        answeredEarly()
        answeredTooSoon(result.latenciesMs, delayMs)
        arrivedOthers(asked)
        if (result.failed == 0) answeredFewer(asked)
        keptConnections?.let { connectionsOfOthers(evidence, it) }
        overflowed()
        leaks?.let { left(it) }
        add(!snapshotKept) { "Answers came before the snapshot was taken, so the threads were not counted; lengthen the delay." }
    }
    val warnings = buildList {
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

/** Each request in flight needs a connection. Connections that were not opened now existed before the session. */
private fun Reasons.connectionsOfOthers(evidence: Evidence, declared: Long) {
    val used = minOf(evidence.peakInFlight, evidence.peakConnections)
    add(used - evidence.connectionsOpened > declared) {
        "$used requests at once had $used connections and the session opened ${evidence.connectionsOpened}: " +
            "the others were there before it, and the adapter declares $declared of that kind."
    }
}

private fun serverLate(evidence: Evidence, delayMs: Long): String? =
    evidence.overshootMs?.p99?.takeIf { it > maxOf(LATE_MS, delayMs * LATE_SHARE) }?.let {
        "The server itself was late: its slowest answers (99th percentile) were written ${it.toLong()} ms after they were due."
    }

/** This trial, with a warning if its [warmUp] was invalid: what that left behind is in the baseline and does not count as new. */
internal fun Trial.after(warmUp: Trial?): Trial {
    if (warmUp?.outcome != Outcome.Invalid) return this
    return copy(warnings = warnings + "The warm-up before it was invalid: ${warmUp.reasons.joinToString(" ")}")
}

private const val SHOWN = 3

/** Bursts on a quiet machine stay below 80 ms, even with a thousand in flight. */
private const val LATE_MS = 100.0
private const val LATE_SHARE = 0.05
