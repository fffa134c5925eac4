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
 * @property then whether it is about the version that the source measured; a claim that has such parts has others about today's.
 * @param leavingOut the same estimate with an interval that leaves out another share; null if its interval is no matter of chance, as in
 * the figures of a source.
 * @property oneOf as one of how many parts it is decided, see [asOneOf].
 */
public data class Part(
    val of: String,
    val metric: String,
    val bound: Bound,
    val estimate: Estimate,
    val floor: NoiseFloor? = null,
    private val leavingOut: ((Double) -> Estimate)? = null,
    val oneOf: Int = 1,
    val then: Boolean = false,
) {
    /**
     * The interval decides: wholly inside the bound, wholly outside, or neither. Fewer than [FEWEST_FORKS] forks decide nothing.
     *
     * If there is a [floor], a difference within the noise is not reported. A decision reports a difference if it cannot be true of two
     * equal things: if their ratio of 1 (or difference of 0) is not well inside a supported bound, or not well outside a refuted one. Such
     * a decision holds only if the interval and the floor do not overlap; otherwise the part is inconclusive. A decision that is also true
     * of equal things, for example that two times are within a tenth of each other, needs the interval alone.
     */
    public val outcome: VerdictOutcome get() = if (lost || perhaps != null) VerdictOutcome.Inconclusive else byInterval

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

    /** Whether chance has a part in what decides it. */
    internal val byChance: Boolean get() = leavingOut != null && estimate.n >= FEWEST_FORKS

    /** The wider interval of one of many, if only the narrow one is outside the bound. */
    private val perhaps: Estimate? by lazy {
        if (oneOf < 2 || byInterval != VerdictOutcome.Refuted) return@lazy null
        leavingOut?.invoke(ALPHA / oneOf)?.takeIf { Part(of, metric, bound, it).byInterval != VerdictOutcome.Refuted }
    }

    /**
     * This part as one of [several]. One interval of 95 % in twenty misses its truth, so that of many one would refute what is true. Such a
     * part refutes only if the interval that leaves out 5 % / [several] does, too: the first step of S. Holm, *A simple sequentially
     * rejective multiple test procedure*, 1979.
     */
    internal fun asOneOf(several: Int): Part = if (byChance) copy(oneOf = several) else this

    internal val words: String get() = if (because.isEmpty()) outcome.toString() else "$outcome: $because"

    /** The reason why it is inconclusive, or an empty text. */
    public val because: String
        get() =
            when {
                outcome != VerdictOutcome.Inconclusive -> {
                    ""
                }

                estimate.n == 0 -> {
                    "no trial here can tell"
                }

                estimate.n < FEWEST_FORKS -> {
                    "${estimate.n} fork${if (estimate.n == 1) "" else "s"}, where $FEWEST_FORKS are needed; so far $side the bound"
                }

                perhaps != null -> {
                    val wider = confidence(ALPHA / oneOf)
                    "outside the bound, but of $oneOf such intervals one may be so by chance; the interval of $wider is $perhaps"
                }

                lost -> {
                    "inside the noise, for one and the same differs from itself by $floor"
                }

                else -> {
                    "the interval crosses the bound"
                }
            }

    private val side get() = if (estimate.value >= bound.low && estimate.value <= bound.high) "inside" else "outside"

    public companion object {
        /** With fewer forks no claim is decided. */
        public const val FEWEST_FORKS: Int = 5

        /** A part about the median of [values], one value per fork. */
        public fun median(of: String, metric: String, bound: Bound, values: List<Double>, floor: NoiseFloor? = null): Part =
            of(of, metric, bound, floor) { Bootstrap.median(values, leftOut = it) }

        /** A part about the median of [values] divided by that of [others], two independent sets of forks. */
        public fun ratio(
            of: String,
            metric: String,
            bound: Bound,
            values: List<Double>,
            others: List<Double>,
            floor: NoiseFloor? = null,
        ): Part = of(of, metric, bound, floor) { Bootstrap.ratio(values, others, leftOut = it) }

        /** A part about the share of forks, [hits] of [n], in which something happened. */
        public fun share(of: String, metric: String, bound: Bound, hits: Int, n: Int): Part =
            of(of, metric, bound) { Share.of(hits, n, leftOut = it) }

        /** A part about any [estimate], which is asked for the share that its interval leaves out. */
        public fun of(of: String, metric: String, bound: Bound, floor: NoiseFloor? = null, estimate: (Double) -> Estimate): Part =
            Part(of, metric, bound, estimate(ALPHA), floor, estimate)
    }
}
