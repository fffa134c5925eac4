package clientlab.kandy

import clientlab.notebook.chart.Drawing
import clientlab.notebook.chart.Drawing.Constant
import clientlab.notebook.chart.Drawing.Geometry
import clientlab.notebook.chart.Style

/** What Kandy 0.8.0 has no words for, said in the specification that it hands to Lets-Plot; the rest is Kandy's. */
internal object BeyondKandy {
    /** Lets-Plot's unit of a text's size. */
    const val PIXELS_PER_SIZE: Double = 2.0

    /** [spec] with the anchors of texts, the layers that a legend leaves out, and the width of the font. */
    fun complete(spec: Map<String, Any>, drawing: Drawing): MutableMap<String, Any> {
        val complete = copy(spec)

        @Suppress("UNCHECKED_CAST")
        val layers = complete.getValue("layers") as List<MutableMap<String, Any?>>
        layers.zip(drawing.layers).forEach { (said, layer) ->
            if (layer.geometry == Geometry.TEXT) {
                said["hjust"] = layer.constants.getValue(Constant.ANCHOR)
                said["vjust"] = layer.constants.getValue(Constant.RISE)
            }
            val unexplained = layer.geometry == Geometry.TEXT || (layer.geometry == Geometry.SEGMENT && drawing.series != null)
            if (unexplained) said["show_legend"] = false
        }
        complete["metainfo_list"] = mutableListOf(
            mutableMapOf("name" to "font_family_info", "family" to Style.FONT, "width_correction" to Style.FONT_WIDTH),
        )
        return complete
    }

    /** A copy down to the leaves. */
    fun copy(spec: Map<String, Any>): MutableMap<String, Any> = spec.mapValuesTo(LinkedHashMap()) { copyAny(it.value)!! }

    private fun copyAny(value: Any?): Any? = when (value) {
        is Map<*, *> -> value.entries.associateTo(LinkedHashMap()) { (key, item) -> key to copyAny(item) }
        is List<*> -> value.mapTo(ArrayList()) { copyAny(it) }
        else -> value
    }
}
