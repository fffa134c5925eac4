package clientlab.notebook.chart

import clientlab.notebook.chart.Drawing.Channel
import clientlab.notebook.chart.Drawing.Constant
import clientlab.notebook.chart.Drawing.Geometry
import clientlab.notebook.chart.Drawing.Layer

/** The chart with every value at its place; the last step before a renderer's own words. */
public fun Chart.drawing(): Drawing = if (isEmpty) emptyDrawing(this) else ChartDrawing(this).drawing()

private fun emptyDrawing(chart: Chart): Drawing {
    val hidden = Drawing.Scale("", NumberScale.LINEAR, -1.0 to 1.0, emptyList(), emptyList(), categories = false, hidden = true)
    val words = Layer(
        Geometry.TEXT,
        mapOf("x" to listOf(0.0), "y" to listOf(0.0), "text" to listOf("no complete trials")),
        mapOf(Channel.X to "x", Channel.Y to "y", Channel.TEXT to "text"),
        mapOf(Constant.COLOR to Style.MUTED, Constant.SIZE to Style.SUBTITLE, Constant.ANCHOR to 0.5, Constant.RISE to 0.5),
    )
    val layout = Layout(chart.copy(facets = null))
    val size = chart.size ?: ChartSize(Style.WIDTH, 220)
    return Drawing(listOf(words), hidden, hidden, null, null, layout.title, layout.subtitle, layout.caption, Legend.NONE, size)
}

/** Turns the marks of one chart into layers. */
private class ChartDrawing(private val chart: Chart) {
    private val places = ChartPlaces(chart)
    private val facets = chart.facets
    private val layout = places.layout
    private val x = places.x
    private val y = places.y

    fun drawing(): Drawing {
        val layers = baseline() + places.marks
            .flatMap { mark ->
                when (mark) {
                    is Boxes -> boxes(mark)
                    is Points -> listOf(points(mark))
                    is Intervals -> listOf(intervals(mark))
                    is Bars -> listOf(bars(mark))
                    is Lines -> lines(mark)
                    is Spans -> listOf(spans(mark))
                    is Labels -> labels(mark)
                    is ReferenceLines -> references(mark)
                }
            }.filter { layer -> layer.data.values.any { it.isNotEmpty() } }
        val values = seriesOf(chart)
        val colors = values.map { chart.colors[it] ?: Style.colorOf(it) }
        return Drawing(
            layers = if (facets?.free == true) layers + freeFrame() else layers,
            x = scale(x),
            y = scale(y),
            series = if (values.isEmpty()) null else Drawing.Series(values, colors, values.map(Style::shapeOf)),
            panels = facets?.let { Drawing.Panels(PANEL, places.panels.map(places::titleOf), layout.columns, it.free) },
            title = layout.title,
            subtitle = layout.subtitle,
            caption = layout.caption,
            legend = chart.legend,
            size = layout.size,
        )
    }

    /** The line that counts begin at, in every panel. */
    private fun baseline(): List<Layer> {
        val upright = y is CategoryPlacement
        val axis = (if (upright) chart.x else chart.y) as NumberAxis
        if (axis.scale != NumberScale.LINEAR || !axis.zero) return emptyList()
        val rows = places.panels.map { panel ->
            if (facets == null) {
                mapOf("at" to 0.0)
            } else {
                mapOf("at" to 0.0, PANEL to places.titleOf(panel))
            }
        }
        return listOf(across(upright, rows, mapOf(Constant.COLOR to Style.AXIS, Constant.SIZE to Style.REFERENCE_SIZE)))
    }

    private fun across(upright: Boolean, rows: List<Map<String, Any?>>, constants: Map<Constant, Any>): Layer = layer(
        if (upright) Geometry.UPRIGHT_LINE else Geometry.LEVEL_LINE,
        rows,
        null,
        mapOf((if (upright) Channel.X_AT else Channel.Y_AT) to "at"),
        constants,
    )

    private fun points(mark: Points): Layer {
        val trial = mark.role == PointRole.TRIAL
        val rows = places.points(mark).map { (row, at) -> row.out(mark.color, "x" to at.first, "y" to at.second) }
        val constants = if (trial) {
            mapOf(Constant.SIZE to Style.TRIAL_SIZE, Constant.STROKE to Style.TRIAL_STROKE, Constant.ALPHA to Style.TRIAL_ALPHA)
        } else {
            mapOf(Constant.SIZE to Style.ESTIMATE_SIZE, Constant.STROKE to Style.ESTIMATE_STROKE)
        }
        return layer(Geometry.POINT, rows, mark.color, mapOf(Channel.X to "x", Channel.Y to "y"), constants, shape = true)
    }

