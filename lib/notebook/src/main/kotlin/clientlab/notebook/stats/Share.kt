package clientlab.notebook.stats

import org.apache.commons.statistics.distribution.BetaDistribution

/** The share of forks in which something happened. */
public object Share {
    /**
     * [hits] of [n] with the exact interval of C. Clopper and E. Pearson (1934), which has a width even for none and for all. It leaves out
     * [leftOut].
     */
    public fun of(hits: Int, n: Int, leftOut: Double = ALPHA): Estimate {
        require(hits in 0..n) { "$hits of $n is no share." }
        val method = "share of forks, ${confidence(leftOut)} Clopper–Pearson interval"
        if (n == 0) return Estimate.none(method)
        val low = if (hits == 0) 0.0 else beta(hits, n - hits + 1).inverseCumulativeProbability(leftOut / 2)
        val high = if (hits == n) 1.0 else beta(hits + 1, n - hits).inverseCumulativeProbability(1 - leftOut / 2)
        return Estimate(hits.toDouble() / n, low, high, n, method)
    }

    private fun beta(a: Int, b: Int) = BetaDistribution.of(a.toDouble(), b.toDouble())
}
