package clientlab.server.request

import kotlin.time.Duration

/** The result of [parseSeconds] for a text that is not digits with at most one point among them. */
internal const val NOT_SECONDS: Long = -1

/** Larger numbers of whole seconds are read as this one, which is over any limit. */
private const val MOST_SECONDS = 1_000_000_000L

private const val NANOS_PER_SECOND = 1_000_000_000L

/**
 * Reads seconds such as `2`, `0.5` or `.25` as nanoseconds, or [NOT_SECONDS].
 *
 * Written by hand because the standard parser also takes `NaN`, `1e9`, `0x1p3`, `1f` and surrounding blanks, and because a
 * binary fraction could round down. Fractions of a nanosecond are rounded up, so that no answer comes early.
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
        } else if (char in '0'..'9') {
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
        } else {
            return NOT_SECONDS
        }
    }
    if (digits == 0) return NOT_SECONDS
    return seconds * NANOS_PER_SECOND + nanos + if (remainder) 1 else 0
}

/** Seconds without a trailing `.0`, as a person would write them. */
internal fun Duration.asSecondsText(): String = secondsText(inWholeNanoseconds)

internal fun secondsText(nanos: Long): String = nanos
    .toBigDecimal()
    .movePointLeft(9)
    .stripTrailingZeros()
    .toPlainString()

/**
 * Reads seconds, or a time with its unit such as `100ms`, `1.5s` or `250us`, as nanoseconds, or [NOT_SECONDS]; rounds up like
 * [parseSeconds].
 */
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
