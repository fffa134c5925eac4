package clientlab.steady

import kotlin.math.PI
import kotlin.math.abs
import kotlin.math.ln
import kotlin.math.sqrt

/** What makes a segment costly: twice the negative log-likelihood of its values under a normal distribution, without constants. */
public enum class Cost(internal val shortest: Int, private val parameters: Double) {
    /**
     * A change of the mean alone: the squared distances from the segment's mean, in units of the series' variance. That variance is told
     * from the differences between neighbours, so changes of the mean do not add to it.
     */
    MEAN(shortest = 1, parameters = 2.0),

    /**
     * A change of mean, variance or both: `n ln(variance)`. A hundredth of the squared mean difference between neighbours is added to each
     * variance, so that a segment of equal values does not cost −∞.
     */
    MEAN_AND_VARIANCE(shortest = 2, parameters = 3.0),
    ;

    /**
     * The penalty by default for a series of [n] values: 1.25 times the Bayesian information criterion, which is `ln n` for each number
     * that a segment adds: its place, its mean and perhaps its variance. The factor is for neighbours that are alike, as in measured series.
     */
    public fun penalty(n: Int): Double = CAUTION * parameters * ln(n.coerceAtLeast(2).toDouble())

    /** The cost of each segment of [values]; null if they are all equal, so that no segment differs from another. */
    internal fun of(values: DoubleArray): SegmentCost? {
        val differences = DoubleArray((values.size - 1).coerceAtLeast(0)) { abs(values[it + 1] - values[it]) }
        if (differences.all { it == 0.0 }) return null
        return when (this) {
            MEAN -> SegmentCost.Mean(values, noise(differences))
            MEAN_AND_VARIANCE -> SegmentCost.MeanAndVariance(values, floor = FLOOR * differences.average() * differences.average())
        }
    }

    private companion object {
        private const val CAUTION = 1.25
        private const val FLOOR = 0.01

        /** The median distance of two values of a normal distribution, in its standard deviations. */
        private const val MEDIAN_DISTANCE = 0.6745 * 1.41421356

        /**
         * The standard deviation of values around their changing mean: from the median of the [differences] between neighbours, or from
         * the mean difference if most neighbours are equal.
         */
        private fun noise(differences: DoubleArray): Double {
            val median = median(differences)
            return if (median > 0) median / MEDIAN_DISTANCE else differences.average() * sqrt(PI) / 2
        }
    }
}

/** The costs of the segments of one series, each in constant time from running sums. */
internal sealed class SegmentCost(values: DoubleArray) {
    private val sums = DoubleArray(values.size + 1)
    private val squares = DoubleArray(values.size + 1)

    init {
        // Sums of squares lose digits if the values are far from zero.
        val middle = median(values)
        values.forEachIndexed { index, value ->
            val from = value - middle
            sums[index + 1] = sums[index] + from
            squares[index + 1] = squares[index] + from * from
        }
    }

    /** The cost of the values from [start] to before [end]. */
    abstract fun of(start: Int, end: Int): Double

    protected fun squaredDistances(start: Int, end: Int): Double {
        val sum = sums[end] - sums[start]
        return (squares[end] - squares[start] - sum * sum / (end - start)).coerceAtLeast(0.0)
    }

    class Mean(values: DoubleArray, private val noise: Double) : SegmentCost(values) {
        override fun of(start: Int, end: Int): Double = squaredDistances(start, end) / (noise * noise)
    }

    class MeanAndVariance(values: DoubleArray, private val floor: Double) : SegmentCost(values) {
        override fun of(start: Int, end: Int): Double = (end - start) * ln(squaredDistances(start, end) / (end - start) + floor)
    }
}

/** The median; of an even number of values the mean of the two in the middle. */
internal fun median(values: DoubleArray): Double {
    val sorted = values.sortedArray()
    val half = sorted.size / 2
    return if (sorted.size % 2 == 1) sorted[half] else (sorted[half - 1] + sorted[half]) / 2
}
