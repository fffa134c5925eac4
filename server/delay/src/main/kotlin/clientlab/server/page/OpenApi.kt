package clientlab.server.page

import clientlab.server.request.*
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** The data port as an OpenAPI 3.1 document, made from the same [Route]s and [Parameter]s as its answers. */
internal fun openApi(limit: DelayLimit): String {
    val about = "Answers after the delay that a request asks for: in one piece or slowly, well, badly or not at all."
    val paths = Route.entries.associate { route ->
        val operations = route.methods.map { it.name() }.associate { it.lowercase() to operation(route, it, limit) }
        route.prefix + route.value?.let { "{${it.key}}" }.orEmpty() to operations
    }
    val info = mapOf("title" to "Delay server of Client Lab", "version" to "1", "description" to about)
    val document = json(mapOf("openapi" to "3.1.0", "info" to info, "paths" to paths))
    return Json { prettyPrint = true }.encodeToString(JsonElement.serializer(), document)
}

/** Maps, lists, texts, numbers and truth values as JSON. */
internal fun json(value: Any?): JsonElement = when (value) {
    is Map<*, *> -> JsonObject(value.entries.associate { (key, inner) -> "$key" to json(inner) })
    is List<*> -> JsonArray(value.map(::json))
    is Number -> JsonPrimitive(value)
    is Boolean -> JsonPrimitive(value)
    else -> JsonPrimitive("$value")
}

private fun operation(route: Route, method: String, limit: DelayLimit): Map<String, Any> = buildMap {
    val inPath = listOfNotNull(route.value).map { parameter(it.key, "path", it.meaning, schema(it.values, limit), it.tried) }
    val inQuery = route.parameters.orEmpty().map { parameter(it.key, "query", it.meaning, schema(it.values, limit), it.tried) }
    put("operationId", method.lowercase() + route.name.lowercase().replaceFirstChar { it.uppercase() })
    put("summary", route.summary)
    put("parameters", inPath + inQuery)
    if (method != "GET") put("requestBody", content("application/octet-stream"))
    put("responses", responses(route, method))
}

private fun parameter(name: String, place: String, meaning: String, schema: Any, tried: String): Map<String, Any> = buildMap {
    put("name", name)
    put("in", place)
    if (place == "path") put("required", true)
    put("description", meaning)
    put("schema", schema)
    put("example", tried)
}

private fun responses(route: Route, method: String): Map<String, Any> = buildMap {
    val isStatus = route == Route.STATUS
    val isSocket = route == Route.SOCKET
    if (isSocket) put("101", mapOf("description" to route.summary))
    if (isSocket) put("426", refusal("A request that asks for no WebSocket."))
    if (!isStatus && !isSocket) put("200", mapOf("description" to route.summary) + content(route.type))
    if (route.parameters != null) put("400", refusal("What cannot be, and what would be right."))
    if (method != "GET") put("413", refusal("The body is too long."))
    if (route.parameters != null) put("429", refusal("More requests a second than the server was started for."))
    put("503", refusal("More connections, or requests in flight, than the server was started for."))
    val takesStatus = isStatus || Parameter.STATUS in route.parameters.orEmpty()
    if (takesStatus) put("default", mapOf("description" to "An answer of the status that was asked for."))
}

private fun refusal(description: String): Map<String, Any> = mapOf("description" to description) + content("text/plain")

private fun content(type: String): Map<String, Any> {
    val schema = if (type == "text/plain") mapOf("type" to "string") else emptyMap()
    return mapOf("content" to mapOf(type to mapOf("schema" to schema)))
}

private fun schema(values: Values, limit: DelayLimit): Map<String, Any> = when (values) {
    is Values.Time -> mapOf("type" to "string", "pattern" to "^(?:${timePattern(limit)})$")
    is Values.Delay -> mapOf("type" to "string", "pattern" to "^(?:${timePattern(limit)}|$DRAWN)$")
    is Values.Millis -> mapOf("type" to "integer", "minimum" to 0, "maximum" to limit.nanos / 1_000_000)
    is Values.Whole -> mapOf("type" to "integer", "minimum" to values.range.first, "maximum" to values.range.last)
    is Values.Switch -> mapOf("type" to "string", "enum" to listOf("1", "0"))
    is Values.Text -> mapOf("type" to "string", "maxLength" to values.most)
    is Values.Word if values.orBytes -> mapOf("type" to "string", "pattern" to "^(?:${values.words.joinToString("|")}|[0-9]{1,10})$")
    is Values.Word -> mapOf("type" to "string", "enum" to values.words)
}

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

private const val DRAWN =
    "normal\\([1-9][0-9]{0,4}ms,[1-9][0-9]{0,4}ms\\)|lognormal\\([1-9][0-9]{0,4}ms,0\\.[0-9]*[1-9]\\)|exp\\([1-9][0-9]{0,4}ms\\)|" +
        "uniform\\([1-9][0-9]{0,2}ms,[1-9][0-9]?s\\)|stalls\\([1-9]ms,[1-9]00ms,[1-9]s\\)|pareto\\([1-9][0-9]{0,4}ms,[1-9][0-9]?\\)"
