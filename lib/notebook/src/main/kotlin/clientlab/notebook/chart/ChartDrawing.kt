package clientlab.notebook.chart

import clientlab.notebook.chart.Drawing.Channel
import clientlab.notebook.chart.Drawing.Constant
import clientlab.notebook.chart.Drawing.Geometry
import clientlab.notebook.chart.Drawing.Layer

/** The chart with a position for every value; the last step before a renderer's own format. */
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
    private val words = WordLayers(places)

    fun drawing(): Drawing {
        val layers = baseline() + places.marks
            .flatMap { mark ->
                when (mark) {
                    is Boxes -> words.boxes(mark)
                    is Points -> listOf(points(mark))
                    is Intervals -> listOf(intervals(mark))
                    is Bars -> listOf(bars(mark))
                    is Lines -> lines(mark)
                    is Spans -> listOf(spans(mark))
                    is Labels -> words.labels(mark)
                    is ReferenceLines -> words.references(mark)
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

    /** The zero line of counts, in every panel. */
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

    /** Each series becomes its own layer, because a renderer joins series of the same colour. */
    private fun lines(mark: Lines): List<Layer> {
        val rows = places.rows(mark).mapNotNull { row ->
            val (px, py) = places.place(row, mark.x, mark.y, null, 0.0) ?: return@mapNotNull null
            row[mark.series].toString() to row.out(mark.color, "x" to px, "y" to py)
        }
        val groups = if (mark.series == mark.color) listOf(rows) else rows.groupBy { it.first }.values.toList()
        return groups.map { group ->
            // Renderers sort the points of lines by x, but not those of steps.
            val sorted = group.map { it.second }.sortedBy { it["x"] as Double }
            val geometry = if (mark.steps) Geometry.STEP else Geometry.LINE
            layer(geometry, sorted, mark.color, mapOf(Channel.X to "x", Channel.Y to "y"), mapOf(Constant.SIZE to Style.LINE_SIZE))
        }
    }

    /** Invisible corner points, so that every panel with its own axis shows the whole axis. */
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
        const val PANEL = ChartPlaces.PANEL
        const val SPAN_HALF = 0.42
    }
}

/** The columns of a layer of segments. */
internal val SEGMENT: Map<Channel, String> = mapOf(Channel.X to "x", Channel.Y to "y", Channel.X_END to "xEnd", Channel.Y_END to "yEnd")

/** Lines across the panels at the column `at`. */
internal fun across(upright: Boolean, rows: List<Map<String, Any?>>, constants: Map<Constant, Any>): Layer = layer(
    if (upright) Geometry.UPRIGHT_LINE else Geometry.LEVEL_LINE,
    rows,
    null,
    mapOf((if (upright) Channel.X_AT else Channel.Y_AT) to "at"),
    constants,
)

/** One layer of [rows], coloured by [color] where that is given. */
internal fun layer(
    geometry: Geometry,
    rows: List<Map<String, Any?>>,
    color: String?,
    mapping: Map<Channel, String>,
    constants: Map<Constant, Any>,
    colorChannel: Channel = Channel.COLOR,
    shape: Boolean = false,
): Layer {
    val columns = rows.firstOrNull()?.keys ?: mapping.values.toSet()
    val colored = if (color == null) emptyMap() else mapOf(colorChannel to ChartPlaces.COLOR)
    val shaped = if (color != null && shape) mapOf(Channel.SHAPE to ChartPlaces.COLOR) else emptyMap()
    val plain = if (color == null && Constant.COLOR !in constants) mapOf(Constant.COLOR to Style.MUTED) else emptyMap()
    return Layer(geometry, columns.associateWith { column -> rows.map { it[column] } }, mapping + colored + shaped, constants + plain)
}
