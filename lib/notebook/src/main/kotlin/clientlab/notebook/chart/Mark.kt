package clientlab.notebook.chart

/**
 * One kind of mark in a chart, with a row of data per point, bar, vertex of a line, or label. Later marks are drawn over earlier ones.
 *
 * If one axis has categories, bars and intervals lie along the other axis. If both have numbers, they are vertical. `color` is the column
 * whose values are coloured, by [Style.colorOf] unless the chart says otherwise; the values of `lane` stand side by side in a category.
 */
public sealed interface Mark {
    public val data: ChartData

    /** The columns that the mark reads, each by what it reads there: `x`, `from`, `color`. */
    public val reads: Map<String, String>
}

private fun reading(vararg columns: Pair<String, String?>): Map<String, String> =
    buildMap { columns.forEach { (what, column) -> if (column != null) put(what, column) } }

/** What a point stands for: one trial, or the estimate over many trials. */
public enum class PointRole { TRIAL, ESTIMATE }

/** Points. Trials are spread across their category by their place in it alone, so that equal values stay visible. */
public data class Points(
    override val data: ChartData,
    val x: String,
    val y: String,
    val color: String? = null,
    val role: PointRole = PointRole.ESTIMATE,
    val lane: String? = null,
) : Mark {
    override val reads: Map<String, String> get() = reading("x" to x, "y" to y, "color" to color, "lane" to lane)
}

/** Intervals from [low] to [high] with the estimate between them (`y`, or `x` where the categories are on the vertical axis). */
public data class Intervals(
    override val data: ChartData,
    val x: String,
    val y: String,
    val low: String,
    val high: String,
    val color: String? = null,
    val lane: String? = null,
) : Mark {
    override val reads: Map<String, String>
        get() = reading("x" to x, "y" to y, "low" to low, "high" to high, "color" to color, "lane" to lane)
}

/** Bars from zero. One axis must have categories, and the other must be linear from zero; otherwise the length would be misleading. */
public data class Bars(
    override val data: ChartData,
    val x: String,
    val y: String,
    val color: String? = null,
    val lane: String? = null,
) : Mark {
    override val reads: Map<String, String> get() = reading("x" to x, "y" to y, "color" to color, "lane" to lane)
}

/** Horizontal bars from [from] to [to] along an axis of numbers, each in the row [y], as in a waterfall. */
public data class Spans(
    override val data: ChartData,
    val from: String,
    val to: String,
    val y: String,
    val color: String? = null,
) : Mark {
    override val reads: Map<String, String> get() = reading("from" to from, "to" to to, "y" to y, "color" to color)
}

/**
 * Lines through the rows in order of x, one for each value of [series]; with [steps] a value is valid until the next one. [thin] lines are
 * those of single trials behind their median.
 */
public data class Lines(
    override val data: ChartData,
    val x: String,
    val y: String,
    val series: String,
    val color: String = series,
    val steps: Boolean = false,
    val thin: Boolean = false,
) : Mark {
    override val reads: Map<String, String> get() = reading("x" to x, "y" to y, "series" to series, "color" to color)
}

/** The place of a label: close to its point, or at the [END] of a line, where labels are moved apart and a thin line leads to each. */
public enum class LabelPlace { RIGHT, ABOVE, END }

/** Texts beside points. */
public data class Labels(
    override val data: ChartData,
    val x: String,
    val y: String,
    val text: String,
    val color: String? = null,
    val place: LabelPlace = LabelPlace.RIGHT,
    val lane: String? = null,
) : Mark {
    override val reads: Map<String, String> get() = reading("x" to x, "y" to y, "text" to text, "color" to color, "lane" to lane)
}

/** Dashed lines across the panel, at the numbers of [x] or of [y] (exactly one of the two), each with its [text]. */
public data class ReferenceLines(
    override val data: ChartData,
    val x: String? = null,
    val y: String? = null,
    val text: String? = null,
) : Mark {
    init {
        require((x == null) != (y == null)) { "A reference line is at an x or at a y: give exactly one of the two columns." }
    }

    override val reads: Map<String, String> get() = reading("x" to x, "y" to y, "text" to text)

    public companion object {
        /** One upright line at [x] in every panel. */
        public fun atX(x: Number, text: String = ""): ReferenceLines = ReferenceLines(at(x, text), x = "at", text = "text")

        /** One level line at [y] in every panel. */
        public fun atY(y: Number, text: String = ""): ReferenceLines = ReferenceLines(at(y, text), y = "at", text = "text")

        private fun at(place: Number, text: String) = ChartData.of("at" to listOf(place), "text" to listOf(text))
    }
}

/**
 * Boxes from [from] to [to] and from [bottom] to [top], on two axes of numbers, with as much of their [text] as fits. A small gap shows
 * that two neighbours of one colour are two.
 */
public data class Boxes(
    override val data: ChartData,
    val from: String,
    val to: String,
    val bottom: String,
    val top: String,
    val text: String,
    val color: String,
) : Mark {
    override val reads: Map<String, String>
        get() = reading("from" to from, "to" to to, "bottom" to bottom, "top" to top, "text" to text, "color" to color)
}

/**
 * One row of a figure per value of [row]: its [forks] as dots and, if there are any, its [medians] as points with their intervals (columns
 * `low` and `high`) and [text] to their right, where the interval does not cover it. [value] is the measured column.
 */
public fun forksAndMedians(
    forks: ChartData,
    medians: ChartData?,
    row: String,
    value: String = "value",
    color: String = row,
    lane: String? = null,
    text: String? = "text",
): List<Mark> = buildList {
    add(Points(forks, value, row, color = color, role = PointRole.TRIAL, lane = lane))
    if (medians == null) return@buildList
    add(Intervals(medians, value, row, "low", "high", color = color, lane = lane))
    add(Points(medians, value, row, color = color, lane = lane))
    if (text != null) add(Labels(medians, "high", row, text = text, place = LabelPlace.RIGHT))
}
