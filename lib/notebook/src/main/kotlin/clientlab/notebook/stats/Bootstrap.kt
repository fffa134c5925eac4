package clientlab.notebook.stats

import org.apache.commons.rng.UniformRandomProvider
import org.apache.commons.rng.simple.RandomSource
import org.apache.commons.statistics.descriptive.Median
import org.apache.commons.statistics.descriptive.Quantile

/**
 * Estimates with bootstrap intervals, by the percentile method (B. Efron, *Bootstrap methods: another look at the jackknife*, 1979).
 *
 * What is resampled is the fork: requests of one fork are not independent of each other, and intervals over them would be far too narrow.
 * With few forks the interval of a median spans nearly all of the data, and below five no claim is decided by it.
 */
public object Bootstrap {
    /** The median of [values], one a fork, with its 95 % interval. NaN throughout where there are none. */
    public fun median(
        values: List<Double>,
        seed: Long = SEED,
    ): Estimate = of(values, seed, "median, 95 % bootstrap interval over forks") { middle(it) }

    /** The mean of [values], one a fork, with its 95 % interval. */
    public fun mean(values: List<Double>, seed: Long = SEED): Estimate =
        of(values, seed, "mean, 95 % bootstrap interval over forks") { it.average() }

    /** The ratio of the medians of [a] and [b], two independent sets of forks, with its 95 % interval. */
    public fun ratio(a: List<Double>, b: List<Double>, seed: Long = SEED): Estimate {
        if (a.isEmpty() || b.isEmpty()) return none("ratio of medians")
        val random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed)
        val ratios = DoubleArray(RESAMPLES) { middle(resample(a, random)) / middle(resample(b, random)) }
        val value = middle(a.toDoubleArray()) / middle(b.toDoubleArray())
        return interval(value, ratios, minOf(a.size, b.size), "ratio of medians, 95 % bootstrap interval over forks")
    }

    private fun of(values: List<Double>, seed: Long, method: String, statistic: (DoubleArray) -> Double): Estimate {
        if (values.isEmpty()) return none(method)
        val random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed)
        val resampled = DoubleArray(RESAMPLES) { statistic(resample(values, random)) }
        return interval(statistic(values.toDoubleArray()), resampled, values.size, method)
    }

    private fun interval(value: Double, resampled: DoubleArray, n: Int, method: String): Estimate {
        val (low, high) = Quantile.withDefaults().evaluate(resampled, LOW, HIGH).toList()
        return Estimate(value, low, high, n, method)
    }

    private fun none(method: String) = Estimate(Double.NaN, Double.NaN, Double.NaN, 0, method)

    private fun resample(values: List<Double>, random: UniformRandomProvider) = DoubleArray(
        values.size,
    ) { values[random.nextInt(values.size)] }

    private fun middle(values: DoubleArray): Double = Median.withDefaults().evaluate(values)

    private const val RESAMPLES = 4000
    private const val SEED = 42L
    private const val LOW = 0.025
    private const val HIGH = 0.975
}
