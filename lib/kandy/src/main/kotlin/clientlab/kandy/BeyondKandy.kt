// Kandy 0.8.0 keeps these to itself, and has no other way to say what is said here.
@file:Suppress("INVISIBLE_MEMBER", "INVISIBLE_REFERENCE", "CANNOT_OVERRIDE_INVISIBLE_MEMBER", "EXPOSED_SUPER_INTERFACE")

package clientlab.kandy

import clientlab.notebook.chart.*
import org.jetbrains.kotlinx.kandy.dsl.internal.LayerBuilder
import org.jetbrains.kotlinx.kandy.dsl.internal.LayerBuilderImpl
import org.jetbrains.kotlinx.kandy.dsl.internal.dataframe.DataFramePlotBuilder
import org.jetbrains.kotlinx.kandy.ir.Plot
import org.jetbrains.kotlinx.kandy.ir.aes.Aes
import org.jetbrains.kotlinx.kandy.ir.feature.FeatureName
import org.jetbrains.kotlinx.kandy.letsplot.feature.ExternalLetsPlotFeature
import org.jetbrains.kotlinx.kandy.letsplot.multiplot.facet.Direction
import org.jetbrains.kotlinx.kandy.letsplot.multiplot.facet.OrderDirection
import org.jetbrains.kotlinx.kandy.letsplot.multiplot.facet.ScalesSharing
import org.jetbrains.kotlinx.kandy.letsplot.multiplot.facet.feature.FacetWrapFeature
import org.jetbrains.letsPlot.font.fontFamilyInfo
import org.jetbrains.letsPlot.intern.FeatureList

/** Lets-Plot's unit of a text's size. */
internal const val PIXELS_PER_SIZE: Double = 2.0

/** A setting of Lets-Plot's layer that Kandy has no word for. */
internal fun LayerBuilder.setting(name: String, value: Any) {
    (this as LayerBuilderImpl).bindingHandler.addNonPositionalSetting(Aes(name), value)
}

/** Tells Lets-Plot how wide the font of [Style] is. */
internal fun DataFramePlotBuilder<*>.fontWidth() {
    plotFeatures[FontWidth.featureName] = FontWidth
}

/** Panels by a column that the layers have, and the plot's own data need not. */
internal fun DataFramePlotBuilder<*>.panels(panels: Drawing.Panels) {
    plotFeatures[FacetWrapFeature.FEATURE_NAME] = FacetWrapFeature(
        facets = listOf(panels.column),
        nCol = panels.columns,
        nRow = null,
        orders = listOf(OrderDirection.ASCENDING),
        scalesSharing = if (panels.free) ScalesSharing.FREE_X else ScalesSharing.FIXED,
        direction = Direction.HORIZONTAL,
        formats = listOf(null),
    )
}

private object FontWidth : ExternalLetsPlotFeature {
    override val featureName: FeatureName = FeatureName("client-lab-font-width")

    override fun wrap(plot: Plot): FeatureList = FeatureList(listOf(fontFamilyInfo(Style.FONT, widthCorrection = Style.FONT_WIDTH)))
}
