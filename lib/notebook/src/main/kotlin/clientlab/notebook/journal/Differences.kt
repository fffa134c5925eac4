package clientlab.notebook.journal

import clientlab.workloads.*
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.encodeToJsonElement
import kotlinx.serialization.json.jsonObject

/**
 * The differences that prevent a run from continuing, each as in `experiment.seed is 43 and was 42`: the experiment, the libraries, the
 * jars, the options of the forks, the place of the server, and the machine without its load and its open-file limit.
 */
internal object Differences {
    fun between(was: Manifest, now: Manifest): List<String> {
        val before = facts(was)
        val after = facts(now)
        return (after.keys + before.keys)
            .filter { before[it] != after[it] }
            .map { "$it is ${after[it] ?: MISSING} and was ${before[it] ?: MISSING}" }
    }

    /** The differences in libraries, jars and options of the forks alone, for runs of any experiment on any machine. */
    fun libraries(one: Manifest, other: Manifest): List<String> =
        between(one, other).filter { difference -> LIBRARIES.any { difference.startsWith(it) } }

    private val LIBRARIES = listOf("versions", "jars", "jvmArgs")

    private fun facts(manifest: Manifest): Map<String, String> {
        val all = ExperimentJson.encodeToJsonElement(manifest).jsonObject
        val machine = JsonObject(all.getValue("machine").jsonObject - setOf("load", "openFiles"))
        return buildMap {
            listOf("experiment", "versions", "jars", "jvmArgs").forEach { put(it, all.getValue(it)) }
            put("machine", machine)
            put("server", JsonPrimitive(manifest.server["elsewhere"] ?: "the run's own"))
        }.let { parts -> buildMap { parts.forEach { (name, part) -> flatten(name, part, this) } } }
    }

    private fun flatten(path: String, element: JsonElement, into: MutableMap<String, String>) {
        when (element) {
            is JsonObject -> element.forEach { (key, value) -> flatten("$path.$key", value, into) }
            is JsonArray -> element.forEachIndexed { index, value -> flatten("$path[$index]", value, into) }
            is JsonPrimitive -> if (element !is JsonNull) into[path] = shortened(element.content)
        }
    }

    /** The beginning of a hash is enough: two hashes with the same beginning are the same. */
    private fun shortened(text: String): String = if (HASH.matches(text)) text.take(SHORT) + "…" else text

    private const val MISSING = "missing"
    private const val SHORT = 12
    private val HASH = Regex("[0-9a-f]{64}")
}
