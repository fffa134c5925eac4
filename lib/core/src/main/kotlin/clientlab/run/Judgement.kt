package clientlab.run

import clientlab.Outcome
import clientlab.probe.Evidence
import clientlab.probe.Leaks
import clientlab.workload.BurstResult

/** How a burst is judged: the [outcome], why it is not complete, and what a reader should know all the same. */
public class Judgement(
    public val outcome: Outcome,
    public val reasons: List<String>,
    public val warnings: List<String>,
)

/**
 * Judges a burst of [asked] requests by what the server saw.
 *
 * Invalid where anything failed, was answered early, or does not add up between client and server, where an accept queue ran over, where
 * the client left behind what its adapter does not declare, or where [snapshotKept] is false: answers came before the snapshot was
 * taken. Else a wave where fewer than [asked] were in flight at once; else complete.
 *
 * @param limit the most in flight that the adapter declares, or null.
 */
public fun judgeBurst(
    asked: Int,
    result: BurstResult,
    evidence: Evidence,
    leaks: Leaks?,
    limit: Int?,
    snapshotKept: Boolean,
): Judgement {
    val wrong =
        buildList {
            if (result.failed > 0) {
                val kinds = result.errors.entries.joinToString { (kind, count) -> "$kind ($count)" }
                add("${result.failed} of $asked requests failed: $kinds. The first: ${result.example}")
            }
            if (evidence.answeredEarly > 0) add("${evidence.answeredEarly} answers came before their delay.")
            if (evidence.arrived != asked.toLong()) add("The client sent $asked requests and the server saw ${evidence.arrived}.")
            if (result.failed == 0 && evidence.answeredOk < asked) {
                add("The client counted $asked answers and the server wrote ${evidence.answeredOk}.")
            }
            if ((evidence.listenOverflows ?: 0) > 0) {
                add("An accept queue on this machine ran over ${evidence.listenOverflows} times, so connections were retried.")
            }
            if (leaks != null && leaks.undeclared.isNotEmpty()) {
                add("${leaks.undeclared.size} threads were left after close: ${leaks.undeclared.distinct().take(SHOWN).joinToString()}.")
            }
            if (leaks != null && leaks.undeclaredConnections > 0) add("${leaks.connections} connections were left open after close.")
            if (!snapshotKept) add("Answers came before the snapshot was taken, so the threads were not counted; lengthen the delay.")
        }
    val peak = evidence.peakInFlight
    val warnings =
        buildList {
            if (peak < asked && limit == null) add("Only $peak of $asked were in flight at once, and the adapter declares no limit.")
            if (peak < asked && limit != null && peak != limit.toLong()) add("$peak were in flight at once; the adapter declares $limit.")
        }
    return when {
        wrong.isNotEmpty() -> Judgement(Outcome.Invalid, wrong, warnings)
        peak < asked -> Judgement(Outcome.Wave, listOf("The server saw at most $peak of $asked in flight."), warnings)
        else -> Judgement(Outcome.Complete, emptyList(), warnings)
    }
}

private const val SHOWN = 3
