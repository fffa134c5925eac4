package clientlab.notebook.stats

import org.apache.commons.statistics.descriptive.Quantile
import org.apache.commons.statistics.distribution.NormalDistribution
import org.apache.commons.statistics.distribution.TDistribution
import kotlin.math.sqrt

/** The share that an interval of 95 % leaves out, at both ends together. */
internal const val ALPHA: Double = 0.05

/** How often a statistic is computed anew, unless said otherwise. */
internal const val RESAMPLES: Int = 4000
internal const val SEED: Long = 42

/**
 * A statistic, and what it was of each resample: what an interval is read from.
 *
 * @property value the statistic of the values themselves.
 * @property n the forks that it rests on, the fewer of two sets.
 */
internal class Resampled(
    private val value: Double,
    private val resamples: DoubleArray,
    private val n: Int,
    private val method: String,
) {
    /** The interval between percentiles, which leaves out [alpha] (B. Efron, *Bootstrap methods: another look at the jackknife*, 1979). */
    fun percentile(alpha: Double = ALPHA): Estimate = between(alpha / 2, 1 - alpha / 2)

    /**
     * The interval between percentiles as far out as few forks ask for (T. Hesterberg, *What teachers should know about the bootstrap*,
     * 2015, "expanded percentile interval"); the value alone where there is one fork.
     */
    fun expanded(): Estimate = if (n == 1) Estimate(value, value, value, 1, method) else tail(n).let { between(it, 1 - it) }

    /**
     * The interval that allows for a bias and for a spread that depends on the value (B. Efron, *Better bootstrap confidence intervals*,
     * 1987, "BCa"), with [acceleration], from the skewness of the values; as far out as few forks ask for.
     */
    fun accelerated(acceleration: Double): Estimate {
        val below = (resamples.count { it < value } + resamples.count { it == value } / 2.0) / resamples.size
        val bias = NORMAL.inverseCumulativeProbability(below.coerceIn(0.5 / resamples.size, 1 - 0.5 / resamples.size))

        fun share(reach: Double) = NORMAL.cumulativeProbability(bias + (bias + reach) / (1 - acceleration * (bias + reach)))
        return between(share(-reach(n)), share(reach(n)))
    }

    /** The least share that an interval has to leave out so that it does not hold [number]: a two-sided p-value. */
    fun level(number: Double): Double {
        val farther = minOf(resamples.count { it <= number }, resamples.count { it >= number })
        return (2.0 * (farther + 1) / (resamples.size + 1)).coerceAtMost(1.0)
    }

    private fun between(from: Double, to: Double): Estimate {
        // Between two infinite resamples there is no number, and the end is as far out as they are.
        val (low, high) = QUANTILE.evaluate(resamples, from, to).toList().map { if (it.isNaN()) Double.POSITIVE_INFINITY else it }
        return Estimate(value, low, high, n, method)
    }

    companion object {
        private val QUANTILE = Quantile.withDefaults().withCopy(true)
        private val NORMAL = NormalDistribution.of(0.0, 1.0)

        /** The share to cut off at each end so that, with [n] values, 95 % are left in truth. */
        fun tail(n: Int): Double = NORMAL.survivalProbability(reach(n))

        /**
         * How many standard deviations of resamples the interval of [n] values reaches: Student's t with n − 1 degrees takes the place of the
         * normal distribution, and resampling makes a variance n / (n − 1) too small.
         */
        private fun reach(n: Int): Double = TDistribution.of(n - 1.0).inverseSurvivalProbability(ALPHA / 2) * sqrt(n / (n - 1.0))
    }
}
