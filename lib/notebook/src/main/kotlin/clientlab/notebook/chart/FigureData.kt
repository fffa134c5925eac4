package clientlab.notebook.chart

import clientlab.notebook.frame.*
import clientlab.notebook.output.*
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.add
import kotlinx.serialization.json.addJsonArray
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject
import java.security.MessageDigest

/**
 * A figure as programs read it: the chart's words, axes, panels and marks with their columns.
 *
 * `runs`, `treatments` and `trials` are lists; a trial is `[run, round, treatment]`, the outer two by their places in those lists. The
 * dots of a mark are `[row, panel, across, down]`, with the place in its panel as shares of the panel from its left and upper edges, so
 * that they are the same whichever renderer drew. Only `drawn` differs between renderers: it has the panels in pixels. `drawing` changes
 * with whatever both renderers are told, looks among it.
 */
internal class FigureData(private val chart: Chart, private val drawing: Drawing) {
    private val marks = chart.marks.filter { it.data.size > 0 }
    private val refs = marks
        .flatMap { it.data.columns[TRIAL].orEmpty() }
        .filterIsInstance<TrialRef>()
        .distinct()
        .withIndex()
        .associate { it.value to it.index }
    private val runs = (refs.keys.map { it.run } + chart.runs).distinct()
    private val treatments = refs.keys.map { it.treatment }.distinct()

    fun json(renderer: String, panels: List<List<Double>>): JsonObject =
        DataPart.of("figure") {
            put("title", chart.title)
            put("subtitle", chart.subtitle)
            put("caption", chart.caption)
            put("alt", chart.alt)
            putJsonObject("x") { put(chart.x) }
            putJsonObject("y") { put(chart.y) }
            chart.facets?.let { facets ->
                putJsonObject("panels") {
                    put("by", facets.by)
                    put("values", DataPart.texts(facets.order))
                    put("titles", DataPart.texts(facets.order.map { facets.titles[it] ?: it }))
                }
            }
            put("runs", DataPart.texts(runs))
            putJsonArray("treatments") { treatments.forEach { add(JsonObject(it.levels)) } }
            putJsonArray("trials") {
                refs.keys.forEach { ref ->
                    addJsonArray {
                        add(runs.indexOf(ref.run))
                        add(ref.round)
                        add(treatments.indexOf(ref.treatment))
                    }
                }
            }
            put("marks", marks())
            put("drawing", digest())
            putJsonObject("drawn") {
                put("renderer", renderer)
                put("size", numbers(listOf(drawing.size.width, drawing.size.height)))
                putJsonArray("panels") { panels.forEach { add(numbers(it)) } }
            }
        }

    private fun JsonObjectBuilder.put(axis: Axis) {
        put("label", axis.label)
        when (axis) {
            is CategoryAxis -> {
                put("categories", DataPart.texts(axis.order))
            }

            is NumberAxis -> {
                put("scale", axis.scale.name.lowercase())
                axis.metric?.let { put("metric", it) }
                (axis.unit ?: axis.metric?.let(Dictionary::unitOf))?.let { put("unit", it) }
            }
        }
    }

    private fun marks(): JsonArray {
        val places = if (chart.isEmpty) null else ChartPlaces(chart)
        return JsonArray(
            marks.map { mark ->
                buildJsonObject {
                    put("kind", mark::class.simpleName!!.lowercase())
                    if (mark is Points) put("role", mark.role.name.lowercase())
                    putJsonObject("reads") { reads(mark).forEach { (channel, column) -> column?.let { put(channel, it) } } }
                    putJsonObject("columns") {
                        columns(mark).forEach { (name, values) -> put(name, JsonArray(values.map(DataPart::cell))) }
                    }
                    mark.data.columns[TRIAL]?.let { of -> put("trials", JsonArray(of.map { JsonPrimitive(refs[it]) })) }
                    if (mark is Points && places != null) put("dots", dots(places, mark))
                }
            },
        )
    }

    /** The columns that are drawn, and the one that divides the panels. */
    private fun columns(mark: Mark): Map<String, List<Any?>> {
        val names = (mark.columns + listOfNotNull(chart.facets?.by)).distinct()
        return names.mapNotNull { name -> mark.data.columns[name]?.let { name to it } }.toMap()
    }

    private fun dots(places: ChartPlaces, mark: Points): JsonArray =
        JsonArray(
            places.points(mark).map { (row, at) ->
                val across = places.x.share(at.first, row.panel)
                val down = 1 - places.y.share(at.second, row.panel)
                JsonArray(listOf(JsonPrimitive(row.number), JsonPrimitive(row.panel), DataPart.number(across), DataPart.number(down)))
            },
        )

    private fun reads(mark: Mark): Map<String, String?> = when (mark) {
        is Points -> mapOf("x" to mark.x, "y" to mark.y, "color" to mark.color, "lane" to mark.lane)

        is Intervals -> mapOf(
            "x" to mark.x,
            "y" to mark.y,
            "low" to mark.low,
            "high" to mark.high,
            "color" to mark.color,
            "lane" to mark.lane,
        )

        is Bars -> mapOf("x" to mark.x, "y" to mark.y, "color" to mark.color, "lane" to mark.lane)

        is Spans -> mapOf("from" to mark.from, "to" to mark.to, "y" to mark.y, "color" to mark.color)

        is Lines -> mapOf("x" to mark.x, "y" to mark.y, "series" to mark.series, "color" to mark.color)

        is Labels -> mapOf("x" to mark.x, "y" to mark.y, "text" to mark.text, "color" to mark.color)

        is ReferenceLines -> mapOf("x" to mark.x, "y" to mark.y, "text" to mark.text)

        is Boxes -> mapOf(
            "from" to mark.from,
            "to" to mark.to,
            "bottom" to mark.bottom,
            "top" to mark.top,
            "text" to mark.text,
            "color" to mark.color,
        )
    }

    private fun numbers(values: List<Number>): JsonElement = JsonArray(values.map(DataPart::cell))

    private fun digest(): String =
        MessageDigest.getInstance("SHA-256").digest(drawing.toString().encodeToByteArray()).take(4).joinToString("") {
            "%02x".format(java.util.Locale.ROOT, it)
        }
}
