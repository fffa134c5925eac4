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
    val grid = elementLine(Style.GRID, 0.8)
    val hidden = drawing.x.hidden && drawing.y.hidden

    fun text(size: Double, color: String = Style.INK, face: String? = null, margin: Any? = null) =
        elementText(color = color, family = Style.FONT, face = face, size = size, margin = margin)
    val theme = theme(
        text = elementText(color = Style.INK, family = Style.FONT),
        plotTitle = text(Style.TITLE, face = "bold", margin = margins(Style.TITLE_MARGIN)),
        plotSubtitle = text(Style.SUBTITLE, Style.MUTED, margin = margins(Style.SUBTITLE_MARGIN)),
        plotCaption = elementText(
            color = Style.MUTED,
            family = Style.FONT,
            size = Style.CAPTION,
            hjust = 0.0,
            margin = margins(Style.CAPTION_MARGIN),
        ),
        plotBackground = elementRect(fill = Style.SURFACE, color = Style.SURFACE, size = 0.0),
        panelBackground = elementBlank(),
        panelBorder = elementBlank(),
        panelGridMinor = elementBlank(),
        panelGridMajorX = if (hidden || drawing.x.categories) elementBlank() else grid,
        panelGridMajorY = if (hidden) {
            elementBlank()
        } else if (drawing.y.categories) {
            elementLine(Style.ROW, 0.8)
        } else {
            grid
        },
        axisTitle = text(Style.TEXT, Style.MUTED),
        axisText = if (hidden) elementBlank() else text(Style.TEXT),
        axisTicks = elementBlank(),
        axisLine = elementBlank(),
        stripBackground = elementBlank(),
        stripText = text(Style.SUBTITLE, face = "bold"),
        plotMargin = margins(drawing.margin),
        legendText = text(Style.TEXT),
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

private fun margins(sides: List<Double>): Any = sides.let { (top, right, bottom, left) -> margin(top, right, bottom, left) }