    private fun intervals(mark: Intervals): Layer {
        val lying = y is CategoryPlacement
        val rows = places.rows(mark).mapNotNull { row ->
            val (px, py) = places.place(row, mark.x, mark.y, mark.lane, 0.0) ?: return@mapNotNull null
            val along = if (lying) x else y
            val low = along.place(row[mark.low]) ?: return@mapNotNull null
            val high = along.place(row[mark.high]) ?: return@mapNotNull null
            if (lying) {
                row.out(mark.color, "x" to low, "y" to py, "xEnd" to high, "yEnd" to py)
            } else {
                row.out(mark.color, "x" to px, "y" to low, "xEnd" to px, "yEnd" to high)
            }
        }
        return layer(Geometry.SEGMENT, rows, mark.color, SEGMENT, mapOf(Constant.SIZE to Style.INTERVAL_SIZE))
    }

    private fun bars(mark: Bars): Layer {
        val lying = y is CategoryPlacement
        val half = places.lane.bar / 2
        val rows = places.rows(mark).mapNotNull { row ->
            val (px, py) = places.place(row, mark.x, mark.y, mark.lane, 0.0) ?: return@mapNotNull null
            if (lying) {
                row.out(mark.color, "xMin" to minOf(0.0, px), "xMax" to maxOf(0.0, px), "yMin" to py - half, "yMax" to py + half)
            } else {
                row.out(mark.color, "xMin" to px - half, "xMax" to px + half, "yMin" to minOf(0.0, py), "yMax" to maxOf(0.0, py))
            }
        }
        val mapping = mapOf(Channel.X_MIN to "xMin", Channel.X_MAX to "xMax", Channel.Y_MIN to "yMin", Channel.Y_MAX to "yMax")
        return layer(Geometry.RECTANGLE, rows, mark.color, mapping, mapOf(Constant.ALPHA to Style.BAR_ALPHA), Channel.FILL)
    }

    private fun spans(mark: Spans): Layer {
        val rows = places.rows(mark).mapNotNull { row ->
            val from = x.place(row[mark.from]) ?: return@mapNotNull null
            val to = x.place(row[mark.to]) ?: return@mapNotNull null
            val at = y.place(row[mark.y]) ?: return@mapNotNull null
            row.out(mark.color, "xMin" to from, "xMax" to to, "yMin" to at - SPAN_HALF, "yMax" to at + SPAN_HALF)
        }
        val mapping = mapOf(Channel.X_MIN to "xMin", Channel.X_MAX to "xMax", Channel.Y_MIN to "yMin", Channel.Y_MAX to "yMax")
        return layer(Geometry.RECTANGLE, rows, mark.color, mapping, emptyMap(), Channel.FILL)
    }

    /** Several series of one colour become a layer each, because a renderer joins whatever has one colour. */
    private fun lines(mark: Lines): List<Layer> {
        val rows = places.rows(mark).mapNotNull { row ->
            val (px, py) = places.place(row, mark.x, mark.y, null, 0.0) ?: return@mapNotNull null
            row[mark.series].toString() to row.out(mark.color, "x" to px, "y" to py)
        }
        val groups = if (mark.series == mark.color) listOf(rows) else rows.groupBy { it.first }.values.toList()
        return groups.map { group ->
            // Renderers sort lines by x but keep steps as they come.
            val sorted = group.map { it.second }.sortedBy { it["x"] as Double }
            val geometry = if (mark.steps) Geometry.STEP else Geometry.LINE
            layer(geometry, sorted, mark.color, mapOf(Channel.X to "x", Channel.Y to "y"), mapOf(Constant.SIZE to Style.LINE_SIZE))
        }
    }

    private fun labels(mark: Labels): List<Layer> {
        val rows = places.rows(mark).mapNotNull { row -> places.place(row, mark.x, mark.y, mark.lane, 0.0)?.let { row to it } }
        if (mark.place == LabelPlace.END) return endLabels(mark, rows)
        val above = mark.place == LabelPlace.ABOVE
        val out = rows.map { (row, at) ->
            val px = if (above) at.first else x.shift(at.first, ChartPlaces.LABEL_GAP, row.panel, layout.panelWidth)
            val py = if (above) y.shift(at.second, ChartPlaces.LABEL_GAP, row.panel, layout.panelHeight) else at.second
            row.out(mark.color, "x" to px, "y" to py, "text" to row[mark.text].toString())
        }
        return listOf(words(out, mark.color, anchor = if (above) 0.5 else 0.0, rise = if (above) 0.0 else 0.5))
    }

