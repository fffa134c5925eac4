package clientlab.notebook.stats

/**
 * The result of comparing a treatment with itself: a difference between two treatments within this noise means nothing.
 *
 * [same] is the result without noise: 1 for a ratio, 0 for a difference. [low] and [high] are equally far from it, for ratios on a
 * logarithmic scale, because the order of the two names has no meaning. [from] names the data, as in `run 20261121-120000-abcd`.
 */
public data class NoiseFloor(val same: Double, val low: Double, val high: Double, val from: String) {
    /** Whether any part of [estimate]'s interval lies within the noise. */
    public fun touches(estimate: Estimate): Boolean = estimate.low <= high && estimate.high >= low

    /** `0.97 to 1.03`. */
    override fun toString(): String = "${Estimate.rounded(low)} to ${Estimate.rounded(high)}"

    public companion object {
        /**
         * The floor of [ratios] of things with themselves, up to the farthest end of any: infinite if an interval contains 0, null if none
         * has two forks.
         */
        public fun ofRatios(ratios: List<Estimate>, from: String): NoiseFloor? =
            reach(ratios) { if (it.low <= 0) Double.POSITIVE_INFINITY else maxOf(it.high, 1 / it.low, 1.0) }
                ?.let { NoiseFloor(1.0, 1 / it, it, from) }

        /** The floor of differences, likewise. */
        public fun ofDifferences(differences: List<Estimate>, from: String): NoiseFloor? =
            reach(differences) { maxOf(it.high, -it.low, 0.0) }?.let { NoiseFloor(0.0, -it, it, from) }

        private fun reach(estimates: List<Estimate>, of: (Estimate) -> Double) = estimates.filter { it.n > 1 }.maxOfOrNull(of)
    }
}
