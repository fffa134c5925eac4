package clientlab.notebook.stats

import java.util.Locale
import kotlin.math.abs

/** An estimate, the ends of its 95 % interval, the number [n] of forks behind it, and the interval's [method] in words for a caption. */
public data class Estimate(val value: Double, val low: Double, val high: Double, val n: Int, val method: String) {
    /** `52.1 [50.3, 54.0]`, with as many digits as the interval justifies; without an interval the value alone, and `none` where there is none. */
    override fun toString(): String = if (low.isNaN()) rounded(value) else "${rounded(value)} [${rounded(low)}, ${rounded(high)}]"

    public companion object {
        /** [value] for a reader: whole numbers from 100 on, three significant digits below. */
        public fun rounded(value: Double): String = when {
            value.isNaN() -> "none"
            value == Math.rint(value) && abs(value) < WHOLE -> "%,d".format(Locale.ROOT, value.toLong())
            abs(value) >= 100 -> "%,.0f".format(Locale.ROOT, value)
            abs(value) >= 10 -> "%.1f".format(Locale.ROOT, value)
            abs(value) >= 0.1 -> "%.2f".format(Locale.ROOT, value)
            else -> "%.3g".format(Locale.ROOT, value)
        }

        /** What [n] forks give if they are too few to estimate anything. */
        internal fun none(method: String, n: Int = 0) = Estimate(Double.NaN, Double.NaN, Double.NaN, n, method)

        private const val WHOLE = 1e6
    }
}
