package clientlab.notebook.output

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import java.math.BigDecimal
import java.math.MathContext
import java.security.MessageDigest
import java.util.HexFormat

/**
 * What an output of a cell says to programs: a figure, table or verdict as JSON, under a MIME type of its own. Every part has
 * `schemaVersion` and `kind`. Numbers have six significant digits; what is no finite number is null.
 */
public object DataPart {
    /** The MIME type of the part. */
    public const val MIME: String = "application/vnd.clientlab+json"

    /** Goes up when a reader of the part has to change. */
    public const val SCHEMA_VERSION: Int = 1

    private val PRECISION = MathContext(6)

    /** A part of the given [kind] with what [content] adds. */
    internal fun of(kind: String, content: JsonObjectBuilder.() -> Unit): JsonObject =
        buildJsonObject {
            put("schemaVersion", SCHEMA_VERSION)
            put("kind", kind)
            content()
        }

    /** A cell of a table or of a mark's data as JSON. */
    internal fun cell(value: Any?): JsonElement =
        when (value) {
            null -> JsonNull
            is Int, is Long, is Short, is Byte -> JsonPrimitive(value)
            is Number -> number(value.toDouble())
            is Boolean -> JsonPrimitive(value)
            else -> JsonPrimitive(value.toString())
        }

    /** A number in six significant digits; a whole one without a point. */
    internal fun number(value: Double): JsonElement {
        if (!value.isFinite()) return JsonNull
        val rounded = BigDecimal(value).round(PRECISION)
        val whole = rounded.stripTrailingZeros().scale() <= 0 && rounded.precision() - rounded.scale() <= 15
        return if (whole) JsonPrimitive(rounded.toLong()) else JsonPrimitive(rounded.toDouble())
    }

    /** Eight hexadecimal digits that differ where [text] does. */
    internal fun digest(text: String): String =
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.encodeToByteArray()), 0, 4)

    internal fun texts(values: Collection<String>): JsonArray = JsonArray(values.map(::JsonPrimitive))
}
