package clientlab.notebook.chart

import clientlab.notebook.chart.Drawing.Channel
import clientlab.notebook.chart.Drawing.Constant
import clientlab.notebook.chart.Drawing.Geometry
import clientlab.notebook.chart.Drawing.Layer

/** The layers of the marks that hold words: labels, reference lines and boxes. */
internal class WordLayers(private val places: ChartPlaces) {
    private val layout = places.layout
    private val x = places.x
    private val y = places.y

    fun labels(mark: Labels): List<Layer> {
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

    fun references(mark: ReferenceLines): List<Layer> {
        val upright = mark.x != null
        val rows = places.rows(mark).mapNotNull { row -> (if (upright) x.place(row[mark.x]) else y.place(row[mark.y]))?.let { row to it } }
        val look = mapOf(Constant.COLOR to Style.AXIS, Constant.SIZE to Style.REFERENCE_SIZE, Constant.DASHED to true)
        val lines = across(upright, rows.map { (row, at) -> row.out(null, "at" to at) }, look)
        val text = mark.text ?: return listOf(lines)
        val said = rows.filter { (row, _) -> !row[text]?.toString().isNullOrEmpty() }
        if (said.isEmpty()) return listOf(lines)
        // Near the right edge, the text of a vertical line stands to its left. The text of a horizontal line ends there.
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

    /** Text that does not fit is cut. If fewer than three letters fit, there is no text. */
    fun boxes(mark: Boxes): List<Layer> {
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

    private companion object {
        const val LEADER_START = 6.0
        const val LEADER_END = 20.0
        const val END_LABEL_HEIGHT = 15.0
        const val BOX_MARGIN = 3.0
        const val BOX_HAIR = 0.5
    }
}
