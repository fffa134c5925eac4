package clientlab.notebook.chart

import java.util.Locale

/**
 * What a Lets-Plot specification says, a line for each layer and scale, so that two renderers can be held to the same words.
 *
 * Data are summed up, and what only one engine states because it is its default is left out.
 */
internal object SpecText {
    fun of(spec: Map<String, Any?>): String = buildList {
        spec.maps("layers").forEach { add(layer(it)) }
        spec
            .maps("scales")
            .groupBy { it["aesthetic"] }
            .toSortedMap(compareBy { it.toString() })
            .values
            .forEach { add(scale(it)) }
        (spec["facet"] as Map<*, *>?)?.let { add("facet" + pairs(it, setOf("name", "facets", "ncol", "scales"))) }
        (spec["ggtitle"] as Map<*, *>?)?.let { add("title" + pairs(it, setOf("text", "subtitle"))) }
        (spec["caption"] as Map<*, *>?)?.let { add("caption" + pairs(it, setOf("text"))) }
        (spec["ggsize"] as Map<*, *>?)?.let { add("size" + pairs(it, setOf("width", "height"))) }
        (spec["theme"] as Map<*, *>?)?.let {
            add("legend position=${it["legend_position"]}")
            add("margins " + TITLES.joinToString(" ") { name -> "$name=${margin(it[name])}" })
        }
    }.joinToString("\n").replace("\u200b", "0").replace("\u200c", "1")

    /** Top, right, bottom and left; engines write them as one list or side by side. */
    private fun margin(of: Any?): String {
        val sides = (of as? Map<*, *>)?.let { it["margin"] ?: it } ?: of
        return value(if (sides is Map<*, *>) listOf("t", "r", "b", "l").map { sides[it] } else sides)
    }

    private fun layer(layer: Map<*, *>): String {
        val mapping = layer["mapping"] as Map<*, *>
        val data = layer["data"] as Map<*, *>
        val columns = data.entries.sortedBy { it.key.toString() }.joinToString(" ") { (name, values) -> "$name:${sum(values as List<*>)}" }
        val said = layer.filterKeys { it in CONSTANTS }
        return "${layer["geom"]} mapping${pairs(mapping)} constants${pairs(said)} data $columns"
    }

    /** Several sayings about one axis are one: what is said later adds to it. */
    private fun scale(sayings: List<Map<*, *>>): String {
        val all = sayings.fold(emptyMap<Any?, Any?>()) { one, next -> one + next.filterValues { it != null } }
        return "scale ${all["aesthetic"]}" + pairs(all.filterKeys { it in SCALE })
    }

    private fun pairs(map: Map<*, *>, keys: Set<String>? = null): String = map.entries
        .filter { (key, value) -> value != null && (keys == null || key in keys) && (value as? List<*>)?.all { it == null } != true }
        .sortedBy { it.key.toString() }
        .joinToString("") { (key, value) ->
            // The engine reads log10 and LOG10 alike.
            " $key=" + value(value).let { if (key == "trans") it.lowercase() else it }
        }

    private fun value(value: Any?): String = when (value) {
        is Number -> "%.4g".format(Locale.ROOT, value.toDouble())
        is List<*> -> value.joinToString(",", "[", "]") { value(it) }
        else -> value.toString().replace("\n", "|")
    }

    /** How many values there are, and their sum or how many differ. */
    private fun sum(values: List<*>): String {
        val numbers = values.filterIsInstance<Number>()
        return "${values.size}/" +
            if (numbers.size == values.size) value(numbers.sumOf { it.toDouble() }) else "${values.toSet().size} kinds"
    }

    @Suppress("UNCHECKED_CAST")
    private fun Map<String, Any?>.maps(key: String) = this[key] as List<Map<*, *>>? ?: emptyList()

    private val TITLES = listOf("plot_title", "plot_subtitle", "plot_caption", "plot_margin")
    private val CONSTANTS =
        setOf("color", "fill", "size", "stroke", "alpha", "linetype", "family", "hjust", "vjust", "tooltips", "show_legend")
    private val SCALE = setOf("name", "breaks", "labels", "limits", "trans", "expand", "values")
}
