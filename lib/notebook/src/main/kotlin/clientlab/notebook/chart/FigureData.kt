package clientlab.notebook.chart

import clientlab.notebook.frame.*
import clientlab.notebook.output.*
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
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
    private val refs = marks.flatMap { it.data.columns[TRIAL].orEmpty() }.filterIsInstance<TrialRef>().distinct()
    private val placeOf = refs.withIndex().associate { it.value to it.index }
    private val runs = (refs.map { it.run } + chart.runs).distinct()
    private val treatments = refs.map { it.treatment }.distinct()

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
            put("trials", JsonArray(refs.map { numbers(listOf(runs.indexOf(it.run), it.round, treatments.indexOf(it.treatment))) }))
            put("marks", marks())
            put("drawing", DataPart.digest(drawing.toString()))
            putJsonObject("drawn") {
                put("renderer", renderer)
                put("size", numbers(listOf(drawing.size.width, drawing.size.height)))
                put("panels", JsonArray(panels.map(::numbers)))
            }
        }

    private fun JsonObjectBuilder.put(axis: Axis) {
        put("label", axis.label)
        if (axis is CategoryAxis) put("categories", DataPart.texts(axis.order))
        if (axis is NumberAxis) {
            put("scale", axis.scale.name.lowercase())
            axis.metric?.let { put("metric", it) }
            (axis.unit ?: axis.metric?.let(Dictionary::unitOf))?.let { put("unit", it) }
        }
    }

    private fun marks(): JsonArray {
        val positions = if (chart.isEmpty) null else ChartPlaces(chart)
        return JsonArray(marks.map { mark -> buildJsonObject { put(mark, positions) } })
    }

    private fun JsonObjectBuilder.put(mark: Mark, positions: ChartPlaces?) {
        put("kind", mark::class.simpleName!!.lowercase())
        if (mark is Points) put("role", mark.role.name.lowercase())
        putJsonObject("reads") { mark.reads.forEach { (what, column) -> put(what, column) } }
        val drawn = (mark.reads.values + listOfNotNull(chart.facets?.by)).distinct()
        putJsonObject("columns") {
            drawn.forEach { name -> mark.data.columns[name]?.let { put(name, JsonArray(it.map(DataPart::cell))) } }
        }
        mark.data.columns[TRIAL]?.let { of -> put("trials", JsonArray(of.map { JsonPrimitive(placeOf[it]) })) }
        if (mark is Points && positions != null) put("dots", dots(positions, mark))
    }

    private fun dots(places: ChartPlaces, mark: Points): JsonArray =
        JsonArray(
            places.points(mark).map { (row, at) ->
                val across = places.x.share(at.first, row.panel)
                val down = 1 - places.y.share(at.second, row.panel)
                JsonArray(listOf(JsonPrimitive(row.number), JsonPrimitive(row.panel), DataPart.number(across), DataPart.number(down)))
            },
        )

    private fun numbers(values: List<Number>): JsonElement = JsonArray(values.map(DataPart::cell))
}
