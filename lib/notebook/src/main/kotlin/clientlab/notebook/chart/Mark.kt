package clientlab.notebook.chart

/**
 * One kind of mark in a chart, with its own data. Later marks are drawn over earlier ones.
 *
 * If one axis has categories, bars and intervals lie along the other axis. If both have numbers, they are vertical.
 */
public sealed interface Mark {
    /** The rows: one per point, bar, vertex of a line, or label. */
    public val data: ChartData

    /** The columns that the mark reads. */
    public val columns: List<String>
}

/** What a point stands for: one trial, or the estimate over many trials. */
public enum class PointRole { TRIAL, ESTIMATE }

/**
 * Points. Trials on a category axis are spread across their category, so that equal values stay visible.
 *
 * The spread depends on the row's place in its category alone, so the same data give the same picture.
 *
 * @property color the column whose values are coloured, by [Style.colorOf] unless the chart says otherwise.
 * @property lane the column whose values stand side by side within a category.
 */
public data class Points(
    override val data: ChartData,
    val x: String,
    val y: String,
    val color: String? = null,
    val role: PointRole = PointRole.ESTIMATE,
    val lane: String? = null,
) : Mark {
    override val columns: List<String> get() = listOfNotNull(x, y, color, lane)
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
    override val columns: List<String> get() = listOfNotNull(x, y, low, high, color, lane)
}

/** Bars from zero. One axis must have categories, and the other must be linear from zero; otherwise the length would be misleading. */
public data class Bars(
    override val data: ChartData,
    val x: String,
    val y: String,
    val color: String? = null,
    val lane: String? = null,
) : Mark {
    override val columns: List<String> get() = listOfNotNull(x, y, color, lane)
}

/** Horizontal bars from [from] to [to] along an axis of numbers, each in the row [y], as in a waterfall. */
public data class Spans(
    override val data: ChartData,
    val from: String,
    val to: String,
    val y: String,
    val color: String? = null,
) : Mark {
    override val columns: List<String> get() = listOfNotNull(from, to, y, color)
}

/**
 * Lines through the rows in order of x, one for each value of [series].
 *
 * @property steps whether a value is valid until the next one, like a count over time.
 * @property color the column whose values are coloured; the same as [series] unless several lines share a colour.
 */
public data class Lines(
    override val data: ChartData,
    val x: String,
    val y: String,
    val series: String,
    val color: String = series,
    val steps: Boolean = false,
) : Mark {
    override val columns: List<String> get() = listOf(x, y, series, color)
}

/** The place of a label relative to its point. */
public enum class LabelPlace { RIGHT, ABOVE, END }

/**
 * Texts beside points.
 *
 * [LabelPlace.RIGHT] and [LabelPlace.ABOVE] are close to the point. [LabelPlace.END] is for the ends of lines: labels are moved apart until
 * they do not overlap, and a thin line connects each to its point.
 */
public data class Labels(
    override val data: ChartData,
    val x: String,
    val y: String,
    val text: String,
    val color: String? = null,
    val place: LabelPlace = LabelPlace.RIGHT,
    val lane: String? = null,
) : Mark {
    override val columns: List<String> get() = listOfNotNull(x, y, text, color, lane)
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

    override val columns: List<String> get() = listOfNotNull(x, y, text)

    public companion object {
        /** One upright line at [x] in every panel. */
        public fun atX(x: Number, text: String = ""): ReferenceLines =
            ReferenceLines(ChartData.of("at" to listOf(x), "text" to listOf(text)), x = "at", text = "text")

        /** One level line at [y] in every panel. */
        public fun atY(y: Number, text: String = ""): ReferenceLines =
            ReferenceLines(ChartData.of("at" to listOf(y), "text" to listOf(text)), y = "at", text = "text")
    }
}

/**
 * Boxes from [from] to [to] and from [bottom] to [top], on two axes of numbers, with as much of their [text] as fits.
 *
 * Neighbours have a small gap, so that two boxes of one colour are visibly two.
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
    override val columns: List<String> get() = listOf(from, to, bottom, top, text, color)
}
