package clientlab.notebook.stats

import org.apache.commons.statistics.distribution.TDistribution
import org.apache.commons.statistics.inference.MannWhitneyUTest
import kotlin.math.abs
import kotlin.math.sqrt

/** Compares two treatments by the order of their values alone, so neither units nor outliers change the result. */
public object Dominance {
    /**
     * The probability that the values of [a] and [b] lie as far apart, or farther, if both come from the same distribution: the two-sided
     * p-value of H. Mann and D. Whitney (*On a test of whether one of two random variables is stochastically larger than the other*, 1947),
     * exact below 50 forks without ties, otherwise by the normal distribution. NaN if one of them has no value, 1 if all are equal.
     */
    public fun pValue(a: List<Double>, b: List<Double>): Double {
        if (a.isEmpty() || b.isEmpty()) return Double.NaN
        if ((a + b).distinct().size == 1) return 1.0
        val test = MannWhitneyUTest.withDefaults().test(a.toDoubleArray(), b.toDoubleArray())
        return test.pValue.coerceAtMost(1.0)
    }

    /**
     * Cliff's delta, from −1 to 1: the share of pairs in which the value of [a] is the larger, less the share in which that of [b] is (N.
     * Cliff, *Dominance statistics: ordinal analyses to answer ordinal questions*, 1993).
     *
     * The 95 % interval is the asymmetric one of D. Feng and N. Cliff (*Monte Carlo evaluation of ordinal d with improved confidence
     * interval*, 2004). If all pairs agree, the variance is zero, and the largest possible one gives the end: (1 − δ²) / n, with n the
     * smaller number of forks.
     */
    public fun cliffsDelta(a: List<Double>, b: List<Double>): Estimate {
        val n = minOf(a.size, b.size)
        if (n == 0) return Estimate.none(METHOD)
        val pairs = Pairs(a.toDoubleArray().apply { sort() }, b.toDoubleArray().apply { sort() })
        val delta = pairs.delta
        if (n == 1) return Estimate(delta, -1.0, 1.0, 1, METHOD)
        val t = TDistribution.of(a.size + b.size - 2.0).inverseSurvivalProbability(ALPHA / 2)
        if (abs(delta) == 1.0) {
            val end = ((n - t * t) / (n + t * t)).coerceAtLeast(-1.0)
            return if (delta > 0) Estimate(delta, end, 1.0, n, METHOD) else Estimate(delta, -1.0, -end, n, METHOD)
        }
        val variance = pairs.variance()
        val middle = delta - delta * delta * delta
        val reach = t * sqrt(variance) * sqrt((1 - delta * delta) * (1 - delta * delta) + t * t * variance)
        val whole = 1 - delta * delta + t * t * variance
        return Estimate(delta, (middle - reach) / whole, (middle + reach) / whole, n, METHOD)
    }

    /** Every value of [x] beside every one of [y], both sorted. */
    private class Pairs(private val x: DoubleArray, private val y: DoubleArray) {
        private val ofX = DoubleArray(x.size) { (below(y, x[it]) - above(y, x[it])).toDouble() / y.size }
        private val ofY = DoubleArray(y.size) { (above(x, y[it]) - below(x, y[it])).toDouble() / x.size }

        val delta: Double = ofX.average()

        /** The unbiased estimate of the variance of [delta], but not below its minimum. */
        fun variance(): Double {
            val (n, m) = x.size.toDouble() to y.size.toDouble()
            val unequal = n * m - x.sumOf { (y.size - below(y, it) - above(y, it)).toDouble() }
            val over = m * m * squares(ofX) + n * n * squares(ofY) - (unequal - n * m * delta * delta)
            return (over / (n * m * (n - 1) * (m - 1))).coerceAtLeast((1 - delta * delta) / (n * m - 1))
        }

        private fun squares(of: DoubleArray) = of.sumOf { (it - delta) * (it - delta) }

        private fun below(sorted: DoubleArray, value: Double) = count(sorted) { it < value }

        private fun above(sorted: DoubleArray, value: Double) = sorted.size - count(sorted) { it <= value }

        /** The number of values in [sorted] before the first one for which [before] is false. */
        private inline fun count(sorted: DoubleArray, before: (Double) -> Boolean): Int {
            var from = 0
            var to = sorted.size
            while (from < to) {
                val middle = (from + to) ushr 1
                if (before(sorted[middle])) from = middle + 1 else to = middle
            }
            return from
        }
    }

    private const val METHOD = "Cliff's delta, 95 % interval by its variance over forks"
}
