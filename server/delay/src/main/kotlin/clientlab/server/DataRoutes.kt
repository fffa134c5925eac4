package clientlab.server

import io.netty.handler.codec.http.HttpMethod
import kotlin.time.Duration

/** The data port's paths; knows nothing of how requests travel, so that every protocol answers alike. */
internal class DataRoutes(maxDelay: Duration) {
    private val maxDelayNanos = maxDelay.inWholeNanoseconds

    /** The longest that anything is held, a stall too. */
    val longestNanos: Long get() = maxDelayNanos
    private val maxDelayText = maxDelay.asSecondsText()
    private val overLimit = "ask for less, or start the server with a larger --max-delay"

    fun answer(method: HttpMethod, target: String): Answer {
        val path = pathOf(target)
        val route = routeOf(path) ?: return Answer(404, "There is no ${quoted(path)} here: $WHAT_THERE_IS.")
        return when {
            method !in route.methods -> notAnswered(method, route)
            route == Route.DELAY -> delayed(target, Content.Text)
            route == Route.DATETIME -> delayed(target, Content.DateTime)
            route == Route.CRAWL -> crawled(path.substring(CRAWL.length))
            route == Route.BYTES -> octets(path.substring(BYTES.length), target)
            route == Route.SINK -> Answer(200, "", delayNanos = 0, Content.Sunk)
            route == Route.INDEX -> Answer(200, INDEX)
            else -> Answer(200, "ok")
        }
    }

    private fun routeOf(path: String): Route? = when (path) {
        "/delay" -> Route.DELAY

        "/datetime" -> Route.DATETIME

        "/sink" -> Route.SINK

        "/health" -> Route.HEALTH

        "/" -> Route.INDEX

        else -> when {
            path.startsWith(CRAWL) -> Route.CRAWL
            path.startsWith(BYTES) -> Route.BYTES
            else -> null
        }
    }

    private fun notAnswered(method: HttpMethod, route: Route): Answer {
        // An answer to HEAD has no body: what stood there would be read as the next answer.
        val content = if (method == HttpMethod.HEAD) Content.Nothing else Content.Text
        return Answer(
            405,
            "${quoted(method.name())} is not answered here: use ${route.methods.joined("or") { it.name() }}.",
            content = content,
        )
    }

    private fun delayed(target: String, content: Content): Answer {
        val seconds = queryValue(target, "delay") ?: "0"
        val label = queryValue(target, "a")
        val nanos = parseSeconds(seconds)
        return when {
            nanos == NOT_SECONDS -> refused(seconds, notSeconds(seconds))
            nanos > maxDelayNanos -> refused(seconds, "is over the limit of $maxDelayText seconds: $overLimit")
            label != null && label.length > MOST_LABEL -> Answer(400, "a is longer than $MOST_LABEL characters: shorten it.")
            else -> Answer(200, if (label == null) "delayed $seconds s" else "delayed $seconds s, a=$label", nanos, content)
        }
    }

    private fun crawled(text: String): Answer {
        val most = maxDelayNanos / NANOS_PER_MILLI
        val ms = wholeNumber(text)
        return when {
            ms == NOT_WHOLE -> Answer(
                400,
                "$CRAWL${quoted(text)} is not a whole number of milliseconds: give 0 to $most, such as ${CRAWL}5.",
            )

            ms > most -> Answer(400, "$CRAWL${quoted(text)} is over the limit of $most ms: $overLimit.")

            else -> Answer(200, "", ms * NANOS_PER_MILLI, Content.Page)
        }
    }

    private fun octets(text: String, target: String): Answer {
        val length = wholeNumber(text)
        if (length !in 0..MOST_OCTETS) {
            return Answer(
                400,
                "$BYTES${quoted(text)} cannot be sent: give a whole number of bytes from 0 to $MOST_OCTETS, such as ${BYTES}1048576.",
            )
        }
        val cut = queryValue(target, "cut")
        val stopAt = if (cut == null) length else wholeNumber(cut)
        val flip = queryValue(target, "flip") ?: "0"
        return when {
            stopAt !in 0..length -> Answer(
                400,
                "cut=${quoted(cut.orEmpty())} cannot be: give a whole number of bytes from 0 to $length, or leave it out.",
            )

            flip != "0" && (flip != "1" || length == 0L) -> Answer(
                400,
                "flip=${quoted(flip)} cannot be: give flip=1 with at least one byte, or leave it out.",
            )

            else -> Answer(200, "", delayNanos = 0, Content.Octets(length, if (flip == "1") length / 2 else -1), cutAt(stopAt, length))
        }
    }

    private fun cutAt(stopAt: Long, length: Long): Manner =
        if (stopAt == length) Manner.PLAIN else Manner(fault = Fault.CLOSE, faultAt = stopAt)

    private fun notSeconds(text: String): String {
        val negative = text.startsWith("-") && parseSeconds(text.drop(1)) != NOT_SECONDS
        val what = if (negative) "negative" else "not a number"
        return "is $what: give seconds from 0 to $maxDelayText, such as delay=1.5"
    }

    private fun refused(seconds: String, why: String) = Answer(400, "delay=${quoted(seconds)} $why.")

    private enum class Route(val shown: String, vararg methods: HttpMethod) {
        DELAY("/delay?delay=<seconds>&a=<text>", HttpMethod.GET, HttpMethod.POST, HttpMethod.PUT),
        DATETIME("/datetime?delay=<seconds>", HttpMethod.GET),
        CRAWL("/v1/crawl/delay/<ms>", HttpMethod.GET),
        BYTES("/bytes/<n>", HttpMethod.GET),
        SINK("/sink", HttpMethod.POST, HttpMethod.PUT),
        HEALTH("/health", HttpMethod.GET, HttpMethod.POST, HttpMethod.PUT),
        INDEX("/", HttpMethod.GET),
        ;

        val methods: List<HttpMethod> = methods.asList()
    }

    private companion object {
        const val MOST_LABEL = 64
        const val MOST_OCTETS = 2_147_483_648
        const val CRAWL = "/v1/crawl/delay/"
        const val BYTES = "/bytes/"
        const val NANOS_PER_MILLI = 1_000_000L
        val WHAT_THERE_IS = "this server has ${Route.entries.filter { it != Route.INDEX }.joined("and") { it.shown }}"

        fun <T> List<T>.joined(word: String, name: (T) -> String): String =
            if (size == 1) name(single()) else dropLast(1).joinToString { name(it) } + " $word " + name(last())
    }
}
