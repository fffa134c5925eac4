package clientlab.server.request

import clientlab.server.answer.*
import io.netty.handler.codec.http.HttpMethod
import kotlin.time.Duration

/** Decides the answers on the data port's paths; it knows no protocol, so that all protocols answer alike. Not thread-safe. */
internal class DataRoutes(
    maxDelay: Duration,
    recorded: Map<String, DelayDistribution> = emptyMap(),
    describe: (DelayLimit, Set<String>) -> Description,
) {
    private val limit = DelayLimit(maxDelay)
    private val description = describe(limit, recorded.keys)
    private val delays = DelayParser(recorded)
    private val draws = RandomDraws()
    private val page by lazy { Answer(200, description.page, content = Content.Html, headers = PAGE_HEADERS) }
    private val list by lazy { Answer(200, description.text, headers = VARIES) }
    private val document by lazy { Answer(200, description.openApi, content = Content.Json) }
    private var otherwise: Answer? = null
    val longestNanos: Long get() = limit.nanos

    /**
     * From now on every path that is none of this server's is answered with [text] after [delay], whatever the method: with JSON if it begins
     * like that, and with a line of its own if it is empty. Throws [BadRequest] with a sentence if the delay cannot be.
     */
    fun answerOthers(delay: String, text: String) {
        val nanos = parseTime(delay)
        if (nanos !in 0..longestNanos) {
            throw BadRequest(
                "delay=${quoted(delay)} is no delay of this server: give seconds from 0 to ${limit.seconds}, such as delay=1.5.",
            )
        }
        val content = if (text.trimStart().firstOrNull() in JSON_BEGINS) Content.Json else Content.Text
        otherwise = Answer(200, text.ifEmpty { "delayed ${secondsText(nanos)} s" }, nanos, content)
    }

    fun answer(method: HttpMethod, target: String): Answer {
        val path = pathOf(target)
        val route = Route.of(path) ?: return otherwise ?: Answer(404, "There is no ${quoted(path)} here: $WHAT_THERE_IS.")
        if (method !in route.methods) return notAnswered(method, route)
        return try {
            answer(route, path, target)
        } catch (refused: BadRequest) {
            Answer(400, refused.message)
        }
    }

    /** The answer for [Content.Index], in the form that the header [accept] asks for. */
    fun index(accept: String?): Answer = if (accept != null && "text/html" in accept) page else list

    private fun answer(route: Route, path: String, target: String): Answer = when (route) {
        Route.DELAY -> delayed(route, target, Content.Text)
        Route.DATETIME -> delayed(route, target, Content.DateTime)
        Route.BYTES -> bytes(path.substring(route.prefix.length), target)
        Route.EVENTS -> stream(route, target) { size, count -> Content.Events(size, count) }
        Route.SOCKET -> NO_SOCKET
        Route.STATUS -> status(path.substring(route.prefix.length), target)
        Route.CRAWL -> crawled(path.substring(route.prefix.length), target)
        Route.SINK -> QueryParameters(target, route, limit).let { SINK }
        Route.HEALTH -> OK
        Route.OPENAPI -> document
        Route.INDEX -> INDEX
    }

    /** The plain request, which comes thousands of times per second: only its two parameters are read. */
    private fun delayed(route: Route, target: String, content: Content): Answer {
        if (!hasOnly(target, "delay", "a")) return composed(route, target, content)
        val seconds = queryValue(target, "delay") ?: "0"
        val nanos = parseSeconds(seconds)
        if (nanos !in 0..longestNanos) return composed(route, target, content)
        val label = queryValue(target, "a")
        if (label != null && label.length > MOST_LABEL) return composed(route, target, content)
        return Answer(200, if (label == null) "delayed $seconds s" else "delayed $seconds s, a=$label", nanos, content)
    }

    private fun status(text: String, target: String): Answer {
        val code = wholeNumber(text)
        if (code in 200..599) return composed(Route.STATUS, target, Content.Text, code.toInt())
        throw BadRequest("/status/${quoted(text)} is no status to answer with: give 200 to 599, such as /status/503.")
    }

    private fun composed(route: Route, target: String, content: Content, pathStatus: Int? = null): Answer {
        val asked = QueryParameters(target, route, limit)
        val status = pathStatus ?: asked.status()
        val delay = queryValue(target, "delay") ?: "0"
        val nanos = delayNanos(delay, asked)
        val text = buildString {
            append("delayed ").append(secondsText(nanos)).append(" s")
            if (delays.isMeant(delay)) append(" of ").append(delay)
            if (status != 200) append(", status ").append(status)
            if (asked.label != null) append(", a=").append(asked.label)
        }
        val hasBody = status !in BODILESS
        val length = when {
            !hasBody -> 0
            content == Content.DateTime -> DATETIME_BYTES
            else -> text.encodeToByteArray().size + 1L
        }
        val behaviour = asked.behaviour(length, isExact = false)
        if (hasBody) return Answer(status, text, nanos, content, behaviour, headersOf(status))
        // gzip of an empty body is not empty.
        return Answer(status, "", nanos, Content.Nothing, behaviour.ofNothing(), headersOf(status))
    }

    private fun bytes(text: String, target: String): Answer {
        val length = wholeNumber(text)
        if (length !in 0..MAX_BYTES) {
            val wanted = "a whole number of bytes from 0 to $MAX_BYTES, such as /bytes/1048576"
            throw BadRequest("/bytes/${quoted(text)} cannot be sent: give $wanted.")
        }
        if (target.indexOf('?') < 0) return Answer(200, "", delayNanos = 0, Content.Bytes(length))
        val asked = QueryParameters(target, Route.BYTES, limit)
        val nanos = delayNanos(queryValue(target, "delay") ?: "0", asked)
        val status = asked.status()
        val flips = asked.flips()
        if (flips && length == 0L) throw BadRequest("flip=1 cannot be: give at least one byte, or leave it out.")
        if (status in BODILESS) throw BadRequest("status=$status has no body: give another, or use /status/$status.")
        val behaviour = asked.behaviour(length, isExact = true)
        return Answer(status, "", nanos, Content.Bytes(length, if (flips) length / 2 else -1), behaviour, headersOf(status))
    }

    /** The answer to a request for a WebSocket, or null if the path opens none. */
    fun messages(target: String): Answer? {
        if (Route.of(pathOf(target)) != Route.SOCKET) return null
        return try {
            stream(Route.SOCKET, target, status = 101) { size, count -> Content.Messages(size, count) }
        } catch (refused: BadRequest) {
            Answer(400, refused.message)
        }
    }

    private fun stream(route: Route, target: String, status: Int = 200, content: (Int, Long) -> Content): Answer {
        val asked = QueryParameters(target, route, limit)
        val pieces = asked.pieces()
        val nanos = delayNanos(queryValue(target, "delay") ?: "0", asked)
        return Answer(status, "", nanos, content(pieces.size, pieces.count), ResponseBehaviour(pace = pieces.pace))
    }

    private fun crawled(text: String, target: String): Answer {
        QueryParameters(target, Route.CRAWL, limit)
        val prefix = Route.CRAWL.prefix
        val most = longestNanos / NANOS_PER_MILLI
        val ms = wholeNumber(text)
        val asked = "$prefix${quoted(text)}"
        if (ms == NOT_WHOLE) throw BadRequest("$asked is not a whole number of milliseconds: give 0 to $most, such as ${prefix}5.")
        if (ms > most) throw BadRequest("$asked is over the limit of $most ms: ${QueryParameters.OVER_LIMIT}.")
        return Answer(200, "", ms * NANOS_PER_MILLI, Content.Page)
    }

    private fun delayNanos(text: String, asked: QueryParameters): Long {
        asked.seed() // refuses a wrong one, even if the delay is not drawn
        if (delays.isMeant(text)) {
            val seconds = delays.read(text).quantile(asked.share(draws))
            // To a microsecond, so that the answer names exactly the delay that was waited for.
            return if (seconds * 1e9 >= longestNanos) longestNanos else (seconds.coerceAtLeast(0.0) * 1e6).toLong() * 1_000
        }
        val nanos = parseTime(text)
        if (nanos in 0..longestNanos) return nanos
        val isNegative = text.startsWith("-") && parseTime(text.drop(1)) != NOT_SECONDS
        val what = when {
            nanos != NOT_SECONDS -> "over the limit of ${limit.seconds} seconds: ${QueryParameters.OVER_LIMIT}"
            isNegative -> "negative: give seconds from 0 to ${limit.seconds}, such as delay=1.5"
            else -> "not a number: give seconds from 0 to ${limit.seconds}, such as delay=1.5"
        }
        throw BadRequest("delay=${quoted(text)} is $what.")
    }

    private fun notAnswered(method: HttpMethod, route: Route): Answer {
        // An answer to HEAD has no body: a client would read it as the next answer.
        val content = if (method == HttpMethod.HEAD) Content.Nothing else Content.Text
        val sentence = "${quoted(method.name())} is not answered here: use ${route.methods.joined("or") { it.name() }}."
        return Answer(405, sentence, content = content, headers = mapOf("allow" to route.methods.joinToString { it.name() }))
    }

    private companion object {
        const val NANOS_PER_MILLI = 1_000_000L
        const val DATETIME_BYTES = 256L // more than the time as JSON ever takes
        val JSON_BEGINS = setOf('{', '[')
        val BODILESS = setOf(204, 205, 304) // RFC 9110, 6.4.1 and 15.3.6
        val SINK = Answer(200, "", delayNanos = 0, Content.UploadReceipt)
        val OK = Answer(200, "ok")
        val NO_SOCKET = Answer(
            426,
            "${Route.SOCKET.prefix} opens a WebSocket: ask for one with upgrade: websocket, in HTTP/1.1.",
            headers = mapOf("upgrade" to "websocket"),
        )
        val INDEX = Answer(200, "", content = Content.Index)
        val VARIES = mapOf("vary" to "accept")
        val PAGE_HEADERS = VARIES + mapOf(
            // The page needs nothing from other servers, so the browser is told to load nothing from them.
            "content-security-policy" to
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; " +
                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        )
        val WHAT_THERE_IS = "this server has ${(Route.entries - Route.INDEX).joined("and") { it.shown }}"

        /** The headers that RFC 9110 wants beside a status. */
        fun headersOf(status: Int): Map<String, String> = when (status) {
            401 -> mapOf("www-authenticate" to "Basic realm=\"delay server\"")
            407 -> mapOf("proxy-authenticate" to "Basic realm=\"delay server\"")
            405 -> mapOf("allow" to "GET")
            429, 503 -> mapOf("retry-after" to "1")
            301, 302, 303, 307, 308 -> mapOf("location" to "/health")
            else -> emptyMap()
        }

        fun <T> List<T>.joined(word: String, name: (T) -> String): String =
            if (size == 1) name(single()) else dropLast(1).joinToString { name(it) } + " $word " + name(last())
    }
}

/** How the server describes itself at `/` and `/openapi.json`. */
internal interface Description {
    val page: String // HTML
    val text: String
    val openApi: String
}
