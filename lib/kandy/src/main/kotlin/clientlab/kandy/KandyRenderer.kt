package clientlab.kandy

import clientlab.notebook.chart.Chart
import clientlab.notebook.chart.ChartRenderer
import clientlab.notebook.chart.Drawing
import clientlab.notebook.chart.Figure
import clientlab.notebook.chart.NumberScale
import clientlab.notebook.chart.drawing
import org.jetbrains.kotlinx.dataframe.api.column
import org.jetbrains.kotlinx.kandy.dsl.continuous
import org.jetbrains.kotlinx.kandy.dsl.internal.dataframe.DataFramePlotBuilder
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.ir.Plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.layout
import org.jetbrains.kotlinx.kandy.letsplot.multiplot.facet.ScalesSharing
import org.jetbrains.kotlinx.kandy.letsplot.multiplot.facet.facetWrap
import org.jetbrains.kotlinx.kandy.letsplot.scales.Transformation
import org.jetbrains.kotlinx.kandy.letsplot.scales.guide.model.AxisParameters
import org.jetbrains.kotlinx.kandy.letsplot.translator.toLetsPlot
import org.jetbrains.kotlinx.kandy.letsplot.x
import org.jetbrains.kotlinx.kandy.letsplot.y
import org.jetbrains.letsPlot.awt.plot.PlotSvgExport
import org.jetbrains.letsPlot.intern.toSpec

/** Draws with [Kandy](https://kotlin.github.io/kandy), wherever Kandy could be built against. */
public class KandyRenderer : ChartRenderer {
    override val name: String get() = "kandy"

    override fun render(chart: Chart): Figure {
        val drawing = chart.drawing()
        val spec = BeyondKandy.complete(plotOf(drawing).toLetsPlot().toSpec(), drawing)
        // The engine rewrites the specification that it is given, and the figure keeps its own.
        return Figure.of(chart, drawing, spec, PlotSvgExport.buildSvgImageFromRawSpecs(BeyondKandy.copy(spec)))
    }

    /** The same plot as Kandy's own type, which a notebook can go on working with. */
    public fun plot(chart: Chart): Plot = plotOf(chart.drawing())

    private fun plotOf(drawing: Drawing): Plot {
        // The plot's own data are what its panels are made of; every layer has data of its own.
        val panels = drawing.panels?.let { mapOf(it.column to it.titles) }.orEmpty()
        return plot(panels) {
            axes(drawing)
            KandyLayers(drawing).run { drawing.layers.forEach { add(it) } }
            drawing.panels?.let { panels ->
                facetWrap(nCol = panels.columns, scalesSharing = if (panels.free) ScalesSharing.FREE_X else ScalesSharing.FIXED) {
                    facet(column<String>(panels.column))
                }
            }
            layout {
                title = drawing.title
                subtitle = drawing.subtitle.ifEmpty { null }
                caption = drawing.caption.ifEmpty { null }
                size = drawing.size.width to drawing.size.height
                style { look(drawing) }
            }
        }
    }

    private fun DataFramePlotBuilder<*>.axes(drawing: Drawing) {
        x { say(drawing.x) }
        y { say(drawing.y) }
    }

    private fun AxisParameters.say(scale: Drawing.Scale) {
        axis.name = scale.label
        scale.breaks?.let { axis.breaksLabeled(it, scale.labels.orEmpty()) }
        axis.expand(0.0, 0.0)
        val transform = when (scale.transform) {
            NumberScale.LINEAR -> null
            NumberScale.LOG2 -> Transformation.LOG2
            NumberScale.LOG10 -> Transformation.LOG10
        }
        this.scale = continuous(min = scale.limits?.first, max = scale.limits?.second, transform = transform)
    }
}
