package clientlab.trial

import clientlab.Evidence
import clientlab.Leaks
import clientlab.Outcome
import clientlab.Trial

/** How a burst is judged: the [outcome], why it is not complete, and what a reader should know all the same. */
public class Judgement(
    public val outcome: Outcome,
    public val reasons: List<String>,
    public val warnings: List<String>,
) {
    /** The same with [more] reasons, any of which makes it invalid, and more warnings. */
    internal fun and(more: List<String>, warned: List<String>): Judgement =
        if (more.isEmpty()) {
            Judgement(outcome, reasons, warnings + warned)
        } else {
            Judgement(Outcome.Invalid, reasons + more, warnings + warned)
        }
}

/**
 * Judges a burst of [asked] requests by what the server saw.
 *
 * Invalid where anything failed, was answered early by the server's word or by the client's clock, or does not add up between client and
 * server, where connections were used that the session did not open, where an accept queue ran over, where the client left behind what
 * its adapter does not declare, or where [snapshotKept] is false: answers came before the snapshot was taken. Else a wave where fewer
 * than [asked] were in flight at once; else complete.
 *
 * @param limit the most in flight that the adapter declares, or null.
 * @param delayMs how long the server had to wait before each answer.
 * @param keptConnections how many connections the adapter declares to outlive a session, which the next one may use; null where the
 *   server does not count connections, or where one may carry several requests at once.
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
        buildList {
            if (result.failed > 0) {
                val kinds = result.errors.entries.joinToString { (kind, count) -> "$kind ($count)" }
                add("${result.failed} of $asked requests failed: $kinds. The first: ${result.example}")
            }
            if (evidence.answeredEarly > 0) add("${evidence.answeredEarly} answers came before their delay.")
            tooSoon(result.latenciesMs, delayMs)?.let { add(it) }
            if (evidence.arrived != asked.toLong()) add("The client sent $asked requests and the server saw ${evidence.arrived}.")
            if (result.failed == 0 && evidence.answeredOk < asked) {
                add("The client counted $asked answers and the server wrote ${evidence.answeredOk}.")
            }
            keptConnections?.let { addAll(connectionsOfOthers(evidence, it)) }
            if ((evidence.listenOverflows ?: 0) > 0) {
                add("An accept queue on the server's machine ran over ${evidence.listenOverflows} times, so connections were retried.")
            }
            if (leaks != null && leaks.undeclared.isNotEmpty()) {
                add("${leaks.undeclared.size} threads were left after close: ${leaks.undeclared.distinct().take(SHOWN).joinToString()}.")
            }
            if (leaks != null && leaks.undeclaredConnections > 0) add("${leaks.connections} connections were left open after close.")
            if (!snapshotKept) add("Answers came before the snapshot was taken, so the threads were not counted; lengthen the delay.")
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

/**
 * The sentence where [who] had answers, whose latencies are [ascendingMs], sooner than the server may give them; else null.
 *
 * It holds the server to its word by another clock, and the client too: whoever has an answer before its delay is over has not waited
 * for it. Both clocks run at one pace, and the request was on its way before the server began to wait.
 */
internal fun tooSoon(ascendingMs: DoubleArray, delayMs: Long, who: String = "client"): String? {
    val soon = ascendingMs.count { it < delayMs }
    if (soon == 0) return null
    val first = ascendingMs.first().toLong()
    return "The $who had $soon answers before the delay of $delayMs ms was over, the first after $first ms."
}

/** In flight at once need a connection each: those that were not opened now were there before the session. */
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

/** This trial, with a warning where its [warmUp] was invalid: what it left behind is in the baseline, and counts as nothing new. */
internal fun Trial.after(warmUp: Trial?): Trial =
    if (warmUp?.outcome != Outcome.Invalid) {
        this
    } else {
        copy(warnings = warnings + "The warm-up before it was invalid: ${warmUp.reasons.joinToString(" ")}")
    }

private const val SHOWN = 3

/** Bursts on a quiet machine stay below 80 ms, with a thousand in flight too. */
private const val LATE_MS = 100.0
private const val LATE_SHARE = 0.05
