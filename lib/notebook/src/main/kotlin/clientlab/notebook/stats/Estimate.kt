package clientlab.notebook.stats

/**
 * A number and its uncertainty.
 *
 * @property value the estimate; [low] and [high] the ends of its 95 % interval.
 * @property n the number of forks behind it.
 * @property method how the interval was computed, as a caption says it.
 */
public data class Estimate(
    val value: Double,
    val low: Double,
    val high: Double,
    val n: Int,
    val method: String,
) {
    /** `52.1 [50.3, 54.0]`, with as many digits as the interval justifies. */
    override fun toString(): String = "${rounded(value)} [${rounded(low)}, ${rounded(high)}]"

    public companion object {
        /** [value] for a reader: whole numbers from 100 on, three significant digits below. */
        public fun rounded(value: Double): String =
            when {
                value.isNaN() -> "none"
                value == Math.rint(value) && kotlin.math.abs(value) < WHOLE -> "%,d".format(java.util.Locale.ROOT, value.toLong())
                kotlin.math.abs(value) >= 100 -> "%,.0f".format(java.util.Locale.ROOT, value)
                kotlin.math.abs(value) >= 10 -> "%.1f".format(java.util.Locale.ROOT, value)
                kotlin.math.abs(value) >= 0.1 -> "%.2f".format(java.util.Locale.ROOT, value)
                else -> "%.3g".format(java.util.Locale.ROOT, value)
            }

        private const val WHOLE = 1e6
    }
}
