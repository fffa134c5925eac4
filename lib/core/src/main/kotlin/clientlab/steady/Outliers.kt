package clientlab.steady

import kotlin.math.abs

/**
 * Takes single outliers out of a series before change points are looked for, as Barrett et al. do with percentiles of a moving window
 * (J. Tukey's fences): a collection that lasts 200 ms is not a change of state.
 */
internal object Outliers {
    /** More outliers in a row are a change of state. */
    const val LONGEST = 2

    /**
     * A copy of [values] in which outliers are replaced by the median of their window of 21 values. An outlier is farther from that median
     * than three times the distance between the window's 10th and 90th percentile, and so are at most [LONGEST] in a row. The
     * first values are never outliers: a slow start is what the series is looked at for.
     */
    fun without(values: DoubleArray): DoubleArray {
        val windows = values.indices.map { window(values, it) }
        val out = BooleanArray(values.size) { abs(values[it] - windows[it].middle) > FENCE * windows[it].spread }
        val cleaned = values.copyOf()
        var index = values.indices.firstOrNull { !out[it] } ?: return cleaned
        while (index < values.size) {
            val end = (index until values.size).firstOrNull { !out[it] } ?: values.size
            if (end - index in 1..LONGEST) (index until end).forEach { cleaned[it] = windows[it].middle }
            index = end + 1
        }
        return cleaned
    }

    private class Window(sorted: DoubleArray) {
        val middle = sorted[sorted.size / 2]
        val spread = sorted[(sorted.size - 1) * 3 / 4] - sorted[(sorted.size - 1) / 4]
    }

    private fun window(values: DoubleArray, around: Int): Window {
        val size = minOf(WINDOW, values.size)
        val start = (around - size / 2).coerceIn(0, values.size - size)
        return Window(values.copyOfRange(start, start + size).apply { sort() })
    }

    private const val WINDOW = 21
    private const val FENCE = 3
}
