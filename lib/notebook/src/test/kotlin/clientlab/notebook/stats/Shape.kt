package clientlab.notebook.stats

import org.apache.commons.rng.simple.RandomSource
import org.apache.commons.statistics.distribution.NormalDistribution
import kotlin.math.ln
import kotlin.math.sqrt

/**
 * What simulated values look like, with all that is true of them.
 *
 * @property above the share of pairs in which a value that [raised] gives is the larger, less the share in which a plain one is.
 */
internal enum class Shape(
    val mean: Double,
    val median: Double,
    val above: Double,
) {
    /** 10, give or take 1. */
    NORMAL(10.0, 10.0, over(1.0)) {
        override fun draw(random: Draws) = 10 + random.normal()

        override fun raised(random: Draws) = draw(random) + 1
    },

    /** As waiting times are: exponential, of mean 1. */
    SKEWED(1.0, ln(2.0), 1 / 3.0) {
        override fun draw(random: Draws) = -ln(1 - random.uniform())

        override fun raised(random: Draws) = 2 * draw(random)
    },

    /** As where a collection hits three forks of ten: 10, or with 30 % 15, give or take 1. */
    TWO_HUMPED(11.5, 10 + medianOfHumps(), 0.58 * over(1.0) + 0.21 * (over(6.0) + over(-4.0))) {
        override fun draw(random: Draws) = (if (random.uniform() < 0.7) 10 else 15) + random.normal()

        override fun raised(random: Draws) = draw(random) + 1
    }, ;

    abstract fun draw(random: Draws): Double

    abstract fun raised(random: Draws): Double

    fun draw(random: Draws, n: Int): List<Double> = List(n) { draw(random) }

    fun raised(random: Draws, n: Int): List<Double> = List(n) { raised(random) }
}

/** Seeded random numbers. */
internal class Draws(seed: Long) {
    private val source = RandomSource.XO_RO_SHI_RO_128_PP.create(seed)
    private val sampler = NormalDistribution.of(0.0, 1.0).createSampler(source)

    fun normal(): Double = sampler.sample()

    fun uniform(): Double = source.nextDouble()
}

private val NORMAL = NormalDistribution.of(0.0, 1.0)

/** Cliff's delta of two normal distributions [apart]. */
private fun over(apart: Double) = 2 * NORMAL.cumulativeProbability(apart / sqrt(2.0)) - 1

/** The median of seven tenths around 0 and three around 5, by halving. */
private fun medianOfHumps(): Double {
    var (from, to) = -5.0 to 10.0
    repeat(60) {
        val middle = (from + to) / 2
        val below = 0.7 * NORMAL.cumulativeProbability(middle) + 0.3 * NORMAL.cumulativeProbability(middle - 5)
        if (below < 0.5) from = middle else to = middle
    }
    return from
}
