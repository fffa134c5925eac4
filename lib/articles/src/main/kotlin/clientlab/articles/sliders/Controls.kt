package clientlab.articles.sliders

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.double
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonPrimitive

/** Makes the controls of one panel. */
internal class Controls(private val comms: Comms) {
    /** A drop-down list of [options]. */
    fun choice(label: String, options: List<String>): Widget = control(
        "Dropdown",
        label,
        "_options_labels" to JsonArray(options.map(::JsonPrimitive)),
        "index" to JsonPrimitive(0),
    )

    /** A slider for whole numbers in steps of one, because one more request can exceed a limit. It reports when it is released. */
    fun slider(label: String, range: IntRange, value: Int): Widget =
        slider("IntSlider", label, range.first, range.last, 1, value, "d")

    /** A slider for numbers in steps of [step]. It reports when it is released. */
    fun slider(label: String, range: ClosedRange<Double>, step: Double, value: Double): Widget =
        slider("FloatSlider", label, range.start, range.endInclusive, step, value, ".1f")

    /** A button, which reports `click`. */
    fun button(label: String, tooltip: String): Widget = Widget(
        comms,
        "Button",
        mapOf(
            "description" to JsonPrimitive(label),
            "tooltip" to JsonPrimitive(tooltip),
            "disabled" to JsonPrimitive(true),
            "button_style" to JsonPrimitive(""),
            "icon" to JsonPrimitive(""),
            "style" to Widget(comms, "ButtonStyle", emptyMap()).reference,
        ) + drawn("8em"),
    )

    /** Markup that changes. */
    fun html(): Widget = control("HTML", "", "value" to JsonPrimitive(""), width = "auto")

    /** [children] below each other. */
    fun column(vararg children: Widget): Widget = box("VBox", children)

    /** [children] beside each other. */
    fun row(vararg children: Widget): Widget = box("HBox", children)

    private fun slider(kind: String, label: String, min: Number, max: Number, step: Number, value: Number, format: String) = control(
        kind,
        label,
        "min" to JsonPrimitive(min),
        "max" to JsonPrimitive(max),
        "step" to JsonPrimitive(step),
        "value" to JsonPrimitive(value),
        "continuous_update" to JsonPrimitive(false),
        "orientation" to JsonPrimitive("horizontal"),
        "readout" to JsonPrimitive(true),
        "readout_format" to JsonPrimitive(format),
        "behavior" to JsonPrimitive("drag-tap"),
        style = "SliderStyle",
    )

    private fun control(
        kind: String,
        label: String,
        vararg own: Pair<String, JsonElement>,
        style: String = "DescriptionStyle",
        width: String = "36em",
    ): Widget {
        val look = Widget(comms, style, mapOf("description_width" to JsonPrimitive(if (label.isEmpty()) "0" else "10em")))
        val described = mapOf(
            "description" to JsonPrimitive(label),
            "description_allow_html" to JsonPrimitive(false),
            "disabled" to JsonPrimitive(false),
            "tooltip" to JsonNull,
            "style" to look.reference,
        )
        return Widget(comms, kind, described + own + drawn(width))
    }

    private fun box(kind: String, children: Array<out Widget>): Widget = Widget(
        comms,
        kind,
        mapOf("children" to JsonArray(children.map { it.reference }), "box_style" to JsonPrimitive("")) + drawn("auto"),
    )

    private fun drawn(width: String): Map<String, JsonElement> = mapOf(
        "_dom_classes" to JsonArray(emptyList()),
        "tabbable" to JsonNull,
        "layout" to Widget(comms, "Layout", mapOf("width" to JsonPrimitive(width)), Widget.BASE).reference,
    )
}

internal fun Widget.int(key: String): Int = this[key].jsonPrimitive.int

internal fun Widget.double(key: String): Double = this[key].jsonPrimitive.double

/** The reference to the panel in an output. */
internal fun Widget.view(): JsonObject = JsonObject(
    mapOf("version_major" to JsonPrimitive(2), "version_minor" to JsonPrimitive(0), "model_id" to JsonPrimitive(id)),
)
