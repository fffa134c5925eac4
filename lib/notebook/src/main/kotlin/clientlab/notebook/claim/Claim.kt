package clientlab.notebook.claim

import clientlab.notebook.frame.Trials
import clientlab.notebook.stats.Bootstrap
import clientlab.notebook.stats.Estimate
import clientlab.notebook.stats.NoiseFloor

/** What a claim allows: a closed range, open where an end is infinite. */
public data class Bound(
    val low: Double = Double.NEGATIVE_INFINITY,
    val high: Double = Double.POSITIVE_INFINITY,
) {
    override fun toString(): String =
        when {
            low == high -> Estimate.rounded(low)
            low.isInfinite() -> "at most ${Estimate.rounded(high)}"
            high.isInfinite() -> "at least ${Estimate.rounded(low)}"
            else -> "${Estimate.rounded(low)} to ${Estimate.rounded(high)}"
        }
}

/**
 * One thing that a claim says, of one client mostly: what is measured, and what it must be.
 *
 * @property of whom or what it is about, as in a legend.
 * @property metric what is measured, in words.
 * @property estimate its value over forks; n is 0 where no trial can tell.
 * @property floor of a comparison of two treatments, the noise that a difference has to rise above; null where nothing is compared, or
 *   where no A/A run of that workload is published.
 */
public data class Part(
    val of: String,
    val metric: String,
    val bound: Bound,
    val estimate: Estimate,
    val floor: NoiseFloor? = null,
) {
    /**
     * Decided by the interval: wholly inside the bound, wholly outside, or neither; and by no fewer than [FEWEST_FORKS] forks.
     *
     * Where there is a [floor], no difference within the noise is reported as one. The interval reports a difference where what it decides
     * cannot be true of two equal things: where their ratio of 1 (or difference of 0) is not well inside a bound that would be supported,
     * or not well outside of one that would be refuted. Such a decision stands only if interval and floor have nothing in common; else the
     * part is inconclusive. A decision that is true of equal things too, as that two times are within a tenth of each other, needs no more
     * than the interval.
     */
    public val outcome: VerdictOutcome get() = if (lost) VerdictOutcome.Inconclusive else byInterval

    private val byInterval: VerdictOutcome
        get() =
            when {
                estimate.n < FEWEST_FORKS -> VerdictOutcome.Inconclusive
                estimate.low >= bound.low && estimate.high <= bound.high -> VerdictOutcome.Supported
                estimate.high < bound.low || estimate.low > bound.high -> VerdictOutcome.Refuted
                else -> VerdictOutcome.Inconclusive
            }

    /** Whether a difference would be reported that is lost in the noise. */
    private val lost: Boolean
        get() {
            val noise = floor ?: return false
            val trueOfEquals =
                when (byInterval) {
                    VerdictOutcome.Supported -> noise.same > bound.low && noise.same < bound.high
                    VerdictOutcome.Refuted -> noise.same < bound.low || noise.same > bound.high
                    else -> true
                }
            return !trueOfEquals && noise.touches(estimate)
        }

    /** Why it is inconclusive, or an empty text. */
    public val because: String
        get() =
            when {
                outcome != VerdictOutcome.Inconclusive -> ""
                estimate.n == 0 -> "no trial here can tell"
                estimate.n < FEWEST_FORKS -> "${estimate.n} forks of at least $FEWEST_FORKS; so far $side the bound"
                lost -> "inside the noise, for one and the same differs from itself by $floor"
                else -> "the interval crosses the bound"
            }

    private val side get() = if (estimate.value >= bound.low && estimate.value <= bound.high) "inside" else "outside"

    public companion object {
        /** Fewer forks decide no claim. */
        public const val FEWEST_FORKS: Int = 5

        /** A part about the median of [values], one a fork. */
        public fun median(
            of: String,
            metric: String,
            bound: Bound,
            values: List<Double>,
            floor: NoiseFloor? = null,
        ): Part = Part(of, metric, bound, Bootstrap.median(values), floor)
    }
}

/**
 * Something that a source says, put so that data decide it. Defined once, here; notebooks and ledger ask for it by its id.
 *
 * @property id its name in every ledger; the word before the point is the topic.
 * @property source the number of the document it comes from, or [BEYOND].
 * @property words the claim, in our words.
 * @property figure what the source gives for it.
 * @property evidence the published runs that decide it, as in `threads-2026-11`; none where the source's own figures do.
 * @property notebook the article that treats it.
 * @property untestable why nothing measured here could decide it, or null.
 * @property parts what has to hold, computed from trials.
 */
public class Claim(
    public val id: String,
    public val source: String,
    public val words: String,
    public val figure: String,
    public val evidence: List<String>,
    public val notebook: String,
    public val untestable: String? = null,
    public val parts: (Trials) -> List<Part>,
) {
    /** Who says it, in a few words: a source's number, or that no source does. */
    internal val saidBy: String get() = if (source == BEYOND) "beyond the sources" else "source $source"

    public companion object {
        /** What stands for a source where the claim is ours: no document makes it. */
        public const val BEYOND: String = "beyond"
    }
}
