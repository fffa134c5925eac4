package clientlab.notebook.stats

import org.apache.commons.statistics.distribution.BetaDistribution

/** The share of forks in which something happened. */
public object Share {
    /** [hits] of [n] with the exact 95 % interval of C. Clopper and E. Pearson (1934), which has a width even for none and for all. */
    public fun of(hits: Int, n: Int): Estimate {
        require(hits in 0..n) { "$hits of $n is no share." }
        if (n == 0) return Estimate.none(METHOD)
        val low = if (hits == 0) 0.0 else beta(hits, n - hits + 1).inverseCumulativeProbability(ALPHA / 2)
        val high = if (hits == n) 1.0 else beta(hits + 1, n - hits).inverseCumulativeProbability(1 - ALPHA / 2)
        return Estimate(hits.toDouble() / n, low, high, n, METHOD)
    }

    private fun beta(a: Int, b: Int) = BetaDistribution.of(a.toDouble(), b.toDouble())

    private const val METHOD = "share of forks, 95 % Clopper–Pearson interval"
}
