package clientlab.server.request

import clientlab.server.answer.*
import io.netty.handler.codec.http.HttpMethod

/** The kind of values that a parameter, or a part of a path, takes. */
internal sealed class Values {
    data object Time : Values() // seconds, or a time with its unit, up to the longest delay

    data object Millis : Values() // whole milliseconds, up to the longest delay

    data object Delay : Values() // a time, or a distribution

    class Whole(val range: LongRange) : Values()

    class Word(val words: List<String>, val orBytes: Boolean = false) : Values() // one of the words, or a number of bytes

    data object Switch : Values() // 1 for yes, 0 for no

    class Text(val most: Int) : Values() // at most so many characters
}

/** Everything that a query may hold. [QueryParameters], the page and the OpenAPI document all work from this list. */
internal enum class Parameter(val key: String, val shown: String, val values: Values, val group: String, val tried: String) {
    DELAY("delay", "<seconds>", Values.Delay, WHEN, "1.5"),
    LABEL("a", "<text>", Values.Text(MOST_LABEL), WHEN, "1"),
    SEED("seed", "<n>", Values.Whole(0..Int.MAX_VALUE.toLong()), WHEN, "42"),
    BODY_DELAY("bodyDelay", "<seconds>", Values.Time, BODY, "0.5"),
    RATE("rate", "<bytes per second>", Values.Whole(1..10_000_000_000), BODY, "20"),
    OVER("over", "<seconds>", Values.Time, BODY, "2"),
    EVERY("every", "<seconds>", Values.Time, BODY, "0.5"),
    EVENTS("events", "<n>", Values.Whole(1..MAX_BYTES), BODY, "10"),
    SIZE("size", "<bytes>", Values.Whole(Body.Stream.LEAST_BYTES.toLong()..MOST_GZIPPED), BODY, "100"),
    STATUS("status", "<code>", Values.Whole(200L..599L), WHAT, "503"),
    GZIP("gzip", "1", Values.Switch, WHAT, "1"),
    CLOSE("close", "1", Values.Switch, WHAT, "1"),
    FAULT("fault", "close|reset|stall", Values.Word(listOf("close", "reset", "stall")), WRONG, "close"),
    AT("at", "before|half|after|<n>", Values.Word(listOf("before", "half", "after"), orBytes = true), WRONG, "half"),
    CUT("cut", "<n>", Values.Whole(0..MAX_BYTES), WRONG, "100"),
    FLIP("flip", "1", Values.Switch, WRONG, "1"),
    ;

    val meaning: String get() = when (this) {
        DELAY -> "How long the answer waits: seconds, a time such as 250ms, or a distribution, cut off at 0 and at the longest delay."
        LABEL -> "A label for this request. A number gives it a row of its own in /evidence/requests on the control port."
        SEED -> "Draws the delay from this seed and the number in a alone: the same two give the same delay again."
        BODY_DELAY -> "A slow first byte: the pause between the head and the body."
        RATE -> "A slow body: this many bytes per second."
        OVER -> "A slow body: spread evenly over this time. If rate is given too, the slower of the two counts."
        EVERY -> "The time from one event to the next, 1 second by default; 0 sends them as fast as the client takes them."
        EVENTS -> "How many events, by default as many as fit into the longest delay; the first comes at once."
        SIZE -> "The size of an event, 64 bytes by default."
        STATUS -> "Answers with this status."
        GZIP -> "Compresses the body, even if the client does not accept that; for bodies of up to $MOST_GZIPPED bytes."
        CLOSE -> "Says Connection: close, and closes behind the answer."
        FAULT -> "Closes the connection without notice, resets it by an RST, or stalls until the client goes or the longest delay is over."
        AT -> "Where the fault comes: before the head (by default), halfway through the body, after its end, or after n bytes of /bytes."
        CUT -> "Closes the connection after this many bytes of the body."
        FLIP -> "Alters the byte in the middle; the checksum is still that of the unaltered body."
    }
}

