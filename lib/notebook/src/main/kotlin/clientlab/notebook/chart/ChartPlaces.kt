package clientlab.notebook.chart

/** The positions of the rows of a chart's marks: panel, category, lane, and place on an axis of numbers. */
internal class ChartPlaces(private val chart: Chart) {
    private val facets = chart.facets
    private val lanes = lanes(chart)

    /** The values of the panels in their order; one panel without a name if the chart is not divided. */
    val panels: List<String> = facets?.order ?: listOf("")
    val layout: Layout = Layout(chart)
    val lane: LaneWidth = LaneWidth(lanes.size)

    /** The marks that have anything to draw. */
    val marks: List<Mark> = chart.marks.filter { it.data.size > 0 }
    val x: Placement = placement(chart.x, vertical = false)
    val y: Placement = placement(chart.y, vertical = true)

    /** The rows of [mark], each in its panel, or in every panel if its data do not name one. */
    fun rows(mark: Mark): List<Row> {
        val column = facets?.let { mark.data.columns[it.by] }
        return (0 until mark.data.size).flatMap { i ->
            val here = if (column == null) panels.indices else listOf(panels.indexOf(column[i].toString()))
            here.map { Row(mark.data, i, it) }
        }
    }

    /** The title of the panel of [value], with the invisible mark that keeps the order. */
    fun titleOf(value: String): String = PanelOrder.mark(panels.indexOf(value), panels.size) + (facets?.titles?.get(value) ?: value)

    /** The cell that names the panel of [value], if the chart has panels. */
    fun panelCell(value: String): Map<String, String> = if (facets == null) emptyMap() else mapOf(PANEL to titleOf(value))

    /** The position of [row], moved by [spread] from the middle of its lane; null if a number is missing. */
    fun place(row: Row, xColumn: String, yColumn: String, laneColumn: String? = null, spread: Double = 0.0): Pair<Double, Double>? {
        val px = x.place(row[xColumn]) ?: return null
        val py = y.place(row[yColumn]) ?: return null
        val aside = laneColumn?.let { lane.offset(lanes.indexOf(row[it].toString())) } ?: 0.0
        return when {
            x is CategoryPlacement -> px + aside + spread to py
            y is CategoryPlacement -> px to py - aside - spread
            else -> px to py
        }
    }

    /** The rows of [mark] with their places; trials are spread across their category, the same way each time. */
    fun points(mark: Points): List<Pair<Row, Pair<Double, Double>>> {
        val seen = HashMap<List<Any?>, Int>()
        return rows(mark).mapNotNull { row ->
            val category = if (x is CategoryPlacement) {
                row[mark.x]
            } else if (y is CategoryPlacement) {
                row[mark.y]
            } else {
                null
            }
            val here = listOf(row.panel, category, row[mark.lane])
            val spread = if (mark.role == PointRole.TRIAL) lane.spread(seen.merge(here, 1, Int::plus)!! - 1) else 0.0
            place(row, mark.x, mark.y, mark.lane, spread)?.let { row to it }
        }
    }

    /** One row of a mark in one panel. */
    inner class Row(private val data: ChartData, val number: Int, val panel: Int) {
        operator fun get(column: String?): Any? = column?.let { data[it][number] }

        /** The cells of a layer, with the columns for colour and panel if the chart has them. */
        fun out(color: String?, vararg cells: Pair<String, Any?>): Map<String, Any?> = buildMap {
            putAll(cells)
            if (color != null) put(COLOR, this@Row[color].toString())
            putAll(panelCell(panels[panel]))
        }
    }

    private fun placement(axis: Axis, vertical: Boolean): Placement = when (axis) {
        is CategoryAxis -> CategoryPlacement(axis, vertical, if (marks.any(::isSaidAbove)) 0.45 else 0.0)
        is NumberAxis -> numbers(axis, vertical)
    }

    private fun isSaidAbove(mark: Mark) = mark is ReferenceLines && mark.x != null && mark.text != null

    private fun numbers(axis: NumberAxis, vertical: Boolean): NumberPlacement {
        val values = List(panels.size) { mutableListOf<Double>() }
        val room = List(panels.size) { mutableListOf<Pair<Double, Double>>() }
        val length = if (vertical) layout.panelHeight else layout.panelWidth
        marks.forEach { mark ->
            val along = chart.columnsAlong(mark, vertical)
            rows(mark).forEach { row ->
                along.mapNotNullTo(values[row.panel]) { row[it].asNumber() }
                val pixels = if (mark is Labels) labelRoom(mark, row[mark.text].toString(), vertical) else 0.0
                val at = row[along.firstOrNull()].asNumber()
                if (at != null && pixels > 0) room[row.panel] += at to (pixels / length).coerceAtMost(0.7)
            }
        }
        val before = when {
            marks.any { it is Bars } -> 0.0
            marks.any { it is Points } -> POINT_ROOM
            else -> LINE_ROOM
        }
        return NumberPlacement(axis, values, room, before / length, free = facets?.free == true && !vertical)
    }

    /** The pixels that a label needs beyond its point along one of the axes. */
    private fun labelRoom(mark: Labels, text: String, vertical: Boolean): Double = when {
        vertical != (mark.place == LabelPlace.ABOVE) -> 0.0
        vertical -> LABEL_GAP + Style.TEXT + 4.0
        else -> (if (mark.place == LabelPlace.END) END_LABEL_GAP else LABEL_GAP) + Style.widthOf(text, Style.TEXT) * Layout.WIDEST + 4.0
    }

    internal companion object {
        const val COLOR = "series"
        const val PANEL = "panel"
        const val LABEL_GAP = 9.0
        const val END_LABEL_GAP = 24.0
        private const val POINT_ROOM = 8.0
        private const val LINE_ROOM = 3.0
    }
}

/** Divides a category, which is one unit wide, among its [count] lanes. */
internal class LaneWidth(private val count: Int) {
    private val width = 0.8 / maxOf(1, count)

    /** How thick a bar is. */
    val bar: Double = if (count > 1) width * 0.88 else 0.66

    fun offset(lane: Int): Double = (lane - (count - 1) / 2.0) * width

    /** The offset of the [n]th trial: multiples of the golden ratio fill a range evenly, for any number of trials. */
    fun spread(n: Int): Double = ((n * 0.6180339887498949 + 0.5) % 1.0 - 0.5) * width * 0.7
}
