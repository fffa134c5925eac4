package clientlab.notebook.chart

import kotlin.math.max

/**
 * How the pixels of a chart are divided, approximately: the room for the panels after the texts have theirs.
 *
 * The renderer measures in its own way. This is accurate enough to wrap texts and to keep labels apart.
 */
internal class Layout(chart: Chart) {
    private val panels = chart.facets
        ?.order
        ?.size
        ?.coerceAtLeast(1) ?: 1

    /** How many panels stand side by side. */
    val columns: Int = chart.facets?.columns?.coerceAtMost(panels) ?: panels
    private val rows = (panels + columns - 1) / columns

    private val width = chart.size?.width ?: Style.WIDTH
    private val left = axisWidth(chart.y) + (if (chart.y.label.isEmpty()) 0.0 else 22.0) + MARGIN
    private val right = if (chart.legend == Legend.RIGHT) legendWidth(chart) else 0.0

    /** The title, subtitle and caption, with line breaks so that they fit the picture. */
    val title: String = wrap(chart.title, Style.TITLE * BOLD, width - left - MARGIN)
    val subtitle: String = wrap(chart.subtitle, Style.SUBTITLE, width - left - MARGIN)
    val caption: String = wrap(chart.caption, Style.CAPTION, width - left - MARGIN)

    private val above = MARGIN + lines(title) * 22.0 + lines(subtitle) * 18.0 + 10.0 + if (chart.legend == Legend.TOP) 34.0 else 0.0
    private val below = MARGIN + 24.0 + (if (chart.x.label.isEmpty()) 0.0 else 22.0) + lines(caption) * 16.0 +
        if (chart.legend == Legend.BOTTOM) 34.0 else 0.0
    private val strips = if (chart.facets == null) 0.0 else 26.0 * rows

    val size: ChartSize = chart.size ?: ChartSize(width, (above + below + strips + rows * panelHeight(chart)).toInt().coerceIn(200, 2_400))

    /** The width and height of one panel. */
    val panelWidth: Double = max(40.0, (width - left - right - MARGIN - (columns - 1) * 12.0) / columns)
    val panelHeight: Double = max(40.0, (size.height - above - below - strips) / rows)

    private fun panelHeight(chart: Chart): Double {
        val y = chart.y as? CategoryAxis ?: return if (rows > 1) 190.0 else 300.0
        val lanes = lanes(chart).size
        return max(80.0, y.order.size * (if (lanes > 1) 12.0 + 15.0 * lanes else 26.0) + 8.0)
    }

    private fun axisWidth(axis: Axis): Double = when (axis) {
        is NumberAxis -> 46.0
        is CategoryAxis -> (axis.order.maxOfOrNull { Style.widthOf(it, Style.TEXT) } ?: 0.0) + 14.0
    }

    private fun legendWidth(chart: Chart): Double = 44.0 + (seriesOf(chart).maxOfOrNull { Style.widthOf(it, Style.TEXT) } ?: 0.0)

    private fun lines(text: String): Int = if (text.isEmpty()) 0 else text.count { it == '\n' } + 1

    internal companion object {
        private const val MARGIN = 12.0
        private const val BOLD = 1.07

        /** Breaks [text] between words so that no line is wider than [room] pixels, unless a single word is wider. */
        fun wrap(text: String, fontSize: Double, room: Double): String = text.split('\n').joinToString("\n") { paragraph ->
            val lines = mutableListOf<String>()
            for (word in paragraph.split(' ')) {
                val longer = if (lines.isEmpty()) word else "${lines.last()} $word"
                when {
                    lines.isEmpty() -> lines += word
                    Style.widthOf(longer, fontSize) <= room -> lines[lines.lastIndex] = longer
                    else -> lines += word
                }
            }
            lines.joinToString("\n")
        }
    }
}

/** The values that stand side by side within a category, in order of their first appearance. */
internal fun lanes(chart: Chart): List<String> = chart.marks
    .flatMap { mark ->
        val column = when (mark) {
            is Boxes -> null
            is Points -> mark.lane
            is Intervals -> mark.lane
            is Bars -> mark.lane
            is Labels -> mark.lane
            is Lines, is Spans, is ReferenceLines -> null
        }
        if (column == null || mark.data.size == 0) emptyList() else mark.data[column].map { it.toString() }
    }.distinct()

/** The column that a mark colours, if any. */
internal fun colorColumn(mark: Mark): String? = when (mark) {
    is Boxes -> mark.color
    is Points -> mark.color
    is Intervals -> mark.color
    is Bars -> mark.color
    is Lines -> mark.color
    is Spans -> mark.color
    is Labels -> mark.color
    is ReferenceLines -> null
}

/** The coloured values: in the order of a category axis that has them, otherwise of their first appearance. */
internal fun seriesOf(chart: Chart): List<String> {
    val values = chart.marks
        .flatMap { mark ->
            colorColumn(mark)?.takeIf { mark.data.size > 0 }?.let { column -> mark.data[column].map { it.toString() } }.orEmpty()
        }.distinct()
    val order = (chart.x as? CategoryAxis ?: chart.y as? CategoryAxis)?.order.orEmpty()
    return if (order.containsAll(values)) order.filter { it in values } else values
}
