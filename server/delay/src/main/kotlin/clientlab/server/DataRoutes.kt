package clientlab.server

import io.netty.handler.codec.http.HttpMethod
import kotlin.time.Duration

/**
 * What is said to a request, decided when its head has been read and written when it is due.
 *
 * @property delayNanos how long the answer must be held, or [NO_DELAY] for whatever is not a good `/delay` request.
 */
internal class Answer(val status: Int, val text: String, val delayNanos: Long = NO_DELAY) {
    val isDelayed: Boolean get() = delayNanos != NO_DELAY
}

/** Marks an [Answer] that is given as soon as its turn comes, and is no measurement. */
internal const val NO_DELAY: Long = -1

/** The data port's paths; knows nothing of how requests travel, so that every protocol answers alike. */
internal class DataRoutes(maxDelay: Duration) {
    private val maxDelayNanos = maxDelay.inWholeNanoseconds
    private val maxDelayText = maxDelay.asSecondsText()
    private val overLimit = "is over the limit of $maxDelayText seconds: ask for less, or start the server with a larger --max-delay"

    fun answer(method: HttpMethod, target: String): Answer {
        val path = pathOf(target)
        return when {
            path != "/delay" && path != "/health" -> Answer(404, "There is no ${quoted(path)} here: $WHAT_THERE_IS.")
            method !in METHODS -> Answer(405, "${quoted(method.name())} is not answered here: use GET, POST or PUT.")
            path == "/health" -> Answer(200, "ok")
            else -> delayed(target)
        }
    }

    private fun delayed(target: String): Answer {
        val seconds = queryValue(target, "delay") ?: "0"
        val label = queryValue(target, "a")
        val nanos = parseSeconds(seconds)
        return when {
            nanos == NOT_SECONDS -> refused(seconds, notSeconds(seconds))
            nanos > maxDelayNanos -> refused(seconds, overLimit)
            label != null && label.length > MOST_LABEL -> Answer(400, "a is longer than $MOST_LABEL characters: shorten it.")
            else -> Answer(200, if (label == null) "delayed $seconds s" else "delayed $seconds s, a=$label", nanos)
        }
    }

    private fun notSeconds(text: String): String {
        val negative = text.startsWith("-") && parseSeconds(text.drop(1)) != NOT_SECONDS
        val what = if (negative) "negative" else "not a number"
        return "is $what: give seconds from 0 to $maxDelayText, such as delay=1.5"
    }

    private fun refused(seconds: String, why: String) = Answer(400, "delay=${quoted(seconds)} $why.")

    private companion object {
        const val MOST_LABEL = 64
        const val WHAT_THERE_IS = "this server has /delay?delay=<seconds>&a=<text> and /health"
        val METHODS = setOf(HttpMethod.GET, HttpMethod.POST, HttpMethod.PUT)
    }
}
