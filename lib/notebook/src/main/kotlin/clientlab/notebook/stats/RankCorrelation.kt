package clientlab.notebook.stats

import org.apache.commons.rng.simple.RandomSource
import kotlin.math.abs
import kotlin.math.sign
import kotlin.math.sqrt

/**
 * Kendall's rank correlation of values with their order, and the probability of one as strong by chance; see [Drift] for its sources.
 * [signs] has for each pair of rounds the number of treatments with a larger later value, minus the number with a smaller one.
 */
internal class RankCorrelation private constructor(private val signs: Array<IntArray>) {
    private val seen = abs(sum(IntArray(signs.size) { it }))

    /** The share of orders of the rounds that correlate as strongly, or more so. */
    fun p(seed: Long): Double = if (signs.size <= MOST_IN_FULL) inFull() else byChance(seed)

    /** Kendall's statistic if the rounds have the order [order]. */
    private fun sum(order: IntArray): Int {
        var sum = 0
        for (later in order.indices) {
            signs[later].forEachIndexed { earlier, sign -> sum += if (order[later] > order[earlier]) sign else -sign }
        }
        return sum
    }

    /** All orders, by B. Heap's method (1963). */
    private fun inFull(): Double {
        val order = IntArray(signs.size) { it }
        val counts = IntArray(signs.size)
        var all = 1
        var asStrong = 1
        var at = 0
        while (at < order.size) {
            if (counts[at] < at) {
                swap(order, if (at % 2 == 0) 0 else counts[at], at)
                all++
                if (abs(sum(order)) >= seen) asStrong++
                counts[at]++
                at = 0
            } else {
                counts[at++] = 0
            }
        }
        return asStrong.toDouble() / all
    }

    private fun byChance(seed: Long): Double {
        val random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed)
        val order = IntArray(signs.size) { it }
        val shuffles = shuffles(signs.size)
        val asStrong = (1..shuffles).count {
            for (last in order.lastIndex downTo 1) swap(order, last, random.nextInt(last + 1))
            abs(sum(order)) >= seen
        }
        return (asStrong + 1.0) / (shuffles + 1)
    }

    private fun swap(order: IntArray, a: Int, b: Int) {
        order[a] = order[b].also { order[b] = order[a] }
    }

    companion object {
        /** Of the values of several treatments in the same rounds, NaN where one is missing. */
        fun of(treatments: List<DoubleArray>): RankCorrelation {
            fun sum(later: Int, earlier: Int) = treatments.sumOf { order(it[later] - it[earlier]) }
            return RankCorrelation(Array(treatments.first().size) { later -> IntArray(later) { sum(later, it) } })
        }

        /** The p of one treatment's [values] by the normal distribution, with corrections for ties and continuity. */
        fun normalP(values: DoubleArray): Double {
            val n = values.size.toDouble()
            var sum = 0L
            for (later in values.indices) for (earlier in 0 until later) sum += order(values[later] - values[earlier])
            val ties = values.groupBy { it }.values.sumOf { of -> of.size.toDouble().let { it * (it - 1) * (2 * it + 5) } }
            val variance = (n * (n - 1) * (2 * n + 5) - ties) / 18
            if (variance <= 0) return 1.0
            val reach = (abs(sum) - 1).coerceAtLeast(0) / sqrt(variance)
            return (2 * NORMAL.survivalProbability(reach)).coerceAtMost(1.0)
        }

        /** The smallest p that so many [rounds] can give. */
        fun smallestP(rounds: Int): Double = when {
            rounds < 2 -> 1.0
            rounds > MOST_SHUFFLED -> 0.0
            else -> maxOf(2.0 / factorial(rounds), if (rounds > MOST_IN_FULL) 1.0 / (shuffles(rounds) + 1) else 0.0)
        }

        /**
         * How many of the sorted slopes to leave out at each end for 95 %, by the exact distribution of Kendall's statistic without ties;
         * null if even all of them do not reach 95 %. The number of orders with k inversions is that of P. MacMahon (1916).
         */
        fun cut(n: Int): Int? {
            if (n > MOST_SHUFFLED) {
                // By the normal distribution (P. Sen, 1968).
                val reach = NORMAL.inverseSurvivalProbability(ALPHA / 2) * sqrt(n * (n - 1.0) * (2 * n + 5) / 18)
                return ((n * (n - 1.0) / 2 - reach) / 2).toInt()
            }
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
                if (below > ALPHA / 2) break
                cut = k
            }
            return cut
        }

        /** 1, 0 or −1; 0 for NaN too. */
        private fun order(difference: Double) = sign(difference).toInt()

        /** How many orders are tried: many if that is little work, and always enough to reach one in twenty. */
        private fun shuffles(rounds: Int): Int = (MOST_PAIRS / (rounds * (rounds - 1) / 2)).coerceIn(FEWEST_SHUFFLES, MOST_SHUFFLES)

        private fun factorial(n: Int): Double = (2..n).fold(1.0) { product, it -> product * it }

        /** Up to so many rounds all orders are tried; seven rounds have 5,040 orders. */
        const val MOST_IN_FULL: Int = 7

        /** Up to so many rounds random orders of a treatment are tried; beyond, its correlation is normally distributed. */
        const val MOST_SHUFFLED: Int = 30
        private const val FEWEST_SHUFFLES = 999
        private const val MOST_SHUFFLES = 9_999
        private const val MOST_PAIRS = 100_000_000
    }
}
