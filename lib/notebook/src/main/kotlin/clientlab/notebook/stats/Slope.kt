package clientlab.notebook.stats

import org.apache.commons.rng.UniformRandomProvider
import org.apache.commons.rng.simple.RandomSource
import org.apache.commons.statistics.descriptive.Median
import org.apache.commons.statistics.descriptive.Quantile
import org.apache.commons.statistics.distribution.NormalDistribution
import org.apache.commons.statistics.distribution.TDistribution
import kotlin.math.sqrt

/** Values by the number of tasks (or another number) they were taken at, one a fork. */
public class ForkPoints(public val values: Map<Int, List<Double>>) {
    private val taken = values.filterValues { it.isNotEmpty() }.toSortedMap()

    /** The fewest forks that any of the points has; 0 where a line cannot be drawn. */
    public val n: Int get() = if (taken.size < 2 || taken.size < values.size) 0 else taken.values.minOf { it.size }

    /** The same points, as far as [keep] says. */
    public fun at(keep: (Int) -> Boolean): ForkPoints = ForkPoints(values.filterKeys(keep))

    /** The slope of the line of least squares through every value of every fork. */
    public fun slope(): Double {
        val count = taken.values.sumOf { it.size }
        val middle = taken.entries.sumOf { (x, ys) -> x.toDouble() * ys.size } / count
        val across = taken.entries.sumOf { (x, ys) -> (x - middle) * (x - middle) * ys.size }
        return taken.entries.sumOf { (x, ys) -> (x - middle) * ys.sum() } / across
    }

    /** Where that line begins, at 0. */
    public fun intercept(): Double {
        val count = taken.values.sumOf { it.size }
        return taken.values.sumOf { it.sum() } / count - slope() * taken.entries.sumOf { (x, ys) -> x.toDouble() * ys.size } / count
    }

    /** The median of the forks at [x]; NaN where there is none. */
    public fun median(x: Int): Double = taken[x]?.let { Median.withDefaults().evaluate(it.toDoubleArray()) } ?: Double.NaN

    internal fun resampled(random: UniformRandomProvider): ForkPoints =
        ForkPoints(values.mapValues { (_, forks) -> List(forks.size) { forks[random.nextInt(forks.size)] } })
}

/**
 * Slopes, and what is made of slopes, with bootstrap intervals over forks.
 *
 * Each fork is a JVM of its own at one point of the line, so forks are drawn anew within each point, and points stay where they are. The
 * ends are the percentiles that T. Hesterberg (*What teachers should know about the bootstrap*, 2015, "expanded percentile interval")
 * gives for few values: with n forks, those of Student's t with n − 1 degrees and of a variance that resampling makes n/(n − 1) too small.
 */
public object Slope {
    /** The slope of [points] times [scale], with its 95 % interval. */
    public fun of(
        points: ForkPoints,
        scale: Double = 1.0,
        seed: Long = SEED,
    ): Estimate = over(listOf(points), seed) { it[0].slope() * scale }

    /** How many times the slope of [b] that of [a] is, two independent sets of forks, with its 95 % interval. */
    public fun ratio(a: ForkPoints, b: ForkPoints, seed: Long = SEED): Estimate = over(listOf(a, b), seed) { it[0].slope() / it[1].slope() }

    /** Any [statistic] of [sets] with its 95 % interval; n is the fewest forks of any point, and NaN throughout where a set has no line. */
    public fun over(sets: List<ForkPoints>, seed: Long = SEED, statistic: (List<ForkPoints>) -> Double): Estimate {
        val n = sets.minOf { it.n }
        if (n == 0) return Estimate(Double.NaN, Double.NaN, Double.NaN, 0, METHOD)
        val value = statistic(sets)
        if (n == 1) return Estimate(value, value, value, 1, METHOD)
        val random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed)
        val resampled = DoubleArray(RESAMPLES) { statistic(sets.map { it.resampled(random) }) }
        val tail = tail(n)
        val (low, high) = Quantile.withDefaults().evaluate(resampled, tail, 1 - tail).toList()
        return Estimate(value, low, high, n, METHOD)
    }

    /** The share to cut off at each end so that, with [n] values, 95 % are left in truth. */
    internal fun tail(n: Int): Double {
        val reach = TDistribution.of(n - 1.0).inverseSurvivalProbability(TAIL) * sqrt(n / (n - 1.0))
        return NormalDistribution.of(0.0, 1.0).survivalProbability(reach)
    }

    private const val RESAMPLES = 4000
    private const val SEED = 42L
    private const val TAIL = 0.025
    private const val METHOD = "least squares, 95 % bootstrap interval over forks"
}
