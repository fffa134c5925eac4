package clientlab.notebook.chart

import org.jetbrains.letsPlot.intern.OptionsMap
import org.jetbrains.letsPlot.themes.elementBlank
import org.jetbrains.letsPlot.themes.elementLine
import org.jetbrains.letsPlot.themes.elementRect
import org.jetbrains.letsPlot.themes.elementText
import org.jetbrains.letsPlot.themes.margin
import org.jetbrains.letsPlot.themes.theme

/** [Style] as a theme of Lets-Plot: a white surface, a light grid across the numbers, and no decoration. */
internal fun letsPlotTheme(drawing: Drawing): OptionsMap {
    val hidden = drawing.x.hidden && drawing.y.hidden
    val rows = elementLine(if (drawing.y.categories) Style.ROW else Style.GRID, 0.8)
    val theme = theme(
        text = elementText(color = Style.INK, family = Style.FONT),
        plotTitle = words(Style.TITLE, face = "bold", margin = Style.TITLE_MARGIN),
        plotSubtitle = words(Style.SUBTITLE, Style.MUTED, margin = Style.SUBTITLE_MARGIN),
        plotCaption = words(Style.CAPTION, Style.MUTED, hjust = 0.0, margin = Style.CAPTION_MARGIN),
        plotBackground = elementRect(fill = Style.SURFACE, color = Style.SURFACE, size = 0.0),
        panelBackground = elementBlank(),
        panelBorder = elementBlank(),
        panelGridMinor = elementBlank(),
        panelGridMajorX = if (hidden || drawing.x.categories) elementBlank() else elementLine(Style.GRID, 0.8),
        panelGridMajorY = if (hidden) elementBlank() else rows,
        axisTitle = words(Style.TEXT, Style.MUTED),
        axisText = if (hidden) elementBlank() else words(Style.TEXT),
        axisTicks = elementBlank(),
        axisLine = elementBlank(),
        stripBackground = elementBlank(),
        stripText = words(Style.SUBTITLE, face = "bold"),
        plotMargin = margins(drawing.margin),
        legendText = words(Style.TEXT),
        legendTitle = elementBlank(),
        legendBackground = elementBlank(),
    )
    return when (drawing.legend) {
        Legend.NONE -> theme.legendPositionNone()
        Legend.RIGHT -> theme.legendPositionRight()
        Legend.BOTTOM -> theme.legendPositionBottom()
        Legend.TOP -> theme.legendPositionTop()
    }
}

private fun words(size: Double, color: String = Style.INK, face: String? = null, hjust: Double? = null, margin: List<Double>? = null) =
    elementText(color = color, family = Style.FONT, face = face, size = size, hjust = hjust, margin = margin?.let(::margins))

private fun margins(sides: List<Double>): Any = sides.let { (top, right, bottom, left) -> margin(top, right, bottom, left) }
