package clientlab.server.request

import io.netty.handler.codec.http.HttpMethod

/** The part of a path that is a value; [shown] stands for it in lists. */
internal class PathValue(val key: String, val shown: String, val values: Values, val tried: String, val meaning: String)

/**
 * The data port's paths. [DataRoutes], the page and the OpenAPI document all work from this list.
 *
 * @property prefix the path, up to its [value] if it has one.
 * @property parameters what the query may hold; null if the query is ignored.
 * @property type the media type of a good answer.
 */
internal enum class Route(
    val prefix: String,
    val methods: List<HttpMethod>,
    val summary: String,
    val type: String,
    val parameters: List<Parameter>?,
    val value: PathValue? = null,
) {
    DELAY(
        "/delay",
        listOf(HttpMethod.GET, HttpMethod.POST, HttpMethod.PUT),
        "A line of text, after that delay.",
        TEXT,
        QueryParameters.EVERYWHERE,
    ),
    DATETIME("/datetime", listOf(HttpMethod.GET), "The time as JSON, after that delay.", JSON, QueryParameters.EVERYWHERE),
    BYTES(
        "/bytes/",
        listOf(HttpMethod.GET),
        "This many bytes, with their CRC-32 in x-crc32.",
        "application/octet-stream",
        QueryParameters.EVERYWHERE + listOf(Parameter.CUT, Parameter.FLIP),
        PathValue("n", "<n>", Values.Whole(0..MAX_BYTES), "1000", "How many bytes."),
    ),
    STATUS(
        "/status/",
        listOf(HttpMethod.GET, HttpMethod.POST, HttpMethod.PUT),
        "An answer with that status, after that delay.",
        TEXT,
        QueryParameters.EVERYWHERE - Parameter.STATUS,
        PathValue("code", "<code>", Values.Whole(200L..599L), "503", "The status."),
    ),
    CRAWL(
        "/v1/crawl/delay/",
        listOf(HttpMethod.GET),
        "A page of 100 links, after this many milliseconds.",
        "text/html",
        listOf(Parameter.LABEL),
        PathValue("ms", "<ms>", Values.Millis, "5", "How many milliseconds, a whole number."),
    ),
    SINK(
        "/sink",
        listOf(HttpMethod.POST, HttpMethod.PUT),
        "Takes a body of up to 2 GiB, and answers with its length and CRC-32.",
        JSON,
        listOf(Parameter.LABEL),
    ),
    HEALTH("/health", listOf(HttpMethod.GET, HttpMethod.POST, HttpMethod.PUT), "ok, at once.", TEXT, null),
    OPENAPI("/openapi.json", listOf(HttpMethod.GET), "This list as an OpenAPI 3.1 document.", JSON, null),
    INDEX("/", listOf(HttpMethod.GET), "This list: as a page for a browser, else as text.", TEXT, null),
    ;

    /** The path as sentences and lists show it. */
    val shown: String get() = prefix + value?.shown.orEmpty()

    companion object {
        private val exact = entries.filter { it.value == null }.associateBy { it.prefix }
        private val begun = entries.filter { it.value != null }

        /** The route of [path], or null if there is none. */
        fun of(path: String): Route? = exact[path] ?: begun.find { path.startsWith(it.prefix) }
    }
}

private const val TEXT = "text/plain"
private const val JSON = "application/json"
