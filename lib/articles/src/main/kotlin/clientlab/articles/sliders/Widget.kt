package clientlab.articles.sliders

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive

/**
 * The kernel's side of one control that a front end draws: a model of the ipywidgets message protocol, version 2.1
 * (jupyter-widgets, `packages/schema/messages.md`).
 *
 * Thread-safe: the kernel sets received values on its own thread, and a run sets its result on another thread.
 */
internal class Widget(comms: Comms, private val name: String, own: Map<String, JsonElement>, private val module: String = CONTROLS) {
    private var state: JsonObject = JsonObject(basis() + own)
    private val changed = mutableListOf<(String) -> Unit>()
    private val events = mutableListOf<(String) -> Unit>()
    private val channel = comms.open(TARGET, stateMessage(state), JsonObject(mapOf("version" to JsonPrimitive("2.1.0"))), ::take)

    /** The name by which other models and outputs refer to this one. */
    val id: String get() = channel.id
    val reference: JsonPrimitive get() = JsonPrimitive("IPY_MODEL_$id")

    operator fun get(key: String): JsonElement = synchronized(this) { state.getValue(key) }

    /** Changes what is shown. */
    operator fun set(key: String, value: JsonElement) {
        synchronized(this) { state = JsonObject(state + (key to value)) }
        channel.send(stateMessage(JsonObject(mapOf(key to value))))
    }

    /** Calls [told] with the key of a value that a person has changed. */
    fun onChange(told: (String) -> Unit) {
        changed += told
    }

    /** Calls [told] with the name of an event, such as `click`. */
    fun onEvent(told: (String) -> Unit) {
        events += told
    }

    private fun take(message: JsonObject) {
        when (message["method"]?.jsonPrimitive?.content) {
            "update" -> {
                val news = message.getValue("state").jsonObject
                synchronized(this) { state = JsonObject(state + news) }
                news.keys.forEach { key -> changed.forEach { it(key) } }
            }

            // A page that was reloaded requests the whole state.
            "request_state" -> {
                channel.send(stateMessage(synchronized(this) { state }))
            }

            "custom" -> {
                val event = message["content"]?.jsonObject?.get("event")?.jsonPrimitive?.content ?: return
                events.forEach { it(event) }
            }
        }
    }

    private fun stateMessage(news: JsonObject) = JsonObject(
        mapOf("method" to JsonPrimitive("update"), "state" to news, "buffer_paths" to JsonArray(emptyList())),
    )

    private fun basis(): Map<String, JsonElement> {
        // All styles have the same view, that of the base module.
        val isStyle = name.endsWith("Style")
        return mapOf(
            "_model_module" to JsonPrimitive(module),
            "_model_module_version" to JsonPrimitive(VERSION),
            "_model_name" to JsonPrimitive("${name}Model"),
            "_view_count" to JsonNull,
            "_view_module" to JsonPrimitive(if (isStyle) BASE else module),
            "_view_module_version" to JsonPrimitive(VERSION),
            "_view_name" to JsonPrimitive(if (isStyle) "StyleView" else "${name}View"),
        )
    }

    internal companion object {
        const val BASE: String = "@jupyter-widgets/base"
        const val CONTROLS: String = "@jupyter-widgets/controls"

        /** The MIME type for front ends that know these models; others show the other parts of the output. */
        const val MIME: String = "application/vnd.jupyter.widget-view+json"
        private const val VERSION = "2.0.0"
        private const val TARGET = "jupyter.widget"
    }
}
