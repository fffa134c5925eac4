package clientlab.notebook.stats

import org.apache.commons.rng.simple.RandomSource
import org.apache.commons.statistics.distribution.BetaDistribution
import java.util.concurrent.ConcurrentHashMap
import kotlin.math.pow

/**
 * The medians of resamples of n values, without the resamples: the position of each resample's median in the sorted values.
 *
 * The k-th smallest of n random numbers from 0 to 1 has the beta distribution of k and n + 1 − k (H. David and H. Nagaraja, *Order
 * Statistics*, 2003); multiplied by n it is the position. So one draw (two if n is even) replaces n draws and a search for their median.
 * The distribution is the bootstrap's, and it takes the same time for ten forks and for 100,000.
 */
internal class MiddleRanks private constructor(n: Int, resamples: Int, seed: Long) {
    private val lower = IntArray(resamples)
    private val upper = IntArray(resamples)

    init {
        val random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed)
        val below = (n + 1) / 2
        val middle = BetaDistribution.of(below.toDouble(), (n + 1 - below).toDouble()).createSampler(random)
        for (i in 0 until resamples) {
            val first = middle.sample()
            lower[i] = place(first, n)
            upper[i] = if (n % 2 == 1) {
                lower[i]
            } else {
                // The next one is the smallest of those above, which are uniform between the first and 1.
                place(first + (1 - first) * (1 - random.nextDouble().pow(1.0 / (n - below))), n)
            }
        }
    }

    /** The medians of the resamples of [sorted]. */
    fun medians(sorted: DoubleArray): DoubleArray = DoubleArray(lower.size) { (sorted[lower[it]] + sorted[upper[it]]) / 2 }

    private fun place(share: Double, n: Int) = (share * n).toInt().coerceAtMost(n - 1)

    companion object {
        private data class Key(val n: Int, val resamples: Int, val seed: Long)

        private val drawn = ConcurrentHashMap<Key, MiddleRanks>()

        /** The positions for [n] values. They are drawn once and used for every set of that size. */
        fun of(n: Int, resamples: Int, seed: Long): MiddleRanks {
            val key = Key(n, resamples, seed)
            if (!drawn.containsKey(key) && drawn.size >= MOST_KEPT) drawn.clear()
            return drawn.computeIfAbsent(key) { MiddleRanks(n, resamples, seed) }
        }

        private const val MOST_KEPT = 64
    }
}
