package clientlab.notebook.bisect

import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/** A candidate that was asked: what its forks answered, and the metrics that were asked for, one value per fork. */
internal class Step(val candidate: Candidate, val votes: Votes, val values: Map<String, List<Double>>) {
    val decided: String? get() = votes.decided

    /** The medians of what was asked for, as in `batches 5`. */
    val measured: String get() = values.entries.joinToString { (name, of) -> "$name ${Bootstrap.median(of)}" }

    override fun toString(): String = listOf("$candidate: $votes", measured).filter { it.isNotEmpty() }.joinToString("; ")
}

/**
 * What a bisection found.
 *
 * @property culprit the first candidate that answers otherwise, or null if the ends answer the same or no change was found.
 * @property before the last one that answers as the first does, or null.
 */
public class Bisection internal constructor(
    private val asked: String,
    private val steps: List<Step>,
    private val change: Change?,
    all: List<Candidate>,
) {
    /** The two that the finding is about: both sides of the change, or both ends. */
    private val sides = change?.let { listOf(all[it.before], all[it.since]).map(::step) } ?: steps.take(2)
    private val isSure = change != null && sides[0].votes.byChance(sides[1].votes) < Votes.CHANCE

    public val culprit: Candidate? = sides[1].candidate.takeIf { isSure }
    public val before: Candidate? = sides[0].candidate.takeIf { isSure }

    private val between = change?.takeIf { it.isWide }?.let { all.subList(it.before + 1, it.since) }.orEmpty()

    /** The finding in one or two sentences. */
    public val finding: String
        get() {
            val (was, now) = sides
            if (isSure) {
                val day = now.candidate.released?.let { " of $it" }.orEmpty()
                val unknown = if (between.isEmpty()) "" else " Between them nothing could be asked of ${between.joinToString()}."
                return "$asked changes with ${now.candidate}$day. Before it: ${was.told}. Since then: ${now.told}.$unknown"
            }
            val silent = sides.firstOrNull { it.decided == null }
            if (silent != null) return "$asked cannot be told of $silent."
            if (change != null || was.decided != now.decided) {
                val chance = Estimate.rounded(was.votes.byChance(now.votes))
                return "No culprit: $asked of ${was.candidate} and of ${now.candidate} differs by no more than chance " +
                    "(Fisher's exact test, p = $chance). ${sides.joinToString(". ")}."
            }
            return "No culprit: $asked is the same at both ends, and what lies between was not asked. ${steps.joinToString(". ")}."
        }

    private fun step(of: Candidate) = steps.first { it.candidate === of }

    /** One row per candidate that was asked, in the order of the questions: its answer, and what was measured. */
    public fun steps(): AnyFrame = steps.toDataFrame {
        "candidate" from { it.candidate.name }
        "answer" from { it.decided ?: "undecided" }
        "forks" from { it.votes.toString() }
        "measured" from { it.measured }
    }

    private val Step.told get() = listOf("$votes", measured).filter { it.isNotEmpty() }.joinToString("; ")

    override fun toString(): String = finding
}
