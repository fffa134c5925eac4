package clientlab.notebook.stats

import org.apache.commons.statistics.descriptive.Median
import org.apache.commons.statistics.descriptive.Quantile
import org.apache.commons.statistics.distribution.NormalDistribution
import org.apache.commons.statistics.distribution.TDistribution
import kotlin.math.sqrt

/** The share that an interval of 95 % leaves out, at both ends together. */
internal const val ALPHA: Double = 0.05

/** The number of resamples by default. */
internal const val RESAMPLES: Int = 4000
internal const val SEED: Long = 42

/** Enough resamples for an interval that leaves out [share]: the less it leaves out, the fewer of them lie beyond its ends. */
internal fun resamplesFor(share: Double): Int = (RESAMPLES * ALPHA / share).toInt().coerceIn(RESAMPLES, MOST_RESAMPLES)

private const val MOST_RESAMPLES = 40_000

/** How sure an interval is that leaves out [share]: `95 %`. */
internal fun confidence(share: Double): String = "${Estimate.rounded(Math.rint((1 - share) * PERMYRIAD) / PERCENT)} %"

private const val PERMYRIAD = 1e4
private const val PERCENT = 1e2

/** This statistic in the words of a caption, with an interval that leaves out [share]. */
internal fun String.withInterval(share: Double): String = "$this, ${confidence(share)} bootstrap interval over forks"

/** The standard normal distribution. */
internal val NORMAL: NormalDistribution = NormalDistribution.of(0.0, 1.0)

internal fun median(values: DoubleArray): Double = Median.withDefaults().withCopy(true).evaluate(values)

/**
 * The [value] over [n] forks of the statistic that is [called] so, and its values in all resamples. Of two sets, [n] is the size of the
 * smaller.
 */
internal class Resampled(private val value: Double, private val resamples: DoubleArray, private val n: Int, private val called: String) {
    /** The interval between percentiles, which leaves out [alpha] (B. Efron, *Bootstrap methods: another look at the jackknife*, 1979). */
    fun percentile(alpha: Double = ALPHA): Estimate = between(alpha / 2, 1 - alpha / 2, alpha)

    /** Percentiles, expanded for few forks (T. Hesterberg, *What teachers should know about the bootstrap*, 2015). */
    fun expanded(alpha: Double = ALPHA): Estimate =
        if (n == 1) Estimate(value, value, value, 1, called.withInterval(alpha)) else tail(n, alpha).let { between(it, 1 - it, alpha) }

    /** BCa (B. Efron, *Better bootstrap confidence intervals*, 1987), expanded for few forks; [acceleration] comes from the skewness. */
    fun accelerated(acceleration: Double): Estimate {
        val below = (resamples.count { it < value } + resamples.count { it == value } / 2.0) / resamples.size
        val bias = NORMAL.inverseCumulativeProbability(below.coerceIn(0.5 / resamples.size, 1 - 0.5 / resamples.size))

        fun share(reach: Double) = NORMAL.cumulativeProbability(bias + (bias + reach) / (1 - acceleration * (bias + reach)))
        return between(share(-reach(n, ALPHA)), share(reach(n, ALPHA)), ALPHA)
    }

    /** The smallest share that an interval must leave out so that it does not contain [number]: a two-sided p-value. */
    fun level(number: Double): Double {
        val farther = minOf(resamples.count { it <= number }, resamples.count { it >= number })
        return (2.0 * (farther + 1) / (resamples.size + 1)).coerceAtMost(1.0)
    }

    private fun between(from: Double, to: Double, alpha: Double): Estimate {
        // Interpolation between two infinite resamples gives no number, so the end is infinite too.
        val (low, high) = QUANTILE.evaluate(resamples, from, to).toList().map { if (it.isNaN()) Double.POSITIVE_INFINITY else it }
        return Estimate(value, low, high, n, called.withInterval(alpha))
    }

    companion object {
        private val QUANTILE = Quantile.withDefaults().withCopy(true)

        /** The share to cut off at each end so that, with [n] values, really all but [alpha] remain. */
        fun tail(n: Int, alpha: Double = ALPHA): Double = NORMAL.survivalProbability(reach(n, alpha))

        /** The interval's width in standard deviations of resamples: Student's t, and n / (n − 1) because resamples vary too little. */
        private fun reach(n: Int, alpha: Double): Double =
            TDistribution.of(n - 1.0).inverseSurvivalProbability(alpha / 2) * sqrt(n / (n - 1.0))
    }
}
