package clientlab.articles.sliders

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.util.concurrent.CopyOnWriteArrayList

/** A front end that draws nothing, and does what a person would do to what it was sent. */
internal class MadeComms : Comms {
    val models = CopyOnWriteArrayList<Model>()

    override fun open(target: String, data: JsonObject, metadata: JsonObject, received: (JsonObject) -> Unit): Channel =
        Model("model-${models.size}", target, metadata, data.getValue("state").jsonObject, received).also { models += it }

    /** The one model whose state says that its [key] is [value]. */
    fun of(key: String, value: String): Model = models.single { (it.state[key] as? JsonPrimitive)?.content == value }

    class Model(
        override val id: String,
        val target: String,
        val metadata: JsonObject,
        @Volatile var state: JsonObject,
        private val received: (JsonObject) -> Unit,
    ) : Channel {
        val sent = CopyOnWriteArrayList<JsonObject>()

        override fun send(data: JsonObject) {
            sent += data
            state = JsonObject(state + data.getValue("state").jsonObject)
        }

        /** A person sets [key]. */
        fun set(key: String, value: JsonElement) = received(
            JsonObject(mapOf("method" to JsonPrimitive("update"), "state" to JsonObject(mapOf(key to value)))),
        )

        /** A person presses a button. */
        fun click() = received(
            JsonObject(
                mapOf("method" to JsonPrimitive("custom"), "content" to JsonObject(mapOf("event" to JsonPrimitive("click")))),
            ),
        )

        /** The page was loaded again. */
        fun askForState() = received(JsonObject(mapOf("method" to JsonPrimitive("request_state"))))

        fun text(key: String): String = state.getValue(key).jsonPrimitive.content
    }
}
