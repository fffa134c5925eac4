package clientlab.server.answer

import io.netty.util.AsciiString
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter

/** The value of the date header, formatted once per second. Not thread-safe: one event loop has one. */
internal class HttpDate {
    private var second = Long.MIN_VALUE
    private var text = AsciiString.EMPTY_STRING

    fun now(): AsciiString {
        val now = Math.floorDiv(System.currentTimeMillis(), 1_000L)
        if (now != second) {
            second = now
            text = AsciiString(DateTimeFormatter.RFC_1123_DATE_TIME.format(Instant.ofEpochSecond(now).atOffset(ZoneOffset.UTC)))
        }
        return text
    }
}
