package clientlab.kandy

import clientlab.notebook.chart.*
import org.jetbrains.kotlinx.kandy.letsplot.translator.toLetsPlot
import org.jetbrains.letsPlot.intern.toSpec

/** Draws with [Kandy](https://kotlin.github.io/kandy), wherever Kandy could be built against. */
public class KandyRenderer : ChartRenderer {
    override val name: String get() = "kandy"

    override fun render(chart: Chart): Figure = Figure.of(chart, name) { drawing -> plotOf(drawing).toLetsPlot().toSpec() }
}
