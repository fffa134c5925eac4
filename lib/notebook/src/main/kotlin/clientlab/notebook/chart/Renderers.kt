package clientlab.notebook.chart

import java.util.ServiceLoader

/** Draws charts. */
public interface ChartRenderer {
    /** The renderer's name, for a manifest or a caption. */
    public val name: String

    /** Draws [chart]; the same chart gives the same SVG. */
    public fun render(chart: Chart): Figure
}

/** The renderer that is on the class path beside this library (Kandy's, if it could be built), otherwise Lets-Plot's. */
public fun chartRenderer(): ChartRenderer = renderer

// The library's own class loader looks it up: the kernel runs cells with other loaders, which do not see services.
private val renderer: ChartRenderer by lazy {
    ServiceLoader.load(ChartRenderer::class.java, ChartRenderer::class.java.classLoader).firstOrNull() ?: LetsPlotRenderer()
}
