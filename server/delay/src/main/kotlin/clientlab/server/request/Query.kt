package clientlab.server.request

import io.netty.handler.codec.http.QueryStringDecoder

/** The path of a request target, in both forms that a server must take: `/path?query` and `http://host/path?query`. */
internal fun pathOf(target: String): String {
    val start = if (target.startsWith("http://")) target.indexOf('/', startIndex = "http://".length) else 0
    if (start < 0) return "/"
    val end = target.indexOf('?', start)
    return target.substring(start, if (end < 0) target.length else end)
}

/**
 * The first value of query parameter [name] in a request target, decoded, or null if it is missing.
 *
 * It scans instead of building a map, because every request comes here and few parameters are asked for.
 */
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
    forEachName(target) { start, end ->
        if (!target.isAt(one, start, end) && !target.isAt(other, start, end)) return false
    }
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

private fun decode(value: String): String =
    if ('%' !in value && '+' !in value) {
        value
    } else {
        // A stray % is no failure: the text is taken as it came, and judged like any other.
        runCatching { QueryStringDecoder.decodeComponent(value) }.getOrDefault(value)
    }

/** A short copy of a client's own text without control characters, for a sentence that repeats it. */
internal fun quoted(text: String): String = text.take(40).map { if (it.isISOControl()) '?' else it }.joinToString("")
