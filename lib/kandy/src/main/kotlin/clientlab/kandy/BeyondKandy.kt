// Kandy 0.8.0 keeps these to itself, and has no other way to say what is said here.
@file:Suppress("INVISIBLE_MEMBER", "INVISIBLE_REFERENCE", "CANNOT_OVERRIDE_INVISIBLE_MEMBER", "EXPOSED_SUPER_INTERFACE")

package clientlab.kandy

import clientlab.notebook.chart.Style
import org.jetbrains.kotlinx.kandy.dsl.internal.LayerBuilder
import org.jetbrains.kotlinx.kandy.dsl.internal.LayerBuilderImpl
import org.jetbrains.kotlinx.kandy.dsl.internal.dataframe.DataFramePlotBuilder
import org.jetbrains.kotlinx.kandy.ir.Plot
import org.jetbrains.kotlinx.kandy.ir.aes.Aes
import org.jetbrains.kotlinx.kandy.ir.feature.FeatureName
import org.jetbrains.kotlinx.kandy.letsplot.feature.ExternalLetsPlotFeature
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

private object FontWidth : ExternalLetsPlotFeature {
    override val featureName: FeatureName = FeatureName("client-lab-font-width")

    override fun wrap(plot: Plot): FeatureList = FeatureList(listOf(fontFamilyInfo(Style.FONT, widthCorrection = Style.FONT_WIDTH)))
}
