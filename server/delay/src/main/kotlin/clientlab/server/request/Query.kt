package clientlab.server.request

import io.netty.handler.codec.http.QueryStringDecoder
import java.math.BigDecimal
import kotlin.time.Duration

/** The path of a request target, in both forms that a server must take: `/path?query` and `http://host/path?query`. */
internal fun pathOf(target: String): String {
    val start = if (target.startsWith("http://")) target.indexOf('/', startIndex = "http://".length) else 0
    if (start < 0) return "/"
    val end = target.indexOf('?', start)
    return target.substring(start, if (end < 0) target.length else end)
}

/** The first value of query parameter [name], decoded, or null. It scans, because every request comes here and asks for few of them. */
internal fun queryValue(target: String, name: String): String? {
    val start = valueStart(target, name)
    return if (start < 0) null else decode(target.substring(start, valueEnd(target, start)))
}

/** The first value of query parameter [name] as a whole number from 0 on, or [NOT_WHOLE]; allocates nothing. */
internal fun queryNumber(target: String, name: String): Long {
    val start = valueStart(target, name)
    return if (start < 0) NOT_WHOLE else wholeNumber(target, start, valueEnd(target, start))
}

/** Whether the query holds no parameter but [one] and [other]; allocates nothing. */
internal fun hasOnly(target: String, one: String, other: String): Boolean {
    forEachName(target) { start, end -> if (!target.isAt(one, start, end) && !target.isAt(other, start, end)) return false }
    return true
}

/** Calls [block] with the place where each parameter's name begins and ends; an empty one, as between `&&`, is skipped. */
internal inline fun forEachName(target: String, block: (Int, Int) -> Unit) {
    var start = target.indexOf('?') + 1
    while (start in 1..target.length) {
        val next = valueEnd(target, start)
        val equals = target.indexOf('=', start)
        val end = if (equals in start until next) equals else next
        if (next > start) block(start, end)
        start = next + 1
    }
}

/** Whether the text from [start] to [end] is [name]. */
internal fun String.isAt(name: String, start: Int, end: Int): Boolean = end - start == name.length && startsWith(name, start)

/** The result of [wholeNumber] for a text that is not 1 to 18 digits. */
internal const val NOT_WHOLE: Long = -1

/** Reads digits and nothing else: no sign, no blanks. */
internal fun wholeNumber(text: String, start: Int = 0, end: Int = text.length): Long {
    if (end - start !in 1..18) return NOT_WHOLE
    var number = 0L
    for (i in start until end) {
        val digit = text[i] - '0'
        if (digit !in 0..9) return NOT_WHOLE
        number = number * 10 + digit
    }
    return number
}

/** The place where the value of [name] begins, or -1; a parameter without `=` has an empty value. */
private fun valueStart(target: String, name: String): Int {
    var start = target.indexOf('?') + 1
    while (start in 1..target.length) {
        val next = valueEnd(target, start)
        if (target.startsWith(name, start)) {
            val equals = start + name.length
            if (equals == next) return next
            if (equals < next && target[equals] == '=') return equals + 1
        }
        start = next + 1
    }
    return -1
}

internal fun valueEnd(target: String, start: Int): Int = target.indexOf('&', start).let { if (it < 0) target.length else it }

private fun decode(value: String): String {
    if ('%' !in value && '+' !in value) return value
    // A stray % is no failure: the text is taken as it came, and judged like any other.
    return runCatching { QueryStringDecoder.decodeComponent(value) }.getOrDefault(value)
}

/** A short copy of a client's own text without control characters, for a sentence that repeats it. */
internal fun quoted(text: String): String = text.take(40).map { if (it.isISOControl()) '?' else it }.joinToString("")

/** The result of [parseSeconds] for a text that is not digits with at most one point among them. */
internal const val NOT_SECONDS: Long = -1

private const val MOST_SECONDS = 1_000_000_000L // larger numbers are read as this one, which is over any limit
private const val NANOS_PER_SECOND = 1_000_000_000L

/**
 * Reads seconds such as `2`, `0.5` or `.25` as nanoseconds, or [NOT_SECONDS]. Fractions of a nanosecond are rounded up, so that no answer
 * comes early. Written by hand because the standard parser also takes `NaN`, `1e9`, `0x1p3`, `1f` and blanks, and could round down.
 */
internal fun parseSeconds(text: String): Long {
    var seconds = 0L
    var nanos = 0L
    var unit = NANOS_PER_SECOND
    var remainder = false
    var digits = 0
    var point = false
    for (char in text) {
        if (char == '.' && !point) {
            point = true
            continue
        }
        if (char !in '0'..'9') return NOT_SECONDS
        val digit = char - '0'
        digits++
        if (!point) {
            seconds = minOf(seconds * 10 + digit, MOST_SECONDS)
        } else if (unit > 1) {
            unit /= 10
            nanos += digit * unit
        } else if (digit > 0) {
            remainder = true
        }
    }
    if (digits == 0) return NOT_SECONDS
    return seconds * NANOS_PER_SECOND + nanos + if (remainder) 1 else 0
}

/** Seconds without a trailing `.0`, as a person would write them. */
internal fun Duration.asSecondsText(): String = secondsText(inWholeNanoseconds)

internal fun secondsText(nanos: Long): String = BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString()

/** Reads seconds, or a time with its unit such as `100ms`, `1.5s` or `250us`, as [parseSeconds] does. */
internal fun parseTime(text: String): Long {
    val (digits, divisor) = when {
        text.endsWith("ms") -> text.dropLast(2) to 1_000L
        text.endsWith("us") -> text.dropLast(2) to 1_000_000L
        text.endsWith("s") -> text.dropLast(1) to 1L
        else -> text to 1L
    }
    val nanos = parseSeconds(digits)
    return if (nanos == NOT_SECONDS) NOT_SECONDS else Math.ceilDiv(nanos, divisor)
}
