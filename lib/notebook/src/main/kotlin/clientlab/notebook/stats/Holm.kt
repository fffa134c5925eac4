package clientlab.notebook.stats

/**
 * The correction for looking at many comparisons at once: of twenty intervals of 95 % one misses the truth even where nothing differs.
 *
 * S. Holm, *A simple sequentially rejective multiple test procedure*, 1979: with m comparisons, the one that speaks loudest must hold at
 * 1/m of the share that may err, the next at 1/(m − 1), and so on until one does not hold. The chance that any of them errs is then 5 % in
 * all, whatever they have to do with each other.
 */
public object Holm {
    /** The p-values [p], corrected: each as it would have to be were it the only one. NaN stays NaN and counts for nothing. */
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

    /** The ratios of the medians of [pairs], with intervals that all hold the truth together in 95 of 100 cases. */
    public fun ratios(pairs: List<Pair<List<Double>, List<Double>>>, seed: Long = SEED): List<Estimate> =
        intervals(pairs, "ratio of medians", 1.0) { a, b -> Bootstrap.ratios(a, b, seed, MANY) }

    /** The differences of the medians of [pairs], with intervals that all hold the truth together in 95 of 100 cases. */
    public fun differences(pairs: List<Pair<List<Double>, List<Double>>>, seed: Long = SEED): List<Estimate> =
        intervals(pairs, "difference of medians", 0.0) { a, b -> Bootstrap.differences(a, b, seed, MANY) }

    /**
     * In the order in which they speak against [same]: intervals that leave out 5 % / m, 5 % / (m − 1), …, until one holds [same]; those
     * behind it leave out as little as that one, and hold it too. Resamples are drawn a second time rather than kept.
     */
    private fun intervals(
        pairs: List<Pair<List<Double>, List<Double>>>,
        what: String,
        same: Double,
        resample: (List<Double>, List<Double>) -> Resampled?,
    ): List<Estimate> {
        val levels = pairs.parallelStream().map { (a, b) -> resample(a, b)?.level(same) }.toList()
        val order = pairs.indices.filter { levels[it] != null }.sortedBy { levels[it] }
        val made = pairs.map { Estimate(Double.NaN, Double.NaN, Double.NaN, 0, what) }.toMutableList()

        fun interval(index: Int, left: Int): Estimate =
            checkNotNull(pairs[index].let { (a, b) -> resample(a, b) })
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
        behind
            .parallelStream()
            .map { it to interval(it, left) }
            .toList()
            .forEach { (index, estimate) -> made[index] = estimate }
        return made
    }

    /** An interval of one of sixty ends between the last few of ten thousand resamples, so there are more. */
    private const val MANY = 40_000
}
