package clientlab.notebook.chart

import clientlab.notebook.chart.Drawing.Constant
import clientlab.notebook.chart.Drawing.Geometry
import clientlab.notebook.chart.Drawing.Layer

/** The layers of the marks that hold words: labels, reference lines and boxes. */
internal class WordLayers(private val places: ChartPlaces) {
    private val layout = places.layout
    private val x = places.x
    private val y = places.y

    fun labels(mark: Labels): List<Layer> {
        val rows = places.rows(mark).mapNotNull { row -> places.place(row, mark.x, mark.y, mark.lane)?.let { row to it } }
        if (mark.place == LabelPlace.END) return endLabels(mark, rows)
        val above = mark.place == LabelPlace.ABOVE
        val out = rows.map { (row, at) ->
            val px = if (above) at.first else right(at.first, ChartPlaces.LABEL_GAP, row.panel)
            val py = if (above) up(at.second, ChartPlaces.LABEL_GAP, row.panel) else at.second
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
            val spread = spreadApart(group.map { (_, at) -> y.share(at.second, panel) }, END_LABEL_HEIGHT / layout.panelHeight)
            val end = group.maxOf { (_, at) -> at.first }
            group.forEachIndexed { i, (row, at) ->
                val py = y.back(range.from + spread[i] * height)
                val text = right(end, ChartPlaces.END_LABEL_GAP, panel)
                words += row.out(mark.color, "x" to text, "y" to py, "text" to row[mark.text].toString())
                val (from, to) = right(at.first, LEADER_START, panel) to right(end, LEADER_END, panel)
                leaders += row.out(mark.color, "x" to from, "y" to at.second, "xEnd" to to, "yEnd" to py)
            }
        }
        val lines = layer(Geometry.SEGMENT, leaders, mark.color, SEGMENT, mapOf(Constant.SIZE to Style.LEADER_SIZE))
        return listOf(lines, words(words, mark.color, anchor = 0.0, rise = 0.5))
    }

    fun references(mark: ReferenceLines): List<Layer> {
        val upright = mark.x != null
        val rows = places.rows(mark).mapNotNull { row -> (if (upright) x.place(row[mark.x]) else y.place(row[mark.y]))?.let { row to it } }
        val look = mapOf(Constant.COLOR to Style.AXIS, Constant.SIZE to Style.REFERENCE_SIZE, Constant.DASHED to true)
        val lines = across(upright, rows.map { (row, at) -> row.out(null, "at" to at) }, look)
        val said = rows.filter { (row, _) -> !row[mark.text]?.toString().isNullOrEmpty() }
        // Near the right edge, the text of a vertical line stands to its left. The text of a horizontal line ends there.
        val sides = said.groupBy { (row, at) -> !upright || x.share(at, row.panel) > 0.72 }
        return listOf(lines) + sides.map { (left, group) ->
            val out = group.map { (row, at) ->
                val px = if (upright) at else x.back(x.range(row.panel).to)
                val py = if (upright) y.back(y.range(row.panel).to) else at
                val (besideX, besideY) = right(px, if (left) -4.0 else 4.0, row.panel) to up(py, if (upright) -3.0 else 3.0, row.panel)
                row.out(null, "x" to besideX, "y" to besideY, "text" to row[mark.text].toString())
            }
            words(out, null, anchor = if (left) 1.0 else 0.0, rise = if (upright) 1.0 else 0.0)
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
            val left = right(from, BOX_MARGIN, row.panel)
            if (text.isNotEmpty()) words += row.out(null, "x" to left, "y" to (bottom + top) / 2, "text" to text)
            val hair = minOf(BOX_HAIR, width / 4)
            val (low, high) = up(bottom, BOX_HAIR, row.panel) to up(top, -BOX_HAIR, row.panel)
            row.box(mark.color, right(from, hair, row.panel), right(to, -hair, row.panel), low, high)
        }
        val look = mapOf(Constant.COLOR to Style.INK, Constant.SIZE to Style.BOX_TEXT, Constant.ANCHOR to 0.0, Constant.RISE to 0.5)
        return listOf(rectangles(rows, mark.color), layer(Geometry.TEXT, words, null, WORDS, look))
    }

    private fun right(place: Double, pixels: Double, panel: Int) = x.shift(place, pixels, panel, layout.panelWidth)

    private fun up(place: Double, pixels: Double, panel: Int) = y.shift(place, pixels, panel, layout.panelHeight)

    private fun fitting(text: String, room: Double): String {
        if (Style.widthOf(text, Style.BOX_TEXT) <= room) return text
        val fits = text.indices.lastOrNull { Style.widthOf(text.take(it) + "…", Style.BOX_TEXT) <= room } ?: 0
        return if (fits < 3) "" else text.take(fits) + "…"
    }

    private fun words(rows: List<Map<String, Any?>>, color: String?, anchor: Double, rise: Double): Layer =
        layer(Geometry.TEXT, rows, color, WORDS, mapOf(Constant.SIZE to Style.TEXT, Constant.ANCHOR to anchor, Constant.RISE to rise))

    private companion object {
        const val LEADER_START = 6.0
        const val LEADER_END = 20.0
        const val END_LABEL_HEIGHT = 15.0
        const val BOX_MARGIN = 3.0
        const val BOX_HAIR = 0.5
    }
}
