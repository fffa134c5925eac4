package clientlab.kandy

import clientlab.notebook.chart.*
import org.jetbrains.kotlinx.kandy.letsplot.settings.font.FontFace
import org.jetbrains.kotlinx.kandy.letsplot.settings.font.FontFamily
import org.jetbrains.kotlinx.kandy.letsplot.style.CustomStyle
import org.jetbrains.kotlinx.kandy.letsplot.style.LayoutParameters
import org.jetbrains.kotlinx.kandy.letsplot.style.LegendPosition
import org.jetbrains.kotlinx.kandy.letsplot.style.LineParameters
import org.jetbrains.kotlinx.kandy.letsplot.style.Margin
import org.jetbrains.kotlinx.kandy.letsplot.style.TextParameters
import org.jetbrains.kotlinx.kandy.util.color.Color

/** [Style] in Kandy's words. */
internal fun CustomStyle.look(drawing: Drawing) {
    val hidden = drawing.x.hidden && drawing.y.hidden
    val grid = line(Style.GRID)
    val noLine = LayoutParameters.line(blank = true)
    val noBackground = LayoutParameters.background(blank = true)
    global.text = LayoutParameters.text(color = Color.hex(Style.INK), fontFamily = FONT)
    plotCanvas.title = words(Style.TITLE, face = FontFace.BOLD, margin = margins(Style.TITLE_MARGIN))
    plotCanvas.subtitle = words(Style.SUBTITLE, Style.MUTED, margin = margins(Style.SUBTITLE_MARGIN))
    plotCanvas.caption = words(Style.CAPTION, Style.MUTED, margin = margins(Style.CAPTION_MARGIN)).apply { hJust = 0.0 }
    plotCanvas.background = LayoutParameters.background(Color.hex(Style.SURFACE), Color.hex(Style.SURFACE), 0.0)
    plotCanvas.margin = margins(drawing.margin)
    panel.background = noBackground
    panel.borderLine = noLine
    // Set as properties: of the functions of the same names, those for the minor lines set the major ones.
    panel.grid.minorLine = noLine
    panel.grid.majorXLine = if (hidden || drawing.x.categories) noLine else grid
    panel.grid.majorYLine = if (hidden) {
        noLine
    } else if (drawing.y.categories) {
        line(Style.ROW)
    } else {
        grid
    }
    axis.title = words(Style.TEXT, Style.MUTED)
    axis.text = if (hidden) LayoutParameters.text(blank = true) else words(Style.TEXT)
    axis.ticks = noLine
    axis.line = noLine
    strip.background = noBackground
    strip.text = words(Style.SUBTITLE, face = FontFace.BOLD)
    legend.text = words(Style.TEXT)
    legend.title = LayoutParameters.text(blank = true)
    legend.background = noBackground
    legend.position = when (drawing.legend) {
        Legend.NONE -> LegendPosition.None
        Legend.RIGHT -> LegendPosition.Right
        Legend.BOTTOM -> LegendPosition.Bottom
        Legend.TOP -> LegendPosition.Top
    }
}

private val FONT = FontFamily.custom(Style.FONT)

private fun margins(sides: List<Double>): Margin = sides.let { (top, right, bottom, left) -> Margin(top, right, bottom, left) }

private fun line(color: String): LineParameters = LayoutParameters.line(Color.hex(color), 0.8)

private fun words(size: Double, color: String = Style.INK, face: FontFace? = null, margin: Margin? = null): TextParameters =
    LayoutParameters.text(Color.hex(color), FONT, face, size, margin = margin)
