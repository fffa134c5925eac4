package clientlab.kandy

import clientlab.notebook.chart.*
import org.jetbrains.kotlinx.jupyter.api.MimeTypedResult
import org.jetbrains.kotlinx.jupyter.api.libraries.JupyterIntegration
import org.jetbrains.kotlinx.jupyter.api.mimeResult
import org.jetbrains.kotlinx.kandy.ir.Plot
import org.jetbrains.kotlinx.kandy.letsplot.export.toSVG
import org.jetbrains.kotlinx.kandy.letsplot.feature.Layout
import org.jetbrains.kotlinx.kandy.letsplot.multiplot.model.PlotBunch
import org.jetbrains.kotlinx.kandy.letsplot.multiplot.model.PlotGrid
import java.util.Base64

/** What the kernel is told where Kandy is in the jar: Kandy's imports, ours beside them, and how a plot is shown without a network. */
public class KandyIntegration : JupyterIntegration() {
    override fun Builder.onLoaded() {
        import(*IMPORTS)
        render<Plot> { shown(it.toSVG(), (it.features[Layout.NAME] as? Layout)?.title ?: "A plot without a title.") }
        render<PlotGrid> { shown(it.toSVG(), "A grid of plots.") }
        render<PlotBunch> { shown(it.toSVG(), "A bunch of plots.") }
    }

    internal companion object {
        val IMPORTS =
            arrayOf(
                "clientlab.kandy.*",
                // As Kandy's own integrations have them.
                "org.jetbrains.kotlinx.kandy.dsl.*",
                "org.jetbrains.kotlinx.kandy.ir.scale.Scale",
                "org.jetbrains.kotlinx.kandy.letsplot.*",
                "org.jetbrains.kotlinx.kandy.letsplot.export.*",
                "org.jetbrains.kotlinx.kandy.letsplot.feature.*",
                "org.jetbrains.kotlinx.kandy.letsplot.layers.*",
                "org.jetbrains.kotlinx.kandy.letsplot.multiplot.*",
                "org.jetbrains.kotlinx.kandy.letsplot.multiplot.facet.*",
                "org.jetbrains.kotlinx.kandy.letsplot.scales.*",
                "org.jetbrains.kotlinx.kandy.letsplot.scales.guide.*",
                "org.jetbrains.kotlinx.kandy.letsplot.scales.guide.model.AxisPosition",
                "org.jetbrains.kotlinx.kandy.letsplot.scales.guide.model.limits",
                "org.jetbrains.kotlinx.kandy.letsplot.settings.*",
                "org.jetbrains.kotlinx.kandy.letsplot.settings.font.*",
                "org.jetbrains.kotlinx.kandy.letsplot.style.*",
                "org.jetbrains.kotlinx.kandy.letsplot.tooltips.*",
                "org.jetbrains.kotlinx.kandy.letsplot.translator.*",
                "org.jetbrains.kotlinx.kandy.util.color.*",
                "org.jetbrains.kotlinx.kandy.util.context.*",
            )

        /** A plot as SVG, as PNG where this machine can make one, and in words: nothing that a browser would have to fetch. */
        fun shown(svg: String, words: String): MimeTypedResult {
            val png = runCatching { BatikRasterizer.png(svg, scale = 2.0) }.getOrNull()?.let { Base64.getEncoder().encodeToString(it) }
            return mimeResult(*listOfNotNull("image/svg+xml" to svg, png?.let { "image/png" to it }, "text/plain" to words).toTypedArray())
        }
    }
}
