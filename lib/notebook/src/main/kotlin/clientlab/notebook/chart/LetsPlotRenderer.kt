package clientlab.notebook.chart

import clientlab.notebook.chart.Drawing.Channel
import clientlab.notebook.chart.Drawing.Constant
import clientlab.notebook.chart.Drawing.Geometry
import org.jetbrains.letsPlot.facet.facetWrap
import org.jetbrains.letsPlot.font.fontFamilyInfo
import org.jetbrains.letsPlot.geom.geomHLine
import org.jetbrains.letsPlot.geom.geomLine
import org.jetbrains.letsPlot.geom.geomPoint
import org.jetbrains.letsPlot.geom.geomRect
import org.jetbrains.letsPlot.geom.geomSegment
import org.jetbrains.letsPlot.geom.geomStep
import org.jetbrains.letsPlot.geom.geomText
import org.jetbrains.letsPlot.geom.geomVLine
import org.jetbrains.letsPlot.ggsize
import org.jetbrains.letsPlot.intern.Feature
import org.jetbrains.letsPlot.intern.Plot
import org.jetbrains.letsPlot.intern.Scale
import org.jetbrains.letsPlot.intern.toSpec
import org.jetbrains.letsPlot.label.labs
import org.jetbrains.letsPlot.letsPlot
import org.jetbrains.letsPlot.sampling.samplingNone
import org.jetbrains.letsPlot.scale.scaleColorManual
import org.jetbrains.letsPlot.scale.scaleFillManual
import org.jetbrains.letsPlot.scale.scaleShapeManual
import org.jetbrains.letsPlot.scale.scaleXContinuous
import org.jetbrains.letsPlot.scale.scaleYContinuous
import org.jetbrains.letsPlot.tooltips.tooltipsNone

/**
 * Draws with [Lets-Plot for Kotlin](https://lets-plot.org/kotlin), the engine underneath Kandy, in this process and without a network.
 *
 * @property rasterizer makes the PNG from the SVG.
 */
public class LetsPlotRenderer(private val rasterizer: Rasterizer = BatikRasterizer) : ChartRenderer {
    override val name: String get() = "lets-plot"

    override fun render(chart: Chart): Figure = Figure.of(chart, name, rasterizer) { plot(it).toSpec() }

    private fun plot(drawing: Drawing): Plot {
        var plot = letsPlot()
        drawing.layers.forEach { plot += layer(it, drawing) }
        scales(drawing).forEach { plot += it }
        drawing.panels?.let {
            plot +=
                facetWrap(listOf(it.column), ncol = it.columns, scales = if (it.free) "free_x" else "fixed", order = 1)
        }
        plot += labs(title = drawing.title, subtitle = drawing.subtitle.ifEmpty { null }, caption = drawing.caption.ifEmpty { null })
        return plot + ggsize(drawing.size.width, drawing.size.height) + letsPlotTheme(drawing) +
            fontFamilyInfo(Style.FONT, widthCorrection = Style.FONT_WIDTH)
    }

    private fun layer(layer: Drawing.Layer, drawing: Drawing): Feature {
        val m = layer.mapping
        val c = layer.constants
        val size = c[Constant.SIZE] as Double?
        val alpha = c[Constant.ALPHA] as Double?
        val color = c[Constant.COLOR]
        val dashes = if (c[Constant.DASHED] == true) "dashed" else null
        return when (layer.geometry) {
            Geometry.POINT -> geomPoint(
                layer.data,
                sampling = samplingNone,
                tooltips = tooltipsNone,
                size = size,
                stroke = c[Constant.STROKE] as Double?,
                alpha = alpha,
                color = color,
            ) {
                x = m[Channel.X]
                y = m[Channel.Y]
                this.color = m[Channel.COLOR]
                shape = m[Channel.SHAPE]
            }

            Geometry.SEGMENT -> geomSegment(
                layer.data,
                showLegend = drawing.series == null,
                sampling = samplingNone,
                tooltips = tooltipsNone,
                size = size,
                color = color,
            ) {
                x = m[Channel.X]
                y = m[Channel.Y]
                xend = m[Channel.X_END]
                yend = m[Channel.Y_END]
                this.color = m[Channel.COLOR]
            }

            Geometry.RECTANGLE -> geomRect(
                layer.data,
                sampling = samplingNone,
                tooltips = tooltipsNone,
                size = 0.0,
                color = Style.SURFACE,
                alpha = alpha,
                fill = color,
            ) {
                xmin = m[Channel.X_MIN]
                xmax = m[Channel.X_MAX]
                ymin = m[Channel.Y_MIN]
                ymax = m[Channel.Y_MAX]
                fill = m[Channel.FILL]
            }

            Geometry.LINE -> geomLine(layer.data, sampling = samplingNone, tooltips = tooltipsNone, size = size, color = color) {
                x = m[Channel.X]
                y = m[Channel.Y]
                this.color = m[Channel.COLOR]
            }

            Geometry.STEP -> geomStep(layer.data, sampling = samplingNone, tooltips = tooltipsNone, size = size, color = color) {
                x = m[Channel.X]
                y = m[Channel.Y]
                this.color = m[Channel.COLOR]
            }

            Geometry.TEXT -> geomText(
                layer.data,
                showLegend = false,
                sampling = samplingNone,
                tooltips = tooltipsNone,
                size = size!! / PIXELS_PER_SIZE,
                color = color,
                family = Style.FONT,
                hjust = c[Constant.ANCHOR],
                vjust = c[Constant.RISE],
            ) {
                x = m[Channel.X]
                y = m[Channel.Y]
                label = m[Channel.TEXT]
                this.color = m[Channel.COLOR]
            }

            Geometry.LEVEL_LINE -> geomHLine(layer.data, tooltips = tooltipsNone, size = size, color = color, linetype = dashes) {
                yintercept = m[Channel.Y_AT]
            }

            Geometry.UPRIGHT_LINE -> geomVLine(layer.data, tooltips = tooltipsNone, size = size, color = color, linetype = dashes) {
                xintercept = m[Channel.X_AT]
            }
        }
    }

    private fun scales(drawing: Drawing): List<Scale> = buildList {
        val (x, y) = drawing.x to drawing.y
        add(scaleXContinuous(x.label, x.breaks, x.labels, x.limits, NO_EXPAND, trans = transform(x)))
        add(scaleYContinuous(y.label, y.breaks, y.labels, y.limits, NO_EXPAND, trans = transform(y)))
        val series = drawing.series ?: return@buildList
        val channels = drawing.layers.flatMapTo(HashSet()) { it.mapping.keys }
        if (Channel.COLOR in channels) add(scaleColorManual(series.colors, name = "", limits = series.values))
        if (Channel.FILL in channels) add(scaleFillManual(series.colors, name = "", limits = series.values))
        if (Channel.SHAPE in channels) add(scaleShapeManual(series.shapes.map { it.number }, name = "", limits = series.values))
    }

    private fun transform(scale: Drawing.Scale): String? = when (scale.transform) {
        NumberScale.LINEAR -> null
        NumberScale.LOG2 -> "log2"
        NumberScale.LOG10 -> "log10"
    }

    internal companion object {
        const val PIXELS_PER_SIZE = 2.0
        private val NO_EXPAND = listOf(0.0, 0.0)
    }
}
