package clientlab.notebook.stats

/**
 * What a comparison of one thing with itself gives, here: the noise in which a difference between two things would be lost.
 *
 * @property same what it gives where there is no noise: 1 of a ratio, 0 of a difference.
 * @property low where the noise begins, and [high] where it ends. Which of two names comes first means nothing, so a floor reaches as far
 *   down as it does up, ratios on a logarithmic scale.
 * @property from what was measured to find out, as in `run 20261121-120000-abcd`.
 */
public data class NoiseFloor(
    val same: Double,
    val low: Double,
    val high: Double,
    val from: String,
) {
    /** Whether any of [estimate]'s interval lies within the noise. */
    public fun touches(estimate: Estimate): Boolean = estimate.low <= high && estimate.high >= low

    /** `0.97 to 1.03`. */
    override fun toString(): String = "${Estimate.rounded(low)} to ${Estimate.rounded(high)}"

    public companion object {
        /**
         * The floor of ratios, from [ratios] of things with themselves: as far as the farthest end of any; without end where one holds 0, and
         * null where none rests on two forks.
         */
        public fun ofRatios(ratios: List<Estimate>, from: String): NoiseFloor? {
            val known = ratios.filter { it.n > 1 }
            if (known.isEmpty()) return null
            val reach = known.maxOf { if (it.low <= 0) Double.POSITIVE_INFINITY else maxOf(it.high, 1 / it.low, 1.0) }
            return NoiseFloor(1.0, 1 / reach, reach, from)
        }

        /** The floor of differences, likewise. */
        public fun ofDifferences(differences: List<Estimate>, from: String): NoiseFloor? {
            val known = differences.filter { it.n > 1 }
            if (known.isEmpty()) return null
            val reach = known.maxOf { maxOf(it.high, -it.low, 0.0) }
            return NoiseFloor(0.0, -reach, reach, from)
        }
    }
}
