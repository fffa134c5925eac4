package clientlab.server.request

import clientlab.server.answer.*
import kotlin.time.Duration

/** What a request asks for beyond a plain delay. Constructor and methods throw [BadRequest] if that is impossible. */
internal class QueryParameters(private val target: String, route: Route, private val limit: DelayLimit) {
    val label: String? = queryValue(target, Parameter.LABEL.key)

    init {
        if (label != null && label.length > MOST_LABEL && label.codePointCount(0, label.length) > MOST_LABEL) {
            throw BadRequest("a is longer than $MOST_LABEL characters: shorten it.")
        }
        // A misspelt parameter would otherwise measure something else, and nobody would notice.
        val known = route.parameters.orEmpty()
        forEachName(target) { start, end ->
            if (known.none { target.isAt(it.key, start, end) }) {
                val name = quoted(target.substring(start, end))
                throw BadRequest("$name is no parameter of ${route.shown}: it takes ${known.joinToString { it.key }}.")
            }
        }
    }

    fun seed(): Long? = whole(Parameter.SEED)

    /** The random number for this request's delay, between 0 and 1. */
    fun share(draws: RandomDraws): Double {
        val seed = seed() ?: return draws.any()
        val number = queryNumber(target, Parameter.LABEL.key)
        if (number != NOT_WHOLE) return draws.seeded(seed, number)
        throw BadRequest("seed needs a number in a, which says which draw of its sequence is meant: give one such as a=1.")
    }

    fun status(): Int = whole(Parameter.STATUS)?.toInt() ?: 200

    fun flips(): Boolean = switch(Parameter.FLIP)

    /** How the answer is given; its body has [length] bytes, or at most that many if [isExact] is false. */
    fun behaviour(length: Long, isExact: Boolean): ResponseBehaviour {
        val isGzipped = switch(Parameter.GZIP)
        if (isGzipped && length > MOST_GZIPPED) {
            throw BadRequest("gzip=1 compresses at most $MOST_GZIPPED bytes, and this body has $length: ask for fewer, or leave it out.")
        }
        val bodyDelay = time(Parameter.BODY_DELAY) ?: 0
        val pace = pace(if (isGzipped) length + GZIP_MORE else length)
        val asked = fault()
        val closes = switch(Parameter.CLOSE)
        val askedAt = faultAt(asked, length, isExact)
        val cut = cut(asked, length)
        val fault = if (cut != null && cut < length) Fault.CLOSE else asked
        if (bodyDelay == 0L && pace === Pace.FULL && fault == Fault.NONE && !closes && !isGzipped) return ResponseBehaviour.PLAIN
        val faultAt = if (fault == Fault.NONE) ResponseBehaviour.BEFORE else cut ?: askedAt
        return ResponseBehaviour(bodyDelay, pace, fault, faultAt, closes, isGzipped)
    }

    /** The pieces of a stream, and how fast they come. A stream ends within the longest delay. */
    fun pieces(): Pieces {
        val every = time(Parameter.EVERY) ?: NANOS_PER_SECOND
        val size = whole(Parameter.SIZE)?.toInt() ?: EVENT_BYTES
        val most = if (every == 0L) MAX_BYTES / size else 1 + limit.nanos / every
        val count = whole(Parameter.EVENTS) ?: most
        if (count <= most) return Pieces(size, count, Pace.pieces(size, every))
        if (every == 0L) throw BadRequest("events=$count of $size bytes are more than $MAX_BYTES bytes: give at most $most.")
        throw BadRequest(
            "events=$count would take longer than the limit of ${limit.seconds} seconds: give at most $most, or a shorter every.",
        )
    }

    private fun cut(fault: Fault, length: Long): Long? {
        val cut = whole(Parameter.CUT) ?: return null
        if (fault != Fault.NONE) throw BadRequest("cut=$cut is fault=close&at=$cut: give one of the two.")
        if (cut > length) throw BadRequest("cut=$cut cannot be: give a whole number of bytes from 0 to $length, or leave it out.")
        return cut
    }

