package clientlab.trial

import clientlab.*

/** The reasons against a trial that [look] finds in what the server saw, in its order. */
internal fun reasons(evidence: Evidence, look: Reasons.() -> Unit): List<String> = Reasons(evidence).apply(look).found

/** Finds reasons against a trial. Sentences that trials share stand here once. */
internal class Reasons(private val evidence: Evidence) {
    val found = ArrayList<String>()

    fun add(holds: Boolean, sentence: () -> String) {
        if (holds) found += sentence()
    }

    fun answeredEarly() = add(evidence.answeredEarly > 0) { "${evidence.answeredEarly} answers came before their delay." }

    /**
     * [who] had answers, whose latencies are [ascendingMs], before the delay was over. This checks the server by another clock, and the
     * client too: one that has an answer before its delay has not waited for it.
     */
    fun answeredTooSoon(ascendingMs: DoubleArray, delayMs: Long, who: String = "client") {
        val soon = ascendingMs.count { it < delayMs }
        add(soon > 0) {
            "The $who had $soon answers before the delay of $delayMs ms was over, the first after ${ascendingMs.first().toLong()} ms."
        }
    }

    fun arrivedOthers(asked: Int, sent: String = "sent $asked requests") =
        add(evidence.arrived != asked.toLong()) { "The client $sent and the server saw ${evidence.arrived}." }

    fun answeredFewer(answered: Int, who: String = "client") =
        add(evidence.answeredOk < answered) { "The $who counted $answered answers and the server wrote ${evidence.answeredOk}." }

    fun rejected() = add(evidence.rejected > 0) { "The server turned ${evidence.rejected} requests away: its own limit came first." }

    fun overflowed() = overflow(evidence)?.let { found += it }
}

/** The sentence where an accept queue of the server overflowed, or null. One of its machine counts if nobody says whose it was. */
internal fun overflow(evidence: Evidence): String? =
    evidence.listenOverflows
        ?.takeIf { it > 0 && evidence.ownListenDrops != 0L }
        ?.let { "An accept queue on the server's machine ran over $it times, so connections were retried." }

/** These [errors] with their counts, as part of a sentence. */
internal fun spoken(errors: Map<String, Int>): String = errors.entries.joinToString { (kind, count) -> "$kind ($count)" }
