package clientlab.notebook.chart

/** One of the two axes of a chart. */
public sealed interface Axis {
    /** What the axis shows, with its unit; empty if the title already says it. */
    public val label: String
}

/** How a number becomes a position on an axis. */
public enum class NumberScale { LINEAR, LOG2, LOG10 }

/**
 * An axis of numbers.
 *
 * @property scale linear or logarithmic. A logarithmic axis draws a zero below its smallest number and labels it 0, because a client that
 *   needs no thread is a result and not a gap.
 * @property zero whether a linear axis begins at zero. An axis of counts always does.
 * @property breaks the labelled places; null leaves the choice to the renderer (linear) or to 1-2-5 or the powers of two.
 * @property metric the name of the metric along the axis, and [unit] its unit if not the metric's own, for the figure's data part.
 */
public data class NumberAxis(
    override val label: String = "",
    val scale: NumberScale = NumberScale.LINEAR,
    val zero: Boolean = true,
    val breaks: List<Number>? = null,
    val metric: String? = null,
    val unit: String? = null,
) : Axis {
    init {
        require(scale == NumberScale.LINEAR || breaks.orEmpty().all { it.toDouble() >= 0.0 }) {
            "A logarithmic axis cannot have the breaks $breaks: none may be below zero."
        }
    }
}

/** An axis of names that differ, in the [order] given: from the top on a vertical axis, from the left on a horizontal one. */
public data class CategoryAxis(val order: List<String>, override val label: String = "") : Axis {
    init {
        val twice = order.groupBy { it }.filterValues { it.size > 1 }.keys
        require(twice.isEmpty()) { "A category axis names $twice more than once: name each category once." }
    }
}