    private fun endLabels(mark: Labels, rows: List<Pair<ChartPlaces.Row, Pair<Double, Double>>>): List<Layer> {
        val words = mutableListOf<Map<String, Any?>>()
        val leaders = mutableListOf<Map<String, Any?>>()
        rows.groupBy { it.first.panel }.forEach { (panel, group) ->
            val range = y.range(panel)
            val height = range.to - range.from
            val gap = END_LABEL_HEIGHT / layout.panelHeight
            val spread = spreadApart(group.map { (_, at) -> (y.forth(at.second) - range.from) / height }, gap)
            val end = group.maxOf { (_, at) -> at.first }
            group.forEachIndexed { i, (row, at) ->
                val py = y.back(range.from + spread[i] * height)
                val from = x.shift(at.first, LEADER_START, panel, layout.panelWidth)
                val to = x.shift(end, LEADER_END, panel, layout.panelWidth)
                val text = x.shift(end, ChartPlaces.END_LABEL_GAP, panel, layout.panelWidth)
                words += row.out(mark.color, "x" to text, "y" to py, "text" to row[mark.text].toString())
                leaders += row.out(mark.color, "x" to from, "y" to at.second, "xEnd" to to, "yEnd" to py)
            }
        }
        return listOf(
            layer(Geometry.SEGMENT, leaders, mark.color, SEGMENT, mapOf(Constant.SIZE to Style.LEADER_SIZE)),
            words(words, mark.color, anchor = 0.0, rise = 0.5),
        )
    }

    private fun references(mark: ReferenceLines): List<Layer> {
        val upright = mark.x != null
        val rows = places.rows(mark).mapNotNull { row -> (if (upright) x.place(row[mark.x]) else y.place(row[mark.y]))?.let { row to it } }
        val look = mapOf(Constant.COLOR to Style.AXIS, Constant.SIZE to Style.REFERENCE_SIZE, Constant.DASHED to true)
        val lines = across(upright, rows.map { (row, at) -> row.out(null, "at" to at) }, look)
        val text = mark.text ?: return listOf(lines)
        val said = rows.filter { (row, _) -> !row[text]?.toString().isNullOrEmpty() }
        if (said.isEmpty()) return listOf(lines)
        // Near the right edge the words of an upright line stand to its left; those of a level line end there.
        val sides = said.groupBy { (row, at) -> !upright || x.range(row.panel).let { (x.forth(at) - it.from) / (it.to - it.from) > 0.72 } }
        return listOf(lines) + sides.map { (left, group) ->
            words(
                group.map { (row, at) ->
                    val px = if (upright) at else x.back(x.range(row.panel).to)
                    val py = if (upright) y.back(y.range(row.panel).to) else at
                    row.out(
                        null,
                        "x" to x.shift(px, if (left) -4.0 else 4.0, row.panel, layout.panelWidth),
                        "y" to y.shift(py, if (upright) -3.0 else 3.0, row.panel, layout.panelHeight),
                        "text" to row[text].toString(),
                    )
                },
                null,
                anchor = if (left) 1.0 else 0.0,
                rise = if (upright) 1.0 else 0.0,
            )
        }
    }

