package clientlab.notebook.chart

import java.util.Base64

/**
 * A chart that has been drawn.
 *
 * @property chart what was drawn.
 * @property svg the drawing, the same bytes for the same chart, with the text alternative inside.
 * @property png the drawing at twice its size, or null where this machine cannot make one.
 * @property pngMissing why there is no PNG, or null where there is one.
 * @property spec the Lets-Plot specification that the drawing was made from, for an interactive view and for tests.
 */
public class Figure(
    public val chart: Chart,
    public val svg: String,
    public val png: ByteArray?,
    public val pngMissing: String?,
    public val spec: Map<String, Any?>,
) {
    /** The figure in words. */
    public val alt: String get() = chart.alt

    /**
     * The figure under every MIME type that a notebook may show: SVG, PNG in base64, and the text alternative.
     *
     * An untrusted notebook shows the PNG, a terminal the words.
     */
    public fun mimeBundle(): Map<String, String> = buildMap {
        put("image/svg+xml", svg)
        png?.let { put("image/png", Base64.getEncoder().encodeToString(it)) }
        put("text/plain", alt)
    }

    override fun toString(): String = alt

    public companion object {
        /** Makes a figure of what a renderer wrote: ids are made stable, the text alternative is put in, the PNG is drawn. */
        public fun of(
            chart: Chart,
            drawing: Drawing,
            spec: Map<String, Any?>,
            rawSvg: String,
            rasterizer: Rasterizer = BatikRasterizer,
        ): Figure {
            val svg = SvgText.finish(AxisText.whole(PanelOrder.strip(rawSvg), drawing), chart.title, chart.alt)
            val drawn = runCatching { rasterizer.png(svg, scale = 2.0) }
            // A machine without fonts fails with errors as well as exceptions; the SVG is as good as ever, so the figure goes on.
            val failure = drawn.exceptionOrNull()
            if (failure is VirtualMachineError && failure !is InternalError) throw failure
            return Figure(chart, svg, drawn.getOrNull(), failure?.let { "no PNG here: ${it.message ?: it::class.simpleName}" }, spec)
        }
    }
}

/** Draws an SVG as a PNG. */
public fun interface Rasterizer {
    /** The bytes of a PNG, [scale] times as large as the SVG. */
    public fun png(svg: String, scale: Double): ByteArray
}