    private fun pace(length: Long): Pace {
        val rate = whole(Parameter.RATE)
        val byTime = Pace.over(time(Parameter.OVER) ?: 0)
        val byRate = if (rate != null) Pace.rate(rate) else Pace.FULL
        val pace = if (byRate.nanosFor(length, length) > byTime.nanosFor(length, length)) byRate else byTime
        if (pace.nanosFor(length, length) > limit.nanos) {
            val what = "rate=$rate would take longer for $length bytes than the limit of ${limit.seconds} seconds"
            throw BadRequest("$what: $OVER_LIMIT, or give a higher rate.")
        }
        return pace
    }

    private fun fault(): Fault {
        val text = queryValue(target, Parameter.FAULT.key) ?: return Fault.NONE
        val words = (Parameter.FAULT.values as Values.Word).words
        if (text !in words) throw unusable(Parameter.FAULT, text, "close, reset or stall")
        return Fault.valueOf(text.uppercase())
    }

    private fun faultAt(fault: Fault, length: Long, isExact: Boolean): Long {
        val text = queryValue(target, Parameter.AT.key) ?: return ResponseBehaviour.BEFORE
        if (fault == Fault.NONE) {
            throw BadRequest("at=${quoted(text)} says where a fault comes, and there is none: give fault=close, reset or stall too.")
        }
        val bytes = wholeNumber(text)
        val isAfter = text == "after" || (isExact && bytes == length)
        return when {
            text == "before" -> ResponseBehaviour.BEFORE
            text == "half" -> ResponseBehaviour.HALFWAY
            isAfter && fault == Fault.STALL -> throw BadRequest("fault=stall cannot come after the answer: give at=before or at=half.")
            isAfter -> ResponseBehaviour.AFTER
            isExact && bytes in 0..<length -> bytes
            isExact -> throw unusable(Parameter.AT, text, "before, half, after or a number of bytes from 0 to $length")
            else -> throw unusable(Parameter.AT, text, "before, half or after")
        }
    }

    private fun whole(parameter: Parameter): Long? {
        val text = queryValue(target, parameter.key) ?: return null
        val range = (parameter.values as Values.Whole).range
        return wholeNumber(text).takeIf { it in range }
            ?: throw unusable(parameter, text, "a whole number from ${range.first} to ${range.last}")
    }

    private fun time(parameter: Parameter): Long? {
        val text = queryValue(target, parameter.key) ?: return null
        return parseTime(text).takeIf { it in 0..limit.nanos }
            ?: throw unusable(parameter, text, "seconds from 0 to ${limit.seconds}, such as ${parameter.tried} or 500ms")
    }

    private fun switch(parameter: Parameter): Boolean = when (val text = queryValue(target, parameter.key)) {
        null, "0" -> false
        "1" -> true
        else -> throw unusable(parameter, text, "1")
    }

    private fun unusable(parameter: Parameter, text: String, wanted: String) =
        BadRequest("${parameter.key}=${quoted(text)} cannot be: give $wanted, or leave it out.")

    internal companion object {
        private const val NANOS_PER_SECOND = 1_000_000_000L
        private const val EVENT_BYTES = 64
        private const val GZIP_MORE = 64L // the most bytes by which gzip lengthens a body that it cannot shorten
        const val OVER_LIMIT: String = "ask for less, or start the server with a larger --max-delay"
    }
}

internal class DelayLimit(longest: Duration) {
    val nanos: Long = longest.inWholeNanoseconds // that anything may take
    val seconds: String = longest.asSecondsText() // as a sentence shows it
}

/** The size and the number of a stream's pieces, and how fast they come. */
internal class Pieces(val size: Int, val count: Long, val pace: Pace)

/** A request asks for something impossible; [message] is the sentence that answers it. No stack trace, because nothing failed here. */
internal class BadRequest(override val message: String) : RuntimeException(message, null, false, false)
