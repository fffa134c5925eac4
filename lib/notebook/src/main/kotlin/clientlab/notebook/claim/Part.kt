package clientlab.notebook.claim

import clientlab.notebook.stats.*

/** The range that a claim allows; an infinite end is open. */
public data class Bound(val low: Double = Double.NEGATIVE_INFINITY, val high: Double = Double.POSITIVE_INFINITY) {
    override fun toString(): String =
        when {
            low == high -> Estimate.rounded(low)
            low.isInfinite() -> "at most ${Estimate.rounded(high)}"
            high.isInfinite() -> "at least ${Estimate.rounded(low)}"
            else -> "${Estimate.rounded(low)} to ${Estimate.rounded(high)}"
        }
}

/**
 * One statement of a claim: what is measured, and the bound that it must keep.
 *
 * @property of what it is about, mostly a client, as in a legend.
 * @property metric what is measured, in words.
 * @property estimate its value over forks; n is 0 if no trial has one.
 * @property floor in a comparison, the noise that a difference must exceed; null if no A/A run of that workload is published.
 */
public data class Part(val of: String, val metric: String, val bound: Bound, val estimate: Estimate, val floor: NoiseFloor? = null) {
    /**
     * The interval decides: wholly inside the bound, wholly outside, or neither. Fewer than [FEWEST_FORKS] forks decide nothing.
     *
     * If there is a [floor], a difference within the noise is not reported. A decision reports a difference if it cannot be true of two
     * equal things: if their ratio of 1 (or difference of 0) is not well inside a supported bound, or not well outside a refuted one. Such
     * a decision holds only if the interval and the floor do not overlap; otherwise the part is inconclusive. A decision that is also true
     * of equal things, for example that two times are within a tenth of each other, needs the interval alone.
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

    /** Whether the reported difference is within the noise. */
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

    internal val words: String get() = if (because.isEmpty()) outcome.toString() else "$outcome: $because"

    /** The reason why it is inconclusive, or an empty text. */
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
        /** With fewer forks no claim is decided. */
        public const val FEWEST_FORKS: Int = 5

        /** A part about the median of [values], one value per fork. */
        public fun median(of: String, metric: String, bound: Bound, values: List<Double>, floor: NoiseFloor? = null): Part =
            Part(of, metric, bound, Bootstrap.median(values), floor)
    }
}
