package clientlab.notebook.journal

import clientlab.workloads.*
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.encodeToJsonElement
import kotlinx.serialization.json.jsonObject

/** What prevents a run from continuing, as in `experiment.seed is 43 and was 42`. The machine's load and open-file limit may differ. */
internal object Differences {
    fun between(was: Manifest, now: Manifest): List<String> {
        val (before, after) = facts(was) to facts(now)
        val different = (after.keys + before.keys).filter { before[it] != after[it] }
        return different.map { "$it is ${after[it] ?: "missing"} and was ${before[it] ?: "missing"}" }
    }

    /** The differences in libraries, jars and options of the forks alone, for runs of any experiment on any machine. */
    fun libraries(one: Manifest, other: Manifest): List<String> =
        between(one, other).filter { difference -> LIBRARIES.any { difference.startsWith(it) } }

    /** Whose server the run of [manifest] used. */
    fun server(manifest: Manifest): String = manifest.server["elsewhere"] ?: "the run's own"

    private val LIBRARIES = listOf("versions", "jars", "jvmArgs")

    private fun facts(manifest: Manifest): Map<String, String> = buildMap {
        val all = ExperimentJson.encodeToJsonElement(manifest).jsonObject
        (listOf("experiment") + LIBRARIES).forEach { flatten(it, all.getValue(it), this) }
        flatten("machine", JsonObject(all.getValue("machine").jsonObject - setOf("load", "openFiles")), this)
        put("server", server(manifest))
    }

    private fun flatten(path: String, element: JsonElement, into: MutableMap<String, String>) {
        when (element) {
            is JsonObject -> element.forEach { (key, value) -> flatten("$path.$key", value, into) }

            is JsonArray -> element.forEachIndexed { index, value -> flatten("$path[$index]", value, into) }

            // The beginning of a hash is enough: two hashes with the same beginning are the same.
            is JsonPrimitive -> if (element !is JsonNull) into[path] = HASH.replace(element.content) { it.value.take(SHORT) + "…" }
        }
    }

    private const val SHORT = 12
    private val HASH = Regex("^[0-9a-f]{64}$")
}
