package clientlab.notebook.stats

import org.apache.commons.rng.UniformRandomProvider
import org.apache.commons.rng.simple.RandomSource
import org.apache.commons.statistics.descriptive.Median
import kotlin.math.abs
import kotlin.math.sign

/**
 * Whether values go one way from round to round, and by how much; nothing about their distribution is assumed.
 *
 * The test is M. Kendall's rank correlation (*A new measure of rank correlation*, 1938), its p by permutation of the rounds: all orders up
 * to [MOST_IN_FULL] rounds, else [SHUFFLES] seeded ones (B. Phipson and G. Smyth, *Permutation p-values should never be zero*, 2010).
 */
public object Drift {
    /**
     * The change from the first round to the last in percent of where the line begins: H. Theil's slope, the median of the slopes between
     * all pairs, with the interval of P. Sen (*Estimates of the regression coefficient based on Kendall's tau*, 1968), whose coverage is
     * at least 95 %. The interval is NaN below five rounds, which bear none; all is NaN for fewer than two.
     */
    public fun change(values: Map<Int, Double>): Estimate {
        val points = values.toSortedMap().toList()
        if (points.size < 2) return Estimate(Double.NaN, Double.NaN, Double.NaN, points.size, METHOD)
        val slopes = slopes(points)
        val slope = median(slopes)
        val start = start(points, slope)
        val reach = (points.last().first - points.first().first) * PERCENT / abs(start)

        // Where nothing changes there is no change, be it of nothing.
        fun percent(by: Double) = if (by == 0.0) 0.0 else (by * reach).takeIf { it.isFinite() } ?: Double.NaN
        val cut = cut(points.size)
        return Estimate(
            percent(slope),
            cut?.let { percent(slopes[it]) } ?: Double.NaN,
            cut?.let { percent(slopes[slopes.size - 1 - it]) } ?: Double.NaN,
            points.size,
            METHOD,
        )
    }

    /** The line of [change], as its values at the first round and at the last; null for fewer than two rounds. */
    public fun line(values: Map<Int, Double>): Pair<Double, Double>? {
        val points = values.toSortedMap().toList()
        if (points.size < 2) return null
        val slope = median(slopes(points))
        val start = start(points, slope)
        return start to start + slope * (points.last().first - points.first().first)
    }

    /** How likely a correlation with the round as strong as that of [values], or stronger, is where there is none; 1 for fewer than two. */
    public fun p(values: Map<Int, Double>, seed: Long = SEED): Double = together(listOf(values), seed)

    /**
     * The same for all of [treatments] at once, whose correlations are added up (R. Hirsch, J. Slack and R. Smith, *Techniques of trend
     * analysis for monthly water quality data*, 1982). Rounds are shuffled for all alike: what disturbs a round disturbs all its trials.
     */
    public fun together(treatments: List<Map<Int, Double>>, seed: Long = SEED): Double {
        val rounds = treatments.flatMap { it.keys }.distinct().sorted()
        if (rounds.size < 2) return 1.0
        val signs = Array(rounds.size) { later ->
            IntArray(later) { earlier ->
                treatments.sumOf { of ->
                    val (a, b) = of[rounds[earlier]] to of[rounds[later]]
                    if (a == null || b == null) 0 else (b - a).sign.toInt()
                }
            }
        }
        val seen = abs(sum(signs, IntArray(rounds.size) { it }))
        return if (rounds.size <= MOST_IN_FULL) inFull(signs, seen) else byChance(signs, seen, seed)
    }

    /** The smallest p that [rounds] rounds can give: that of one order and its reverse, of all. */
    public fun smallestP(rounds: Int): Double =
        if (rounds < 2) 1.0 else maxOf(2.0 / factorial(rounds), if (rounds > MOST_IN_FULL) 1.0 / (SHUFFLES + 1) else 0.0)

    private fun slopes(points: List<Pair<Int, Double>>): DoubleArray =
        points
            .flatMapIndexed { at, (x, y) -> points.drop(at + 1).map { (later, value) -> (value - y) / (later - x) } }
            .toDoubleArray()
            .apply { sort() }

    private fun start(points: List<Pair<Int, Double>>, slope: Double): Double =
        median(points.map { it.second }.toDoubleArray()) -
            slope * (median(points.map { it.first.toDouble() }.toDoubleArray()) - points.first().first)

    private fun median(values: DoubleArray): Double = Median.withDefaults().evaluate(values)

    /**
     * How many of the sorted slopes to leave out at each end for 95 %, by the exact distribution of Kendall's statistic without ties; null
     * where not even all of them reach that far. The number of orders with k inversions is that of P. MacMahon (1916).
     */
    internal fun cut(n: Int): Int? {
        var shares = doubleArrayOf(1.0)
        for (next in 2..n) {
            val longer = DoubleArray(shares.size + next - 1)
            for (k in longer.indices) for (back in 0 until next) longer[k] += (shares.getOrNull(k - back) ?: 0.0) / next
            shares = longer
        }
        var below = 0.0
        var cut: Int? = null
        for (k in 0 until shares.size / 2) {
            below += shares[k]
            if (below > TAIL) break
            cut = k
        }
        return cut
    }

    /** Kendall's statistic where the rounds have the places [order]. */
    private fun sum(signs: Array<IntArray>, order: IntArray): Int {
        var sum = 0
        for (later in order.indices) {
            val row = signs[later]
            for (earlier in 0 until later) sum += if (order[later] > order[earlier]) row[earlier] else -row[earlier]
        }
        return sum
    }

    /** All orders, by B. Heap's method (1963). */
    private fun inFull(signs: Array<IntArray>, seen: Int): Double {
        val order = IntArray(signs.size) { it }
        val counts = IntArray(signs.size)
        var all = 1
        var asStrong = 1
        var at = 0
        while (at < order.size) {
            if (counts[at] < at) {
                swap(order, if (at % 2 == 0) 0 else counts[at], at)
                all++
                if (abs(sum(signs, order)) >= seen) asStrong++
                counts[at]++
                at = 0
            } else {
                counts[at++] = 0
            }
        }
        return asStrong.toDouble() / all
    }

    private fun byChance(signs: Array<IntArray>, seen: Int, seed: Long): Double {
        val random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed)
        val order = IntArray(signs.size) { it }
        val asStrong = (1..SHUFFLES).count {
            shuffle(order, random)
            abs(sum(signs, order)) >= seen
        }
        return (asStrong + 1.0) / (SHUFFLES + 1)
    }

    private fun shuffle(order: IntArray, random: UniformRandomProvider) {
        for (last in order.lastIndex downTo 1) swap(order, last, random.nextInt(last + 1))
    }

    private fun swap(order: IntArray, a: Int, b: Int) {
        order[a] = order[b].also { order[b] = order[a] }
    }

    private fun factorial(n: Int): Double = (2..n).fold(1.0) { product, it -> product * it }

    /** Up to as many rounds all orders are tried; there are 5,040 of seven. */
    internal const val MOST_IN_FULL: Int = 7
    internal const val SHUFFLES: Int = 9_999
    private const val SEED = 42L
    private const val TAIL = 0.025
    private const val PERCENT = 100
    private const val METHOD = "Theil–Sen slope from first to last round, interval of 95 % or more by Kendall's distribution"
}
