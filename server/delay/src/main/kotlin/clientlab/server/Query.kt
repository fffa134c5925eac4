package clientlab.server

import io.netty.handler.codec.http.QueryStringDecoder

/** The path of a request target, in either of the forms a server must take: `/path?query` and `http://host/path?query`. */
internal fun pathOf(target: String): String {
    val start = if (target.startsWith("http://")) target.indexOf('/', startIndex = "http://".length) else 0
    if (start < 0) return "/"
    val end = target.indexOf('?', start)
    return target.substring(start, if (end < 0) target.length else end)
}

/**
 * The first value of query parameter [name] in a request target, decoded, or null where it is not there.
 *
 * A scan instead of a map of all parameters: it is on the path of every request, and two of them are asked for.
 */
internal fun queryValue(target: String, name: String): String? {
    var start = target.indexOf('?') + 1
    while (start in 1..target.length) {
        val next = target.indexOf('&', start).let { if (it < 0) target.length else it }
        if (target.startsWith(name, start)) {
            val equals = start + name.length
            if (equals == next) return ""
            if (target[equals] == '=' && equals < next) return decode(target.substring(equals + 1, next))
        }
        start = next + 1
    }
    return null
}

private fun decode(value: String): String =
    if ('%' !in value && '+' !in value) {
        value
    } else {
        // A stray % is no reason to fail: the text then stands as it came, and is judged like any other.
        runCatching { QueryStringDecoder.decodeComponent(value) }.getOrDefault(value)
    }

/** What a sentence may repeat of a reader's own text: short, and without control characters. */
internal fun quoted(text: String): String = text.take(40).map { if (it.isISOControl()) '?' else it }.joinToString("")
