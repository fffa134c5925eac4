package clientlab.notebook.chart

/**
 * A figure as plain data, which any [ChartRenderer] can draw. A mark that does not fit the chart is refused in one sentence.
 *
 * @property title the finding.
 * @property subtitle the conditions.
 * @property caption n and the run id.
 * @property alt the figure in words, for readers who cannot see it; never empty.
 * @property marks what is drawn, the first at the back.
 * @property colors colours as `#rrggbb` for values that are not clients, or must not look like one.
 * @property size width and height in pixels; null for a height that has room for every category.
 * @property runs the ids of the runs that the figure shows, beside those of the trials that its dots name.
 */
public data class Chart(
    val title: String,
    val alt: String,
    val marks: List<Mark>,
    val x: Axis,
    val y: Axis,
    val subtitle: String = "",
    val caption: String = "",
    val facets: Facets? = null,
    val legend: Legend = Legend.NONE,
    val colors: Map<String, String> = emptyMap(),
    val size: ChartSize? = null,
    val runs: List<String> = emptyList(),
) {
    init {
        require(title.isNotBlank()) { "A chart needs a title that says what was found." }
        require(alt.isNotBlank()) { "The chart '$title' needs a text alternative (alt)." }
        require(x !is CategoryAxis || y !is CategoryAxis) { "The chart '$title' has categories on both axes; one must hold numbers." }
        colors.values.forEach { require(Style.isColor(it)) { "'$it' is no colour; write it as #rrggbb." } }
        marks.filter { it.data.size > 0 }.forEach(::check)
    }

    /** Whether there is nothing to draw. A chart without complete trials says so. */
    public val isEmpty: Boolean get() = marks.all { it is ReferenceLines || it.data.size == 0 }

    /** The columns of [mark] whose values stand along the vertical axis, or along the horizontal one. */
    internal fun columnsAlong(mark: Mark, vertical: Boolean): List<String> {
        val interval = if (vertical == (y !is CategoryAxis)) listOf("low", "high") else emptyList()
        val ends = if (vertical) listOf("y", "bottom", "top") else listOf("x", "from", "to")
        return (ends + interval).mapNotNull { mark.reads[it] }
    }

    private fun check(mark: Mark) {
        mark.reads.values.forEach { mark.data[it] }
        columnsAlong(mark, vertical = false).forEach { onAxis(mark, it, x) }
        columnsAlong(mark, vertical = true).forEach { onAxis(mark, it, y) }
        when (mark) {
            is Bars -> checkBars()
            is Boxes -> require(x is NumberAxis && y is NumberAxis) { "Boxes need numbers on both axes of the chart '$title'." }
            is Spans -> require(x is NumberAxis && x.scale == NumberScale.LINEAR) { "Spans need a linear axis x in the chart '$title'." }
            is Points, is Labels, is Lines, is Intervals, is ReferenceLines -> Unit
        }
        val panels = facets?.let { mark.data.columns[it.by] } ?: return
        val unknown = panels.map { it.toString() }.distinct() - facets.order.toSet()
        require(unknown.isEmpty()) { "The chart '$title' has no panel for ${facets.by} $unknown; its panels are ${facets.order}." }
    }

    private fun checkBars() {
        val along = (if (y is CategoryAxis) x else y) as NumberAxis
        require(x is CategoryAxis || y is CategoryAxis) { "Bars need categories on one axis of the chart '$title'." }
        require(along.scale == NumberScale.LINEAR && along.zero) { "Bars need a linear axis from zero in the chart '$title'." }
    }

    private fun onAxis(mark: Mark, column: String, axis: Axis) {
        val kind = "${mark::class.simpleName} of the chart '$title'"
        val values = mark.data[column]
        if (axis is CategoryAxis) {
            require(mark !is ReferenceLines) { "$kind put '$column' on an axis of categories." }
            val unknown = values.map { it.toString() }.distinct() - axis.order.toSet()
            require(unknown.isEmpty()) { "$kind have $column $unknown, which its axis does not name; it names ${axis.order}." }
        } else {
            val other = values.firstOrNull { it != null && it !is Number }
            require(other == null) { "$kind need numbers in '$column', but there is '$other'." }
            val below = values.mapNotNull { it.asNumber() }.firstOrNull { it < 0.0 }
            val linear = (axis as NumberAxis).scale == NumberScale.LINEAR
            require(linear || below == null) { "$kind have $column $below, which a logarithmic axis cannot show." }
        }
    }
}

/**
 * The panels of a chart, one for each value of the column [by], in the [order] given. A mark without the column is in every panel.
 *
 * @property columns how many panels stand side by side; null for all of them.
 * @property free whether every panel has its own x axis of numbers; the panels share all other axes.
 * @property titles titles of panels, if the value alone is not enough.
 */
public data class Facets(
    val by: String,
    val order: List<String>,
    val columns: Int? = null,
    val free: Boolean = false,
    val titles: Map<String, String> = emptyMap(),
) {
    init {
        require(order.distinct().size == order.size) { "The panels of a chart must differ: $order." }
        require(columns == null || columns > 0) { "A chart cannot have $columns panels side by side." }
    }
}

/** The place of the legend; [NONE] if the axis or the labels already explain the colours. */
public enum class Legend { NONE, RIGHT, BOTTOM, TOP }

/** Width and height in pixels of the drawing; the PNG has twice as many. */
public data class ChartSize(val width: Int, val height: Int) {
    init {
        require(width in 100..5_000 && height in 100..5_000) { "A chart of $width × $height pixels cannot be drawn; 100 to 5,000 can." }
    }
}