    /** Words that do not fit are cut, and where not even three letters fit there are none. */
    private fun boxes(mark: Boxes): List<Layer> {
        val words = mutableListOf<Map<String, Any?>>()
        val rows = places.rows(mark).mapNotNull { row ->
            val from = x.place(row[mark.from]) ?: return@mapNotNull null
            val to = x.place(row[mark.to]) ?: return@mapNotNull null
            val bottom = y.place(row[mark.bottom]) ?: return@mapNotNull null
            val top = y.place(row[mark.top]) ?: return@mapNotNull null
            val shown = x.range(row.panel)
            val width = (x.forth(to) - x.forth(from)) / (shown.to - shown.from) * layout.panelWidth
            val text = fitting(row[mark.text].toString(), width - 2 * BOX_MARGIN)
            val left = x.shift(from, BOX_MARGIN, row.panel, layout.panelWidth)
            if (text.isNotEmpty()) words += row.out(null, "x" to left, "y" to (bottom + top) / 2, "text" to text)
            val hair = minOf(BOX_HAIR, width / 4)
            row.out(
                mark.color,
                "xMin" to x.shift(from, hair, row.panel, layout.panelWidth),
                "xMax" to x.shift(to, -hair, row.panel, layout.panelWidth),
                "yMin" to y.shift(bottom, BOX_HAIR, row.panel, layout.panelHeight),
                "yMax" to y.shift(top, -BOX_HAIR, row.panel, layout.panelHeight),
            )
        }
        val mapping = mapOf(Channel.X_MIN to "xMin", Channel.X_MAX to "xMax", Channel.Y_MIN to "yMin", Channel.Y_MAX to "yMax")
        val look = mapOf(Constant.COLOR to Style.INK, Constant.SIZE to Style.BOX_TEXT, Constant.ANCHOR to 0.0, Constant.RISE to 0.5)
        val text = mapOf(Channel.X to "x", Channel.Y to "y", Channel.TEXT to "text")
        return listOf(
            layer(Geometry.RECTANGLE, rows, mark.color, mapping, emptyMap(), Channel.FILL),
            layer(Geometry.TEXT, words, null, text, look),
        )
    }

    private fun fitting(text: String, room: Double): String {
        if (Style.widthOf(text, Style.BOX_TEXT) <= room) return text
        val fits = text.indices.lastOrNull { Style.widthOf(text.take(it) + "…", Style.BOX_TEXT) <= room } ?: 0
        return if (fits < 3) "" else text.take(fits) + "…"
    }

    private fun words(rows: List<Map<String, Any?>>, color: String?, anchor: Double, rise: Double): Layer {
        val constants = mapOf(Constant.SIZE to Style.TEXT, Constant.ANCHOR to anchor, Constant.RISE to rise)
        val mapping = mapOf(Channel.X to "x", Channel.Y to "y", Channel.TEXT to "text")
        return layer(Geometry.TEXT, rows, color, mapping, if (color == null) constants + (Constant.COLOR to Style.MUTED) else constants)
    }

    private fun layer(
        geometry: Geometry,
        rows: List<Map<String, Any?>>,
        color: String?,
        mapping: Map<Channel, String>,
        constants: Map<Constant, Any>,
        colorChannel: Channel = Channel.COLOR,
        shape: Boolean = false,
    ): Layer {
        val columns = rows.firstOrNull()?.keys ?: mapping.values.toSet()
        val colored = if (color == null) emptyMap() else mapOf(colorChannel to COLOR)
        val shaped = if (color != null && shape) mapOf(Channel.SHAPE to COLOR) else emptyMap()
        val plain = if (color == null && Constant.COLOR !in constants) mapOf(Constant.COLOR to Style.MUTED) else emptyMap()
        return Layer(geometry, columns.associateWith { column -> rows.map { it[column] } }, mapping + colored + shaped, constants + plain)
    }

    /** Corners that nobody sees, so that every panel with an axis of its own shows all of it. */
    private fun freeFrame(): Layer {
        val rows = places.panels.indices.flatMap { panel ->
            listOf(Placement.Range::from, Placement.Range::to).map { end ->
                mapOf("x" to x.back(end(x.range(panel))), "y" to y.back(end(y.range(panel))), PANEL to places.titleOf(places.panels[panel]))
            }
        }
        val unseen = mapOf(Constant.ALPHA to 0.0, Constant.SIZE to 0.0)
        return layer(Geometry.POINT, rows, null, mapOf(Channel.X to "x", Channel.Y to "y"), unseen)
    }

    private fun scale(placement: Placement): Drawing.Scale = when (placement) {
        is CategoryPlacement -> placement.scale()
        is NumberPlacement -> placement.scale()
    }

    private companion object {
        const val COLOR = ChartPlaces.COLOR
        const val PANEL = ChartPlaces.PANEL
        const val SPAN_HALF = 0.42
        const val LEADER_START = 6.0
        const val LEADER_END = 20.0
        const val END_LABEL_HEIGHT = 15.0
        const val BOX_MARGIN = 3.0
        const val BOX_HAIR = 0.5
        val SEGMENT = mapOf(Channel.X to "x", Channel.Y to "y", Channel.X_END to "xEnd", Channel.Y_END to "yEnd")
    }
}
