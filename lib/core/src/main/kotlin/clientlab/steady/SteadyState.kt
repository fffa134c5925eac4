package clientlab.steady

import kotlin.math.abs
import kotlin.math.sqrt

/** The shape of a series of costs over time, as in E. Barrett et al., *Virtual machine warmup blows hot and cold* (OOPSLA 2017). */
public enum class Shape(public val label: String) {
    FLAT("flat"),
    WARM_UP("warm-up"),

    /** The series gets steady, but at a higher cost than it had before. */
    SLOWDOWN("slowdown"),

    /** The series still changes near its end, or it is too short to tell. */
    NO_STEADY_STATE("no steady state"),
    ;

    override fun toString(): String = label
}

/**
 * Whether and from where a series of costs is steady, such as the processor time per request in each half second. A lower cost is better.
 *
 * The method is that of Barrett et al. with limits for some hundred noisy intervals instead of 2,000 iterations. Short outliers are taken
 * out. [ChangePoints] cut the series into segments of three values or more. A segment is equivalent to the last one if their means differ
 * by at most 10 % of the last mean, or by at most half of the last segment's standard deviation if that is more. The series is steady from the
 * first segment after which all are equivalent to the last. That must be at least 20 intervals and a quarter of the series before its end,
 * and a line through the rest must not rise or fall by 10 %, because a slow drift has no step that could be found. The noisier the series,
 * the longer must the rest be: a change of 20 % must be ruled out by one and a half standard errors.
 *
 * @property from the index of the first steady interval; null if there is none. It is 0 for a flat series.
 * @property changePoints the first index of each segment but the first, those between equivalent segments included.
 */
public data class SteadyState(val shape: Shape, val from: Int?, val changePoints: List<Int>) {
    public companion object {
        /** The shortest steady tail, in intervals: ten seconds of intervals of half a second. */
        public const val TAIL: Int = 20

        /**
         * The steady state of [values], one for each interval. An interval without a value (NaN) takes the value before it.
         *
         * To ask whether a running load is steady by now, give its series so far: it is if [from] is not null. A decay that is slow
         * beside [tail] may still have some percent to go, so give a longer one if a late start costs less than a wrong one.
         */
        public fun of(values: DoubleArray, tail: Int = TAIL): SteadyState =
            if (values.none { it.isFinite() }) NONE else Segments(Outliers.without(filled(values))).steadyState(tail)

        /**
         * The steady state of several [series] of the same intervals together: from where all are steady and [compilers] are quiet.
         *
         * The shape is that of the least steady series: a slowdown of one makes it a slowdown. [compilers] is the share of one processor
         * that the JVM's compilers took in each interval; they are quiet from where no five seconds have a mean above 3 %. A single
         * interval would not do, because one method may take the compilers tens of milliseconds.
         */
        public fun of(series: List<DoubleArray>, compilers: DoubleArray? = null, tail: Int = TAIL): SteadyState {
            require(series.isNotEmpty()) { "Give one series or more." }
            val n = series.first().size
            require((series + listOfNotNull(compilers)).all { it.size == n }) { "All series are of the same intervals." }
            val states = series.map { of(it, tail) }
            val shape = states.maxOf { it.shape }
            val quiet = compilers?.let { quietFrom(filled(it)) } ?: 0
            val points = states.flatMap { it.changePoints }.distinct().sorted()
            val from = maxOf(quiet, states.maxOf { it.from ?: n })
            return if (n - from >= needed(n, tail)) SteadyState(shape, from, points) else SteadyState(Shape.NO_STEADY_STATE, null, points)
        }

        /** The length of the tail that must be steady in a series of [n]. Barrett et al. want the last 500 of 2,000, which is a quarter. */
        internal fun needed(n: Int, tail: Int): Int = maxOf(tail, (n + SHARE - 1) / SHARE)

        private fun quietFrom(compilers: DoubleArray): Int {
            val span = minOf(QUIET_SPAN, compilers.size)
            return (compilers.size - span downTo 0)
                .firstOrNull { start ->
                    (start until start + span).sumOf { compilers[it] } > QUIET * span
                }?.plus(1) ?: 0
        }

        private fun filled(values: DoubleArray): DoubleArray {
            var last = values.firstOrNull { it.isFinite() } ?: 0.0
            return DoubleArray(values.size) { index -> values[index].takeIf { it.isFinite() }?.also { last = it } ?: last }
        }

        private val NONE = SteadyState(Shape.NO_STEADY_STATE, null, emptyList())
        private const val SHARE = 4
        private const val QUIET = 0.03
        private const val QUIET_SPAN = 10
    }
}

/** One series of costs without outliers, in segments. */
private class Segments(private val values: DoubleArray) {
    private val points = ChangePoints.of(values, shortest = Outliers.LONGEST + 1)
    private val segments = (listOf(0) + points).zip(points + values.size)

    fun steadyState(tail: Int): SteadyState {
        val n = values.size
        if (n < tail || n == 0) return none()
        val last = values.copyOfRange(segments.last().first, n)
        val band = maxOf(TOLERANCE * abs(last.average()), SPREAD * deviation(last))
        val above = segments.map { (start, end) -> mean(start, end) - last.average() }
        val from = segments[above.indexOfLast { abs(it) > band } + 1].first
        return when {
            n - from < SteadyState.needed(n, tail) || drifts(from) -> none()
            above.any { it < -band } -> SteadyState(Shape.SLOWDOWN, from, points)
            above.any { it > band } -> SteadyState(Shape.WARM_UP, from, points)
            else -> SteadyState(Shape.FLAT, from, points)
        }
    }

    private fun none() = SteadyState(Shape.NO_STEADY_STATE, null, points)

    /**
     * Whether a line through what begins at [from] rises or falls by more than the tolerance to both sides and by more than its error, or
     * could do so by much more. The second rule asks for a longer tail if the noise is strong: silence of few noisy values proves nothing.
     */
    private fun drifts(from: Int): Boolean {
        val tail = values.copyOfRange(from, values.size)
        val middle = (tail.size - 1) / 2.0
        val slope = tail.indices.sumOf { (it - middle) * tail[it] } / tail.indices.sumOf { square(it - middle) }
        val rest = deviation(DoubleArray(tail.size) { tail[it] - slope * it })
        val level = abs(tail.average())
        val change = abs(slope) * tail.size
        val error = rest * sqrt(12.0 / tail.size)
        val rises = change > DRIFT * level && change > STANDARD_ERRORS * error
        return rises || change + CAUTION * error > MOST_CHANGE * level
    }

    private fun mean(start: Int, end: Int) = values.copyOfRange(start, end).average()

    private fun deviation(of: DoubleArray): Double {
        val mean = of.average()
        return sqrt(of.sumOf { square(it - mean) } / of.size)
    }

    private fun square(value: Double) = value * value

    private companion object {
        /** The pace of a shared machine alone moves the cost of a request by as much within minutes. */
        private const val TOLERANCE = 0.10
        private const val DRIFT = 0.10

        /** Noise hides a smaller difference from a reader of the figure, too. */
        private const val SPREAD = 0.5
        private const val STANDARD_ERRORS = 2.5

        /** The change over the tail that must be ruled out, in levels, and by how many standard errors: noise of 20 % needs 30 intervals or more. */
        private const val MOST_CHANGE = 0.2
        private const val CAUTION = 1.5
    }
}
