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
        WORDS,
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
    private val lying = y is CategoryPlacement
    private val words = WordLayers(places)

    fun drawing(): Drawing {
        val layers = baseline() + places.marks.flatMap(::layers).filter { layer -> layer.data.values.any { it.isNotEmpty() } }
        val values = seriesOf(chart)
        val colors = values.map { chart.colors[it] ?: Style.colorOf(it) }
        return Drawing(
            layers = if (facets?.free == true) layers + freeFrame() else layers,
            x = x.scale(),
            y = y.scale(),
            series = if (values.isEmpty()) null else Drawing.Series(values, colors, values.map(Style::shapeOf)),
            panels = facets?.let { Drawing.Panels(ChartPlaces.PANEL, places.panels.map(places::titleOf), layout.columns, it.free) },
            title = layout.title,
            subtitle = layout.subtitle,
            caption = layout.caption,
            legend = chart.legend,
            size = layout.size,
        )
    }

    private fun layers(mark: Mark): List<Layer> = when (mark) {
        is Boxes -> words.boxes(mark)
        is Points -> listOf(points(mark))
        is Intervals -> listOf(intervals(mark))
        is Bars -> listOf(bars(mark))
        is Lines -> lines(mark)
        is Spans -> listOf(spans(mark))
        is Labels -> words.labels(mark)
        is ReferenceLines -> words.references(mark)
    }

    /** The zero line of counts, in every panel. */
    private fun baseline(): List<Layer> {
        val axis = (if (lying) chart.x else chart.y) as NumberAxis
        if (axis.scale != NumberScale.LINEAR || !axis.zero) return emptyList()
        val rows = places.panels.map { panel -> mapOf("at" to 0.0) + places.panelCell(panel) }
        return listOf(across(lying, rows, mapOf(Constant.COLOR to Style.AXIS, Constant.SIZE to Style.REFERENCE_SIZE)))
    }

    private fun points(mark: Points): Layer {
        val rows = places.points(mark).map { (row, at) -> row.out(mark.color, "x" to at.first, "y" to at.second) }
        val look = if (mark.role == PointRole.TRIAL) {
            mapOf(Constant.SIZE to Style.TRIAL_SIZE, Constant.STROKE to Style.TRIAL_STROKE, Constant.ALPHA to Style.TRIAL_ALPHA)
        } else {
            mapOf(Constant.SIZE to Style.ESTIMATE_SIZE, Constant.STROKE to Style.ESTIMATE_STROKE)
        }
        return layer(Geometry.POINT, rows, mark.color, PLACE, look, shape = true)
    }

    private fun intervals(mark: Intervals): Layer {
        val along = if (lying) x else y
        val rows = places.rows(mark).mapNotNull { row ->
            val (px, py) = places.place(row, mark.x, mark.y, mark.lane) ?: return@mapNotNull null
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
        val half = places.lane.bar / 2
        val rows = places.rows(mark).mapNotNull { row ->
            val (px, py) = places.place(row, mark.x, mark.y, mark.lane) ?: return@mapNotNull null
            if (lying) {
                row.box(mark.color, minOf(0.0, px), maxOf(0.0, px), py - half, py + half)
            } else {
                row.box(mark.color, px - half, px + half, minOf(0.0, py), maxOf(0.0, py))
            }
        }
        return rectangles(rows, mark.color, mapOf(Constant.ALPHA to Style.BAR_ALPHA))
    }

    private fun spans(mark: Spans): Layer {
        val rows = places.rows(mark).mapNotNull { row ->
            val from = x.place(row[mark.from]) ?: return@mapNotNull null
            val to = x.place(row[mark.to]) ?: return@mapNotNull null
            val at = y.place(row[mark.y]) ?: return@mapNotNull null
            row.box(mark.color, from, to, at - SPAN_HALF, at + SPAN_HALF)
        }
        return rectangles(rows, mark.color)
    }

    /** Each series becomes its own layer, because a renderer joins series of the same colour. */
    private fun lines(mark: Lines): List<Layer> {
        val rows = places.rows(mark).mapNotNull { row ->
            val (px, py) = places.place(row, mark.x, mark.y) ?: return@mapNotNull null
            row[mark.series].toString() to row.out(mark.color, "x" to px, "y" to py)
        }
        val groups = if (mark.series == mark.color) listOf(rows) else rows.groupBy { it.first }.values.toList()
        val geometry = if (mark.steps) Geometry.STEP else Geometry.LINE
        // Renderers sort the points of lines by x, but not those of steps.
        val sorted = groups.map { group -> group.map { it.second }.sortedBy { it["x"] as Double } }
        val size = if (mark.thin) Style.THIN_LINE_SIZE else Style.LINE_SIZE
        return sorted.map { layer(geometry, it, mark.color, PLACE, mapOf(Constant.SIZE to size)) }
    }

    /** Invisible corner points, so that every panel with its own axis shows the whole axis. */
    private fun freeFrame(): Layer {
        val rows = places.panels.flatMapIndexed { panel, name ->
            listOf(Placement.Range::from, Placement.Range::to).map { end ->
                mapOf("x" to x.back(end(x.range(panel))), "y" to y.back(end(y.range(panel)))) + places.panelCell(name)
            }
        }
        return layer(Geometry.POINT, rows, null, PLACE, mapOf(Constant.ALPHA to 0.0, Constant.SIZE to 0.0))
    }

    private companion object {
        const val SPAN_HALF = 0.42
    }
}

/** The columns of the layers of points, segments, rectangles and words. */
private val PLACE = mapOf(Channel.X to "x", Channel.Y to "y")
internal val SEGMENT: Map<Channel, String> = PLACE + mapOf(Channel.X_END to "xEnd", Channel.Y_END to "yEnd")
internal val WORDS: Map<Channel, String> = PLACE + (Channel.TEXT to "text")
private val BOX = mapOf(Channel.X_MIN to "xMin", Channel.X_MAX to "xMax", Channel.Y_MIN to "yMin", Channel.Y_MAX to "yMax")

/** Lines across the panels at the column `at`. */
internal fun across(upright: Boolean, rows: List<Map<String, Any?>>, look: Map<Constant, Any>): Layer =
    if (upright) {
        layer(Geometry.UPRIGHT_LINE, rows, null, mapOf(Channel.X_AT to "at"), look)
    } else {
        layer(Geometry.LEVEL_LINE, rows, null, mapOf(Channel.Y_AT to "at"), look)
    }

internal fun ChartPlaces.Row.box(color: String?, left: Double, right: Double, bottom: Double, top: Double): Map<String, Any?> =
    out(color, "xMin" to left, "xMax" to right, "yMin" to bottom, "yMax" to top)

internal fun rectangles(rows: List<Map<String, Any?>>, color: String?, look: Map<Constant, Any> = emptyMap()): Layer =
    layer(Geometry.RECTANGLE, rows, color, BOX, look, Channel.FILL)

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
    val columns = rows.firstOrNull()?.keys ?: mapping.values
    val data = columns.associateWith { column -> rows.map { it[column] } }
    val plain = if (Constant.COLOR in constants) constants else constants + (Constant.COLOR to Style.MUTED)
    if (color == null) return Layer(geometry, data, mapping, plain)
    val shaped = if (shape) mapOf(Channel.SHAPE to ChartPlaces.COLOR) else emptyMap()
    return Layer(geometry, data, mapping + (colorChannel to ChartPlaces.COLOR) + shaped, constants)
}
