package clientlab.notebook.stats

/**
 * The correction for many comparisons at once: one of twenty 95 % intervals misses the true value even if nothing differs.
 *
 * S. Holm, *A simple sequentially rejective multiple test procedure*, 1979: with m comparisons, the strongest one is tested at 1/m of the
 * error rate, the next at 1/(m − 1), and so on until one fails. The probability of any error is then at most 5 %.
 */
public object Holm {
    /** The corrected p-values of [p]. NaN stays NaN and does not count as a comparison. */
    public fun adjusted(p: List<Double>): List<Double> {
        val order = p.indices.filter { !p[it].isNaN() }.sortedBy { p[it] }
        val adjusted = p.toMutableList()
        var least = 0.0
        order.forEachIndexed { rank, index ->
            least = maxOf(least, (order.size - rank) * p[index]).coerceAtMost(1.0)
            adjusted[index] = least
        }
        return adjusted
    }

    /** The ratios of the medians of [pairs], with intervals that all contain the true value together in 95 of 100 cases. */
    public fun ratios(pairs: List<Pair<List<Double>, List<Double>>>, seed: Long = SEED): List<Estimate> =
        intervals(pairs, "ratio of medians", 1.0) { a, b -> Bootstrap.ratios(a, b, seed, MANY) }

    /** The differences of the medians of [pairs], with intervals that all contain the true value together in 95 of 100 cases. */
    public fun differences(pairs: List<Pair<List<Double>, List<Double>>>, seed: Long = SEED): List<Estimate> =
        intervals(pairs, "difference of medians", 0.0) { a, b -> Bootstrap.differences(a, b, seed, MANY) }

    /**
     * In order of their evidence against [same]: intervals that leave out 5 % / m, 5 % / (m − 1), …, until one contains [same]. The
     * following ones leave out as little as that one, and contain it too. Resamples are drawn again instead of kept.
     */
    private fun intervals(
        pairs: List<Pair<List<Double>, List<Double>>>,
        what: String,
        same: Double,
        resample: (List<Double>, List<Double>) -> Resampled?,
    ): List<Estimate> {
        val levels = pairs.parallelStream().map { (a, b) -> resample(a, b)?.level(same) }.toList()
        val order = pairs.indices.filter { levels[it] != null }.sortedBy { levels[it] }
        val made = pairs.map { Estimate.none(what) }.toMutableList()

        fun interval(index: Int, left: Int): Estimate = checkNotNull(pairs[index].let { (a, b) -> resample(a, b) })
            .percentile(ALPHA / left)
            .copy(method = "$what, 95 % bootstrap interval over forks by Holm, ${order.size} compared")
        var left = order.size
        while (left > 0) {
            val index = order[order.size - left]
            made[index] = interval(index, left)
            if (same in made[index].low..made[index].high) break
            left--
        }
        val behind = if (left == 0) emptyList() else order.drop(order.size - left + 1)
        val others = behind.parallelStream().map { interval(it, left) }.toList()
        behind.zip(others).forEach { (index, estimate) -> made[index] = estimate }
        return made
    }

    /** With sixty comparisons the ends lie among the last few of ten thousand resamples, so there are more. */
    private const val MANY = 40_000
}
