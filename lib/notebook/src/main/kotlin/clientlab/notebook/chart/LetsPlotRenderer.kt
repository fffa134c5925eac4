package clientlab.notebook.chart

import clientlab.notebook.chart.Drawing.Channel
import clientlab.notebook.chart.Drawing.Constant
import clientlab.notebook.chart.Drawing.Geometry
import org.jetbrains.letsPlot.Stat
import org.jetbrains.letsPlot.facet.facetWrap
import org.jetbrains.letsPlot.font.fontFamilyInfo
import org.jetbrains.letsPlot.ggsize
import org.jetbrains.letsPlot.intern.GeomKind
import org.jetbrains.letsPlot.intern.Layer
import org.jetbrains.letsPlot.intern.Options
import org.jetbrains.letsPlot.intern.Plot
import org.jetbrains.letsPlot.intern.Scale
import org.jetbrains.letsPlot.intern.layer.GeomOptions
import org.jetbrains.letsPlot.intern.toSpec
import org.jetbrains.letsPlot.label.labs
import org.jetbrains.letsPlot.letsPlot
import org.jetbrains.letsPlot.pos.positionIdentity
import org.jetbrains.letsPlot.sampling.samplingNone
import org.jetbrains.letsPlot.scale.scaleColorManual
import org.jetbrains.letsPlot.scale.scaleFillManual
import org.jetbrains.letsPlot.scale.scaleShapeManual
import org.jetbrains.letsPlot.scale.scaleXContinuous
import org.jetbrains.letsPlot.scale.scaleYContinuous
import org.jetbrains.letsPlot.tooltips.tooltipsNone

/** Draws with [Lets-Plot for Kotlin](https://lets-plot.org/kotlin), the engine underneath Kandy, in this process and without a network. */
public class LetsPlotRenderer(private val rasterizer: Rasterizer = BatikRasterizer) : ChartRenderer {
    override val name: String get() = "lets-plot"

    override fun render(chart: Chart): Figure = Figure.of(chart, name, rasterizer) { plot(it).toSpec() }

    private fun plot(drawing: Drawing): Plot {
        var plot = letsPlot()
        drawing.layers.forEach { plot += EngineLayer(it, showLegend = shownInLegend(it, drawing)) }
        scales(drawing).forEach { plot += it }
        drawing.panels?.let {
            plot += facetWrap(listOf(it.column), ncol = it.columns, scales = if (it.free) "free_x" else "fixed", order = 1)
        }
        plot += labs(title = drawing.title, subtitle = drawing.subtitle.ifEmpty { null }, caption = drawing.caption.ifEmpty { null })
        return plot + ggsize(drawing.size.width, drawing.size.height) + letsPlotTheme(drawing) +
            fontFamilyInfo(Style.FONT, widthCorrection = Style.FONT_WIDTH)
    }

    private fun shownInLegend(layer: Drawing.Layer, drawing: Drawing): Boolean = when (layer.geometry) {
        Geometry.TEXT -> false
        Geometry.SEGMENT -> drawing.series == null
        else -> true
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

    private fun transform(scale: Drawing.Scale): String? = scale.transform.name
        .lowercase()
        .takeIf { scale.transform != NumberScale.LINEAR }

    private companion object {
        val NO_EXPAND = listOf(0.0, 0.0)
    }
}

/** A layer of any geometry, with the engine's own names for what is mapped and what is constant. */
private class EngineLayer(private val layer: Drawing.Layer, showLegend: Boolean) :
    Layer(
        mapping = Options(layer.mapping.mapKeys { (channel, _) -> CHANNELS.getValue(channel) }),
        data = layer.data,
        geom = GeomOptions(KINDS.getValue(layer.geometry)),
        stat = Stat.identity,
        position = positionIdentity,
        showLegend = showLegend,
        sampling = samplingNone,
        tooltips = tooltipsNone,
    ) {
    override fun seal(): Options = Options(layer.constants.map { (name, value) -> constant(name, value) }.toMap() + always())

    private fun constant(name: Constant, value: Any): Pair<String, Any> = when (name) {
        Constant.COLOR -> (if (layer.geometry == Geometry.RECTANGLE) "fill" else "color") to value
        Constant.SIZE -> "size" to if (layer.geometry == Geometry.TEXT) value as Double / PIXELS_PER_SIZE else value
        Constant.STROKE -> "stroke" to value
        Constant.ALPHA -> "alpha" to value
        Constant.DASHED -> "linetype" to "dashed"
        Constant.ANCHOR -> "hjust" to value
        Constant.RISE -> "vjust" to value
    }

    private fun always(): Map<String, Any> = when (layer.geometry) {
        Geometry.RECTANGLE -> mapOf("size" to 0.0, "color" to Style.SURFACE)
        Geometry.TEXT -> mapOf("family" to Style.FONT)
        else -> emptyMap()
    }
}

private const val PIXELS_PER_SIZE = 2.0

private val KINDS = mapOf(
    Geometry.POINT to GeomKind.POINT,
    Geometry.SEGMENT to GeomKind.SEGMENT,
    Geometry.RECTANGLE to GeomKind.RECT,
    Geometry.LINE to GeomKind.LINE,
    Geometry.STEP to GeomKind.STEP,
    Geometry.TEXT to GeomKind.TEXT,
    Geometry.LEVEL_LINE to GeomKind.H_LINE,
    Geometry.UPRIGHT_LINE to GeomKind.V_LINE,
)

private val CHANNELS = mapOf(
    Channel.X to "x",
    Channel.Y to "y",
    Channel.X_END to "xend",
    Channel.Y_END to "yend",
    Channel.X_MIN to "xmin",
    Channel.X_MAX to "xmax",
    Channel.Y_MIN to "ymin",
    Channel.Y_MAX to "ymax",
    Channel.COLOR to "color",
    Channel.FILL to "fill",
    Channel.SHAPE to "shape",
    Channel.TEXT to "label",
    Channel.X_AT to "xintercept",
    Channel.Y_AT to "yintercept",
)
