package clientlab.kandy

import clientlab.notebook.chart.*
import clientlab.notebook.chart.Drawing.Channel
import clientlab.notebook.chart.Drawing.Constant
import clientlab.notebook.chart.Drawing.Geometry
import org.jetbrains.kotlinx.kandy.dsl.categorical
import org.jetbrains.kotlinx.kandy.dsl.internal.LayerBuilder
import org.jetbrains.kotlinx.kandy.dsl.internal.dataframe.DataFramePlotBuilder
import org.jetbrains.kotlinx.kandy.letsplot.internal.LetsPlotNonPositionalMappingParametersContinuous
import org.jetbrains.kotlinx.kandy.letsplot.layers.builders.aes.WithColor
import org.jetbrains.kotlinx.kandy.letsplot.layers.hLine
import org.jetbrains.kotlinx.kandy.letsplot.layers.line
import org.jetbrains.kotlinx.kandy.letsplot.layers.points
import org.jetbrains.kotlinx.kandy.letsplot.layers.rectangles
import org.jetbrains.kotlinx.kandy.letsplot.layers.segments
import org.jetbrains.kotlinx.kandy.letsplot.layers.step
import org.jetbrains.kotlinx.kandy.letsplot.layers.text
import org.jetbrains.kotlinx.kandy.letsplot.layers.vLine
import org.jetbrains.kotlinx.kandy.letsplot.settings.LineType
import org.jetbrains.kotlinx.kandy.letsplot.settings.Symbol
import org.jetbrains.kotlinx.kandy.letsplot.settings.font.FontFamily
import org.jetbrains.kotlinx.kandy.letsplot.tooltips.tooltips
import org.jetbrains.kotlinx.kandy.letsplot.tooltips.value
import org.jetbrains.kotlinx.kandy.util.color.Color

/** The layers of one drawing in Kandy's words. */
internal class KandyLayers(private val drawing: Drawing) {
    // A scale belongs to the whole plot; said once for each channel, it is one scale of the specification too.
    private val said = HashSet<Channel>()

    fun DataFramePlotBuilder<*>.add(layer: Drawing.Layer) {
        when (layer.geometry) {
            Geometry.POINT -> addPoints(layer)
            Geometry.SEGMENT -> addSegments(layer)
            Geometry.RECTANGLE -> addRectangles(layer)
            Geometry.LINE -> addLine(layer)
            Geometry.STEP -> addStep(layer)
            Geometry.TEXT -> addText(layer)
            Geometry.LEVEL_LINE -> addLevelLine(layer)
            Geometry.UPRIGHT_LINE -> addUprightLine(layer)
        }
    }

    private fun DataFramePlotBuilder<*>.addPoints(layer: Drawing.Layer) {
        val c = layer.constants
        withData(layer.data) {
            points {
                x(layer.mapping.getValue(Channel.X))
                y(layer.mapping.getValue(Channel.Y))
                colored(layer)
                layer.mapping[Channel.SHAPE]?.let { column ->
                    symbol(column) {
                        sayOnce(Channel.SHAPE)?.let { series ->
                            scale = categorical<Symbol, Any?>(series.shapes.map(::symbolOf), series.values)
                            legend.name = ""
                        }
                    }
                }
                size = c[Constant.SIZE] as Double?
                c[Constant.STROKE]?.let { stroke = it as Double }
                c[Constant.ALPHA]?.let { alpha = it as Double }
                common()
            }
        }
    }

    private fun DataFramePlotBuilder<*>.addSegments(layer: Drawing.Layer) {
        withData(layer.data) {
            segments {
                xBegin(layer.mapping.getValue(Channel.X))
                yBegin(layer.mapping.getValue(Channel.Y))
                xEnd(layer.mapping.getValue(Channel.X_END))
                yEnd(layer.mapping.getValue(Channel.Y_END))
                colored(layer)
                width = layer.constants[Constant.SIZE] as Double?
                if (drawing.series != null) setting("show_legend", false)
                common()
            }
        }
    }