/** The part of a path that is a value; [shown] stands for it in lists. */
internal class PathValue(val key: String, val shown: String, val values: Values, val tried: String, val meaning: String)

/** The data port's paths. [DataRoutes], the page and the OpenAPI document all work from this list. */
internal enum class Route(
    val prefix: String, // the path, up to its value if it has one
    val methods: List<HttpMethod>,
    val summary: String,
    val type: String, // of a good answer
    val parameters: List<Parameter>?, // what the query may hold; null if the query is ignored
    val value: PathValue? = null,
) {
    DELAY("/delay", ANY, "A line of text, after that delay.", TEXT, EVERYWHERE),
    DATETIME("/datetime", GET, "The time as JSON, after that delay.", JSON, EVERYWHERE),
    BYTES(
        "/bytes/",
        GET,
        "This many bytes, with their CRC-32 in x-crc32.",
        "application/octet-stream",
        Parameter.entries - OF_EVENTS,
        LENGTH,
    ),
    EVENTS(
        "/events",
        GET,
        "Numbered server-sent events. It takes delay, a, seed, every, events and size alone.",
        "text/event-stream",
        STREAMED,
    ),
    SOCKET("/socket", GET, "The same as messages of a WebSocket.", TEXT, STREAMED),
    STATUS("/status/", ANY, "An answer with that status, after that delay.", TEXT, EVERYWHERE - Parameter.STATUS, CODE),
    CRAWL("/v1/crawl/delay/", GET, "A page of 100 links, after this many milliseconds.", "text/html", LABEL, MILLIS),
    SINK("/sink", ANY - GET.toSet(), "Takes a body of up to 2 GiB, and answers with its length and CRC-32.", JSON, LABEL),
    HEALTH("/health", ANY, "ok, at once.", TEXT, null),
    OPENAPI("/openapi.json", GET, "This list as an OpenAPI 3.1 document.", JSON, null),
    INDEX("/", GET, "This list: as a page for a browser, else as text.", TEXT, null),
    ;

    val shown: String get() = prefix + value?.shown.orEmpty()

    companion object {
        private val exact = entries.filter { it.value == null }.associateBy { it.prefix }
        private val begun = entries.filter { it.value != null }

        fun of(path: String): Route? = exact[path] ?: begun.find { path.startsWith(it.prefix) }
    }
}

private val OF_EVENTS: List<Parameter> = listOf(Parameter.EVERY, Parameter.EVENTS, Parameter.SIZE)

/** The parameters that all routes with a delay take, but for a stream. */
internal val EVERYWHERE: List<Parameter> = Parameter.entries - setOf(Parameter.CUT, Parameter.FLIP) - OF_EVENTS

internal const val MAX_BYTES: Long = 2_147_483_648 // that /bytes sends and /sink takes
internal const val MOST_GZIPPED: Long = 65_536 // more would keep the one event loop from the other connections for too long
internal const val MOST_LABEL: Int = 64

private const val WHEN = "When"
private const val BODY = "How the body comes"
private const val WHAT = "What comes"
private const val WRONG = "What goes wrong"
private const val TEXT = "text/plain"
private const val JSON = "application/json"
private val GET = listOf(HttpMethod.GET)
private val ANY = listOf(HttpMethod.GET, HttpMethod.POST, HttpMethod.PUT)
private val LABEL = listOf(Parameter.LABEL)
private val STREAMED = listOf(Parameter.DELAY, Parameter.LABEL, Parameter.SEED) + OF_EVENTS
private val LENGTH = PathValue("n", "<n>", Values.Whole(0..MAX_BYTES), "1000", "How many bytes.")
private val CODE = PathValue("code", "<code>", Values.Whole(200L..599L), "503", "The status.")
private val MILLIS = PathValue("ms", "<ms>", Values.Millis, "5", "How many milliseconds, a whole number.")
