package clientlab.notebook.chart

import java.util.ServiceLoader

/** Draws charts. */
public interface ChartRenderer {
    /** The renderer's name, as a manifest or a caption may say it. */
    public val name: String

    /** Draws [chart]; the same chart gives the same SVG. */
    public fun render(chart: Chart): Figure
}

/** The renderer that is plugged in beside this library (Kandy's, where it could be built), or else Lets-Plot's. */
public fun chartRenderer(): ChartRenderer = renderer

// Looked up by the library's own loader: the kernel runs cells under others, which know no services.
private val renderer: ChartRenderer by lazy {
    ServiceLoader.load(ChartRenderer::class.java, ChartRenderer::class.java.classLoader).firstOrNull() ?: LetsPlotRenderer()
}
