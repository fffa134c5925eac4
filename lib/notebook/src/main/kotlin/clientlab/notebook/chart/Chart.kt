package clientlab.notebook.chart

/**
 * A figure as plain data, which any [ChartRenderer] can draw.
 *
 * @property title the finding.
 * @property subtitle the conditions.
 * @property caption n and the run id.
 * @property alt the figure in words, for readers who cannot see it; never empty.
 * @property marks what is drawn, the first at the back.
 * @property facets the panels that the data are divided into, or null for one panel.
 * @property colors colours as `#rrggbb` for values that are not clients, or must not look like one.
 * @property size width and height in pixels; null for a height that has room for every category.
 * @property runs the ids of the runs that the figure shows, beside those of the trials that its dots name.
 * @throws IllegalArgumentException with one sentence, if a mark does not fit the chart.
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
        marks.forEach(::check)
    }

    /** Whether there is nothing to draw. A chart without complete trials says so. */
    public val isEmpty: Boolean get() = marks.filter { it !is ReferenceLines }.all { it.data.size == 0 }

    private fun check(mark: Mark) {
        val data = mark.data
        if (data.size == 0) return
        mark.columns.forEach { data[it] }
        val kind = mark::class.simpleName
        when (mark) {
            is Boxes -> {
                place(data, mark.from, mark.bottom, kind)
                place(data, mark.to, mark.top, kind)
                require(x is NumberAxis && y is NumberAxis) { "Boxes need numbers on both axes of the chart '$title'." }
            }

            is Points -> {
                place(data, mark.x, mark.y, kind)
            }

            is Labels -> {
                place(data, mark.x, mark.y, kind)
            }

            is Lines -> {
                place(data, mark.x, mark.y, kind)
            }

            is Intervals -> {
                place(data, mark.x, mark.y, kind)
                numbers(data, mark.low, kind, if (y is CategoryAxis) x else y)
                numbers(data, mark.high, kind, if (y is CategoryAxis) x else y)
            }

            is Bars -> {
                place(data, mark.x, mark.y, kind)
                val along = (if (y is CategoryAxis) x else y) as NumberAxis
                require(x is CategoryAxis || y is CategoryAxis) { "Bars need categories on one axis of the chart '$title'." }
                require(along.scale == NumberScale.LINEAR && along.zero) { "Bars need a linear axis from zero in the chart '$title'." }
            }

            is Spans -> {
                place(data, mark.from, mark.y, kind)
                place(data, mark.to, mark.y, kind)
                require(x is NumberAxis && x.scale == NumberScale.LINEAR) { "Spans need a linear axis x in the chart '$title'." }
            }

            is ReferenceLines -> {
                mark.x?.let { numbers(data, it, kind, x) }
                mark.y?.let { numbers(data, it, kind, y) }
            }
        }
        facets?.let { facets ->
            val values = data.columns[facets.by] ?: return@let
            val unknown = values.map { it.toString() }.distinct() - facets.order.toSet()
            require(unknown.isEmpty()) { "The chart '$title' has no panel for ${facets.by} $unknown; its panels are ${facets.order}." }
        }
    }

    private fun place(data: ChartData, xColumn: String, yColumn: String, kind: String?) {
        onAxis(data, xColumn, kind, x)
        onAxis(data, yColumn, kind, y)
    }

    private fun onAxis(data: ChartData, column: String, kind: String?, axis: Axis) = when (axis) {
        is NumberAxis -> {
            numbers(data, column, kind, axis)
        }

        is CategoryAxis -> {
            val unknown = data[column].map { it.toString() }.distinct() - axis.order.toSet()
            require(unknown.isEmpty()) {
                "$kind of the chart '$title' have $column $unknown, which its axis does not name; it names ${axis.order}."
            }
        }
    }

    private fun numbers(data: ChartData, column: String, kind: String?, axis: Axis) {
        require(axis is NumberAxis) { "$kind of the chart '$title' put '$column' on an axis of categories." }
        val other = data[column].firstOrNull { it != null && it !is Number }
        require(other == null) { "$kind of the chart '$title' need numbers in '$column', but there is '$other'." }
        if (axis.scale != NumberScale.LINEAR) {
            val below = data[column].mapNotNull { it.asNumber() }.firstOrNull { it < 0.0 }
            require(below == null) { "$kind of the chart '$title' have $column $below, which a logarithmic axis cannot show." }
        }
    }
}

/**
 * The panels of a chart, one for each value of the column [by], in the [order] given.
 *
 * A mark whose data lack the column is drawn in every panel.
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
