package clientlab.notebook.stats

import kotlin.math.abs

/**
 * Whether values rise or fall from round to round, and by how much, without an assumption about their distribution.
 *
 * The test is M. Kendall's rank correlation (*A new measure of rank correlation*, 1938), its p by permutation of the rounds: all orders of
 * up to [RankCorrelation.MOST_IN_FULL], seeded ones up to [RankCorrelation.MOST_SHUFFLED] (B. Phipson and G. Smyth, *Permutation p-values
 * should never be zero*, 2010), and a normal distribution beyond (M. Kendall, *Rank correlation methods*, 1948).
 */
public object Drift {
    /**
     * The change from the first round to the last, in percent of the line's first value: H. Theil's slope, the median of the slopes between
     * all pairs, with the interval of P. Sen (*Estimates of the regression coefficient based on Kendall's tau*, 1968), whose coverage is at
     * least 95 %. The interval is NaN for fewer than five rounds, and all numbers are NaN for fewer than two.
     */
    public fun change(values: Map<Int, Double>): Estimate {
        val points = values.toSortedMap().toList()
        if (points.size < 2) return Estimate.none(METHOD, points.size)
        val slopes = slopes(points)
        val slope = median(slopes)
        val start = start(points, slope)
        val reach = (points.last().first - points.first().first) * PERCENT / abs(start)

        // If all values are equal, the change is 0, even if they are all zero.
        fun percent(by: Double) = if (by == 0.0) 0.0 else (by * reach).takeIf { it.isFinite() } ?: Double.NaN
        val cut = RankCorrelation.cut(points.size)
        val (low, high) = cut?.let { percent(slopes[it]) to percent(slopes[slopes.size - 1 - it]) } ?: (Double.NaN to Double.NaN)
        return Estimate(percent(slope), low, high, points.size, METHOD)
    }

    /** The line of [change], as its values at the first round and at the last; null for fewer than two rounds. */
    public fun line(values: Map<Int, Double>): Pair<Double, Double>? {
        val points = values.toSortedMap().toList()
        if (points.size < 2) return null
        val slope = median(slopes(points))
        val start = start(points, slope)
        return start to start + slope * (points.last().first - points.first().first)
    }

    /** The probability of a correlation with the round as strong as that of [values] if there is no drift; 1 for fewer than two rounds. */
    public fun p(values: Map<Int, Double>, seed: Long = SEED): Double {
        if (values.size <= RankCorrelation.MOST_SHUFFLED) return together(listOf(values), seed)
        return RankCorrelation.normalP(values.toSortedMap().values.toDoubleArray())
    }

    /**
     * The same for all of [treatments] at once, whose correlations are added up (R. Hirsch, J. Slack and R. Smith, *Techniques of trend
     * analysis for monthly water quality data*, 1982). Rounds are shuffled in the same way for all, because they are disturbed together.
     */
    public fun together(treatments: List<Map<Int, Double>>, seed: Long = SEED): Double {
        val rounds = treatments.flatMap { it.keys }.distinct().sorted()
        if (rounds.size < 2) return 1.0
        return RankCorrelation.of(treatments.map { of -> DoubleArray(rounds.size) { of[rounds[it]] ?: Double.NaN } }).p(seed)
    }

    /** The smallest p that [rounds] rounds can give: one order and its reverse, of all orders. */
    public fun smallestP(rounds: Int): Double = RankCorrelation.smallestP(rounds)

    private fun slopes(points: List<Pair<Int, Double>>): DoubleArray {
        val x = IntArray(points.size) { points[it].first }
        val y = DoubleArray(points.size) { points[it].second }
        val slopes = DoubleArray(x.size * (x.size - 1) / 2)
        var next = 0
        for (later in x.indices) for (earlier in 0 until later) slopes[next++] = (y[later] - y[earlier]) / (x[later] - x[earlier])
        return slopes.apply { sort() }
    }

    private fun start(points: List<Pair<Int, Double>>, slope: Double): Double = median(points.map { it.second }.toDoubleArray()) -
        slope * (median(points.map { it.first.toDouble() }.toDoubleArray()) - points.first().first)

    private const val PERCENT = 100
    private const val METHOD = "Theil–Sen slope from first to last round, interval of 95 % or more by Kendall's distribution"
}
