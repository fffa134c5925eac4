package clientlab.server.page

import clientlab.server.request.*
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonArrayBuilder
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject

/** The data port as an OpenAPI 3.1 document, made from the same [Route]s and [Parameter]s as its answers. */
internal fun openApi(limit: DelayLimit): String {
    val document = buildJsonObject {
        put("openapi", "3.1.0")
        putJsonObject("info") {
            put("title", "Delay server of Client Lab")
            put("version", "1")
            put("description", "Answers after the delay that a request asks for: in one piece or slowly, well, badly or not at all.")
        }
        putJsonObject("paths") {
            for (route in Route.entries) {
                putJsonObject(route.prefix + route.value?.let { "{${it.key}}" }.orEmpty()) {
                    for (method in route.methods) putJsonObject(method.name().lowercase()) { operation(route, method.name(), limit) }
                }
            }
        }
    }
    return PRETTY.encodeToString(JsonObject.serializer(), document)
}

private fun JsonObjectBuilder.operation(route: Route, method: String, limit: DelayLimit) {
    put("operationId", method.lowercase() + route.name.lowercase().replaceFirstChar { it.uppercase() })
    put("summary", route.summary)
    putJsonArray("parameters") {
        route.value?.let { parameter(it.key, "path", it.meaning, schema(it.values, limit), it.tried) }
        route.parameters.orEmpty().forEach { parameter(it.key, "query", it.meaning, schema(it.values, limit), it.tried) }
    }
    if (method != "GET") {
        putJsonObject("requestBody") { content("application/octet-stream") {} }
    }
    putJsonObject("responses") { responses(route, method) }
}

private fun JsonArrayBuilder.parameter(name: String, place: String, meaning: String, schema: JsonObject, tried: String) {
    addJsonObject {
        put("name", name)
        put("in", place)
        if (place == "path") put("required", true)
        put("description", meaning)
        put("schema", schema)
        put("example", tried)
    }
}

private fun JsonObjectBuilder.responses(route: Route, method: String) {
    val isStatus = route == Route.STATUS
    if (!isStatus) response("200", route.summary, route.type)
    if (route.parameters != null) response("400", "What cannot be, and what would be right.", SENTENCE)
    if (method != "GET") response("413", "The body is too long.", SENTENCE)
    if (route.parameters != null) response("429", "More requests a second than the server was started for.", SENTENCE)
    response("503", "More connections, or requests in flight, than the server was started for.", SENTENCE)
    if (isStatus || Parameter.STATUS in route.parameters.orEmpty()) response("default", "An answer of the status that was asked for.", null)
}

private fun JsonObjectBuilder.response(status: String, description: String, type: String?) {
    putJsonObject(status) {
        put("description", description)
        if (type != null) content(type) { if (type == SENTENCE) put("type", "string") }
    }
}

private fun JsonObjectBuilder.content(type: String, schema: JsonObjectBuilder.() -> Unit) {
    putJsonObject("content") { putJsonObject(type) { putJsonObject("schema", schema) } }
}

private fun schema(values: Values, limit: DelayLimit): JsonObject = when (values) {
    is Values.Time -> schema("string", "pattern" to JsonPrimitive("^(?:${timePattern(limit)})$"))
    is Values.Delay -> schema("string", "pattern" to JsonPrimitive("^(?:${timePattern(limit)}|$DRAWN)$"))
    is Values.Millis -> schema("integer", "minimum" to JsonPrimitive(0), "maximum" to JsonPrimitive(limit.nanos / 1_000_000))
    is Values.Whole -> values.range.let { schema("integer", "minimum" to JsonPrimitive(it.first), "maximum" to JsonPrimitive(it.last)) }
    is Values.Switch -> schema("string", "enum" to anyOf("1", "0"))
    is Values.Text -> schema("string", "maxLength" to JsonPrimitive(values.most))
    is Values.Word if values.orBytes -> schema("string", "pattern" to JsonPrimitive("^(?:${values.words.joinToString("|")}|[0-9]{1,10})$"))
    is Values.Word -> schema("string", "enum" to anyOf(*values.words.toTypedArray()))
}

private fun schema(type: String, vararg rules: Pair<String, JsonElement>) = JsonObject(mapOf("type" to JsonPrimitive(type), *rules))

private fun anyOf(vararg words: String) = JsonArray(words.map { JsonPrimitive(it) })

private fun timePattern(limit: DelayLimit): String {
    val longest = limit.nanos.toBigDecimal().movePointLeft(9)
    return listOf(0 to "s?", 3 to "ms", 6 to "us").joinToString("|") { (places, unit) ->
        "(?:${upTo(longest.movePointRight(places).stripTrailingZeros().toPlainString())})$unit"
    }
}

/** A pattern for the decimal numbers from 0 to [most], as this server reads them: digits with at most one point among them. */
private fun upTo(most: String): String {
    val whole = most.substringBefore('.')
    val fraction = most.substringAfter('.', "")
    val isZero = whole == "0"
    val less = buildList {
        if (whole.length > 1) add("[0-9]{1,${whole.length - 1}}")
        addAll(before(whole) { left -> if (left > 0) "[0-9]{$left}" else "" })
    }
    val start = if (isZero) "0*" else "0*$whole"
    return buildList {
        less.forEach { add("0*$it(?:\\.[0-9]*)?") }
        if (!isZero) add("\\.[0-9]+")
        add("0*$whole(?:\\.0*)?")
        before(fraction) { "[0-9]*" }.forEach { add("$start\\.$it") }
        for (length in 1..fraction.length) add("$start\\.${fraction.take(length)}" + if (length == fraction.length) "0*" else "")
    }.joinToString("|")
}

/** Patterns for the digits that sort before [text]; [tail] gives the pattern behind the first lower digit, from how many are left. */
private fun before(text: String, tail: (Int) -> String): List<String> = text.mapIndexedNotNull { i, digit ->
    if (digit == '0') null else text.take(i) + (if (digit == '1') "0" else "[0-${digit - 1}]") + tail(text.length - i - 1)
}

private const val SENTENCE = "text/plain"
private const val DRAWN =
    "normal\\([1-9][0-9]{0,4}ms,[1-9][0-9]{0,4}ms\\)|lognormal\\([1-9][0-9]{0,4}ms,0\\.[0-9]*[1-9]\\)|exp\\([1-9][0-9]{0,4}ms\\)|" +
        "uniform\\([1-9][0-9]{0,2}ms,[1-9][0-9]?s\\)|stalls\\([1-9]ms,[1-9]00ms,[1-9]s\\)|pareto\\([1-9][0-9]{0,4}ms,[1-9][0-9]?\\)"
private val PRETTY = Json { prettyPrint = true }
