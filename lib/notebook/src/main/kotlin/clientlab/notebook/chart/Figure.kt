package clientlab.notebook.chart

import clientlab.notebook.output.*
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.jetbrains.letsPlot.awt.plot.PlotSvgExport
import java.util.Base64
import java.util.ServiceLoader

/**
 * A chart that has been drawn.
 *
 * @property svg the drawing, the same bytes for the same chart, with the text alternative inside.
 * @property png the drawing at twice its size, or null if this machine cannot make one; then [pngMissing] says why.
 * @property spec the Lets-Plot specification that the drawing was made from, for an interactive view and for tests.
 * @property data what the figure shows, for programs: its words, its marks with their numbers, and the trial behind each dot.
 */
public class Figure(
    public val chart: Chart,
    public val svg: String,
    public val png: ByteArray?,
    public val pngMissing: String?,
    public val spec: Map<String, Any?>,
    public val data: JsonObject,
) {
    /** The figure in words. */
    public val alt: String get() = chart.alt

    /** The figure by MIME type. An untrusted notebook shows the PNG (in base64), and a terminal shows the text. */
    public fun mimeBundle(): Map<String, JsonElement> = buildMap {
        put("image/svg+xml", JsonPrimitive(svg))
        png?.let { put("image/png", JsonPrimitive(Base64.getEncoder().encodeToString(it))) }
        put("text/plain", JsonPrimitive(alt))
        put(DataPart.MIME, data)
    }

    override fun toString(): String = alt

    public companion object {
        /** Makes a figure of the specification that [renderer] wrote; [spec] gives it anew each time, because the engine rewrites it. */
        public fun of(
            chart: Chart,
            renderer: String,
            rasterizer: Rasterizer = BatikRasterizer,
            spec: (Drawing) -> MutableMap<String, Any>,
        ): Figure {
            val drawing = chart.drawing()
            val svg = SvgText.finish(PlotSvgExport.buildSvgImageFromRawSpecs(spec(drawing)), drawing, chart.title, chart.alt)
            val drawn = runCatching { rasterizer.png(svg, scale = 2.0) }
            // A machine without fonts throws errors as well as exceptions. The SVG is still good, so the figure is made without a PNG.
            val failure = drawn.exceptionOrNull()
            if (failure is VirtualMachineError && failure !is InternalError) throw failure
            val data = FigureData(chart, drawing).json(renderer, PanelBoxes.of(svg))
            val missing = failure?.let { "no PNG here: ${it.message ?: it::class.simpleName}" }
            return Figure(chart, svg, drawn.getOrNull(), missing, spec(drawing), data)
        }
    }
}

/** Draws charts under a [name] that the figure's data part states; the same chart gives the same SVG. */
public interface ChartRenderer {
    public val name: String

    public fun render(chart: Chart): Figure
}

/** The renderer that is on the class path beside this library (Kandy's, if it could be built), otherwise Lets-Plot's. */
public fun chartRenderer(): ChartRenderer = renderer

// The library's own class loader looks it up: the kernel runs cells with other loaders, which do not see services.
private val renderer: ChartRenderer by lazy {
    ServiceLoader.load(ChartRenderer::class.java, ChartRenderer::class.java.classLoader).firstOrNull() ?: LetsPlotRenderer()
}
