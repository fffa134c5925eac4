package clientlab.notebook.bisect

import clientlab.*
import clientlab.notebook.fork.*
import org.apache.commons.statistics.inference.FisherExactTest

/**
 * What the forks of a candidate have answered. The answer stands when one is ahead of every other by [LEAD] forks: with forks that are right
 * in nine of ten cases, and two answers, it is wrong in one of 730 (A. Wald's sequential test, 1945).
 */
internal class Votes {
    private val counts = LinkedHashMap<String, Int>()
    var silent: String? = null
        private set

    /** Counts what the fork of [trial] answers. One that hangs answers too: with [HANGS]. One that is invalid for another reason does not. */
    fun count(trial: Trial, answer: () -> String) {
        when {
            trial.hung -> add(HANGS)

            trial.outcome == Outcome.Invalid -> none(trial.reasons.joinToString(" "))

            else -> try {
                add(answer())
            } catch (e: NotSeen) {
                none(e.message.orEmpty())
            }
        }
    }

    /** Counts the answer of a fork. */
    fun add(answer: String) {
        counts.merge(answer, 1, Int::plus)
    }

    /** Notes [why] a fork gave none. */
    fun none(why: String) {
        silent = why
    }

    /** Whether forks were asked and none has answered, so that more of them would not either. */
    val isMute: Boolean get() = counts.isEmpty() && silent != null

    /** The answer that stands, or null. */
    val decided: String?
        get() {
            val (first, second) = counts.entries.sortedByDescending { it.value }.let { it.getOrNull(0) to it.getOrNull(1) }
            return first?.key?.takeIf { first.value - (second?.value ?: 0) >= LEAD }
        }

    /** `true, in 3 of 3 forks`. */
    override fun toString(): String {
        val most = counts.maxByOrNull { it.value } ?: return "no fork answers: ${silent?.trimEnd('.')}"
        return "${most.key}, in ${most.value} of ${counts.values.sum()} forks"
    }

    /**
     * How likely forks of one and the same differ as much as these and those of [other], of which another answer stands: R. Fisher's exact
     * test. 1 where the same answer stands, or none.
     */
    fun byChance(other: Votes): Double {
        val answer = decided ?: return 1.0
        if (other.decided == null || other.decided == answer) return 1.0
        val table = listOf(this, other).map { votes ->
            val same = votes.counts[answer] ?: 0
            intArrayOf(same, votes.counts.values.sum() - same)
        }
        return FisherExactTest.withDefaults().test(table.toTypedArray()).pValue
    }

    companion object {
        const val LEAD = 3

        /** The answer of a fork whose requests never end. */
        const val HANGS = "it hangs"

        /** Two ends differ if chance would have them differ so in fewer than one of 200 cases: with answers that never vary, six forks of each. */
        const val CHANCE = 0.005
    }
}
