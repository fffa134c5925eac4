package clientlab.notebook.stats

import org.HdrHistogram.DoubleHistogram

/**
 * Percentiles of many values, by [HdrHistogram](https://github.com/HdrHistogram/HdrHistogram) (G. Tene) with an error of at most a
 * thousandth. The mean of two 99th percentiles is a percentile of nothing: join sets with `+` if their requests belong together, or use
 * [overForks]. Not thread-safe.
 */
public class Percentiles private constructor(private val histogram: DoubleHistogram) {
    /** The percentiles of [values]. Fails for a value that is negative or not finite. */
    public constructor(values: Iterable<Double>) : this(DoubleHistogram(DIGITS)) {
        values.forEach {
            require(it.isFinite() && it >= 0) { "A histogram cannot hold $it: give finite values from 0 up." }
            histogram.recordValue(it)
        }
    }

    public val n: Long get() = histogram.totalCount

    /** The value that [percentile] per cent of all values do not exceed; 50 is the median, 100 the largest. NaN if there are no values. */
    public fun at(percentile: Double): Double {
        require(percentile in 0.0..WHOLE) { "There is no percentile $percentile: ask for one from 0 to 100." }
        return if (n == 0L) Double.NaN else histogram.getValueAtPercentile(percentile)
    }

    /** The percentiles of both sets put together. */
    public operator fun plus(other: Percentiles): Percentiles =
        Percentiles(DoubleHistogram(DIGITS).also { both -> listOf(this, other).forEach { both.add(it.histogram) } })

    override fun toString(): String = SHOWN.joinToString(prefix = "n = $n: ") { "p${Estimate.rounded(it)} ${Estimate.rounded(at(it))}" }

    public companion object {
        private const val DIGITS = 3
        private const val WHOLE = 100.0
        private val SHOWN = listOf(50.0, 90.0, 99.0, WHOLE)

        /**
         * The median over [forks] of the [percentile] of each, with its 95 % interval: requests of one fork depend on each other, so a fork
         * is one value. Forks without a value do not count.
         */
        public fun overForks(forks: List<List<Double>>, percentile: Double): Estimate {
            val each = forks.filter { it.isNotEmpty() }.map { Percentiles(it).at(percentile) }
            return Bootstrap.median(each).let { it.copy(method = "percentile ${Estimate.rounded(percentile)} of each fork; ${it.method}") }
        }
    }
}
