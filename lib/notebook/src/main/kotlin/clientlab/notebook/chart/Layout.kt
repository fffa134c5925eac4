package clientlab.notebook.chart

import kotlin.math.max

/** How the pixels of a chart are divided: accurate enough to wrap texts and to keep labels apart; the renderer measures in its own way. */
internal class Layout(chart: Chart) {
    private val panels = max(1, chart.facets?.order?.size ?: 1)

    /** How many panels stand side by side. */
    val columns: Int = chart.facets?.columns?.coerceAtMost(panels) ?: panels
    private val rows = (panels + columns - 1) / columns

    private val width = chart.size?.width ?: Style.WIDTH
    private val left = axisWidth(chart.y) + (if (chart.y.label.isEmpty()) 0.0 else 22.0) + MARGIN
    private val right = if (chart.legend == Legend.RIGHT) legendWidth(chart) else 0.0

    /** The title, subtitle and caption, with line breaks so that they fit the picture. */
    val title: String = wrap(chart.title, Style.TITLE * BOLD * WIDEST, width - left - MARGIN)
    val subtitle: String = wrap(chart.subtitle, Style.SUBTITLE * WIDEST, width - left - MARGIN)
    val caption: String = wrap(chart.caption, Style.CAPTION * WIDEST, width - left - MARGIN)

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

    private fun axisWidth(axis: Axis) = if (axis is CategoryAxis) Style.widthOf(axis.order) * WIDEST + 14.0 else 46.0

    private fun legendWidth(chart: Chart) = 44.0 + Style.widthOf(seriesOf(chart))

    private fun lines(text: String): Int = if (text.isEmpty()) 0 else text.count { it == '\n' } + 1

    internal companion object {
        private const val MARGIN = 12.0
        private const val BOLD = 1.14

        /** The font that a system has in place of ours may be wider: the digits of DejaVu Sans are by so much. A line must fit there too. */
        const val WIDEST = 1.14

        /** Breaks [text] between words so that no line is wider than [room] pixels, unless a single word is wider. */
        fun wrap(text: String, fontSize: Double, room: Double): String = text.split('\n').joinToString("\n") { paragraph ->
            val lines = mutableListOf<String>()
            for (word in paragraph.split(' ')) {
                val longer = if (lines.isEmpty()) word else "${lines.last()} $word"
                if (lines.isEmpty() || Style.widthOf(longer, fontSize) > room) lines += word else lines[lines.lastIndex] = longer
            }
            lines.joinToString("\n")
        }
    }
}

/** The values that stand side by side within a category, in order of their first appearance. */
internal fun lanes(chart: Chart): List<String> = valuesOf("lane", chart)

/** The coloured values: in the order of a category axis that has them, otherwise of their first appearance. */
internal fun seriesOf(chart: Chart): List<String> {
    val values = valuesOf("color", chart)
    val order = (chart.x as? CategoryAxis ?: chart.y as? CategoryAxis)?.order.orEmpty()
    return if (order.containsAll(values)) order.filter { it in values } else values
}

private fun valuesOf(what: String, chart: Chart): List<String> {
    val drawn = chart.marks.filter { it.data.size > 0 }
    return drawn.flatMap { mark -> mark.reads[what]?.let { mark.data[it] }.orEmpty() }.map { it.toString() }.distinct()
}

/**
 * Moves [places] apart until neighbours have a distance of [gap], each as little as possible, all of them within 0 to 1.
 *
 * Places that collide are pooled and spread around the mean of their original places (pool adjacent violators).
 */
internal fun spreadApart(places: List<Double>, gap: Double): List<Double> {
    if (places.isEmpty()) return places
    val step = minOf(gap, 1.0 / places.size)
    val order = places.indices.sortedWith(compareBy({ places[it] }, { it }))

    // If the n-th place is lowered by n gaps, "at least a gap apart" becomes "not decreasing".
    class Pool(var sum: Double, var count: Int) {
        val mean get() = sum / count
    }
    val pools = ArrayList<Pool>()
    order.forEachIndexed { n, index ->
        pools += Pool(places[index] - n * step, 1)
        while (pools.size > 1 && pools[pools.size - 2].mean > pools.last().mean) {
            val last = pools.removeLast()
            pools.last().apply {
                sum += last.sum
                count += last.count
            }
        }
    }
    val low = step / 2
    val high = 1.0 - step / 2 - (places.size - 1) * step
    val spread = DoubleArray(places.size)
    var n = 0
    for (pool in pools) {
        repeat(pool.count) {
            spread[order[n]] = pool.mean.coerceIn(minOf(low, high), maxOf(low, high)) + n * step
            n++
        }
    }
    return spread.toList()
}