    private fun DataFramePlotBuilder<*>.addRectangles(layer: Drawing.Layer) {
        withData(layer.data) {
            rectangles {
                xMin(layer.mapping.getValue(Channel.X_MIN))
                xMax(layer.mapping.getValue(Channel.X_MAX))
                yMin(layer.mapping.getValue(Channel.Y_MIN))
                yMax(layer.mapping.getValue(Channel.Y_MAX))
                layer.mapping[Channel.FILL]?.let { fillColor(it) { say(Channel.FILL) } }
                layer.constants[Constant.COLOR]?.let { fillColor = Color.hex(it as String) }
                layer.constants[Constant.ALPHA]?.let { alpha = it as Double }
                borderLine.width = 0.0
                borderLine.color = Color.hex(Style.SURFACE)
                common()
            }
        }
    }

    private fun DataFramePlotBuilder<*>.addLine(layer: Drawing.Layer) {
        withData(layer.data) {
            line {
                x(layer.mapping.getValue(Channel.X))
                y(layer.mapping.getValue(Channel.Y))
                colored(layer)
                width = layer.constants[Constant.SIZE] as Double?
                common()
            }
        }
    }

    private fun DataFramePlotBuilder<*>.addStep(layer: Drawing.Layer) {
        withData(layer.data) {
            step {
                x(layer.mapping.getValue(Channel.X))
                y(layer.mapping.getValue(Channel.Y))
                colored(layer)
                width = layer.constants[Constant.SIZE] as Double?
                common()
            }
        }
    }

    private fun DataFramePlotBuilder<*>.addText(layer: Drawing.Layer) {
        val c = layer.constants
        withData(layer.data) {
            text {
                x(layer.mapping.getValue(Channel.X))
                y(layer.mapping.getValue(Channel.Y))
                label(layer.mapping.getValue(Channel.TEXT))
                font.colored(layer)
                font.size = c.getValue(Constant.SIZE) as Double / PIXELS_PER_SIZE
                font.family = FontFamily.custom(Style.FONT)
                setting("hjust", c.getValue(Constant.ANCHOR))
                setting("vjust", c.getValue(Constant.RISE))
                setting("show_legend", false)
                common()
            }
        }
    }

    private fun DataFramePlotBuilder<*>.addLevelLine(layer: Drawing.Layer) {
        withData(layer.data) {
            hLine {
                yIntercept(layer.mapping.getValue(Channel.Y_AT))
                colored(layer)
                width = layer.constants[Constant.SIZE] as Double?
                if (layer.constants[Constant.DASHED] == true) type = LineType.DASHED
                common()
            }
        }
    }

    private fun DataFramePlotBuilder<*>.addUprightLine(layer: Drawing.Layer) {
        withData(layer.data) {
            vLine {
                xIntercept(layer.mapping.getValue(Channel.X_AT))
                colored(layer)
                width = layer.constants[Constant.SIZE] as Double?
                if (layer.constants[Constant.DASHED] == true) type = LineType.DASHED
                common()
            }
        }
    }

    private fun WithColor.colored(layer: Drawing.Layer) {
        layer.mapping[Channel.COLOR]?.let { color(it) { say(Channel.COLOR) } }
        layer.constants[Constant.COLOR]?.let { color = Color.hex(it as String) }
    }

    private fun LetsPlotNonPositionalMappingParametersContinuous<Any?, Color>.say(channel: Channel) {
        val series = sayOnce(channel) ?: return
        scale = categorical<Color, Any?>(series.colors.map(Color::hex), series.values)
        legend.name = ""
    }

    private fun sayOnce(channel: Channel): Drawing.Series? = drawing.series?.takeIf { said.add(channel) }

    private fun LayerBuilder.common() {
        tooltips(enable = false)
        // A layer keeps the columns that it refers to and no other, and its panel is one that no channel needs.
        drawing.panels?.let { value(it.column) }
    }

    private fun symbolOf(shape: PointShape): Symbol = when (shape) {
        PointShape.CIRCLE -> Symbol.CIRCLE
        PointShape.SQUARE -> Symbol.SQUARE
        PointShape.HOLLOW_SQUARE -> Symbol.SQUARE_OPEN
        PointShape.TRIANGLE -> Symbol.TRIANGLE
        PointShape.HOLLOW_TRIANGLE -> Symbol.TRIANGLE_OPEN
    }
}
