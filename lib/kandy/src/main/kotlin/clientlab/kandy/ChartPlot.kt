package clientlab.kandy

import clientlab.notebook.chart.*
import org.jetbrains.kotlinx.kandy.dsl.continuous
import org.jetbrains.kotlinx.kandy.dsl.internal.dataframe.DataFramePlotBuilder
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.ir.Plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.layout
import org.jetbrains.kotlinx.kandy.letsplot.scales.Transformation
import org.jetbrains.kotlinx.kandy.letsplot.scales.guide.model.AxisParameters
import org.jetbrains.kotlinx.kandy.letsplot.x
import org.jetbrains.kotlinx.kandy.letsplot.y

/**
 * This chart as Kandy's own plot, exactly as it is drawn; [more] adds layers to it or changes its layout.
 *
 * ```
 * published<Burst>("threads-2026-11").threadChart().plot { layout { title = "Mine" } }
 * ```
 */
public fun Chart.plot(more: DataFramePlotBuilder<*>.() -> Unit = {}): Plot = plotOf(drawing(), more)

internal fun plotOf(drawing: Drawing, more: DataFramePlotBuilder<*>.() -> Unit = {}): Plot {
    // The plot's own data are what its panels are made of; every layer has data of its own.
    val panels = drawing.panels?.let { mapOf(it.column to it.titles) }.orEmpty()
    return plot(panels) {
        add(drawing)
        layout {
            title = drawing.title
            subtitle = drawing.subtitle.ifEmpty { null }
            caption = drawing.caption.ifEmpty { null }
        }
        more()
    }
}

/** All of [drawing] but its words: axes, layers, panels, size and look. */
internal fun DataFramePlotBuilder<*>.add(drawing: Drawing) {
    x { say(drawing.x) }
    y { say(drawing.y) }
    KandyLayers(drawing).run { drawing.layers.forEach { add(it) } }
    drawing.panels?.let { panels(it) }
    layout {
        size = drawing.size.width to drawing.size.height
        style { look(drawing) }
    }
    fontWidth()
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
