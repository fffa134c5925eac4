package clientlab.server.answer

import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.util.AsciiString
import java.io.ByteArrayOutputStream
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.util.zip.GZIPOutputStream

/** The body of an answer, which can be read in pieces; the same for every protocol. */
internal sealed interface Body {
    val length: Long

    /** At most [most] bytes from place [from] on, in a buffer that is released when the caller writes it. */
    fun piece(from: Long, most: Int): ByteBuf

    class Of(private val bytes: ByteArray) : Body {
        override val length: Long get() = bytes.size.toLong()

        override fun piece(from: Long, most: Int): ByteBuf =
            Unpooled.wrappedBuffer(bytes, from.toInt(), minOf(most.toLong(), length - from).toInt())
    }

    /** The repeated [BytePattern]; only a block with an altered byte is copied. */
    class Repeated(private val bytes: Content.Bytes) : Body {
        override val length: Long get() = bytes.length

        override fun piece(from: Long, most: Int): ByteBuf {
            val start = (from % BytePattern.BYTES).toInt()
            val size = minOf(most.toLong(), length - from, (BytePattern.BYTES - start).toLong()).toInt()
            val flipAt = bytes.flipAt - from
            return if (flipAt in 0 until size) BytePattern.flipped(start, size, flipAt.toInt()) else BytePattern.part(start, size)
        }
    }

    /** The events of a stream, each with its number as its id; made when they are due, so that a stream keeps none of them. */
    class Stream(private val events: Content.Stream) : Body {
        override val length: Long get() = events.size * events.count

        override fun piece(from: Long, most: Int): ByteBuf {
            val room = minOf(most.toLong(), length - from).toInt()
            // Whole events, so that each is a message of its own.
            val bytes = ByteArray(if (room > events.size) room - room % events.size else room)
            var filled = 0
            while (filled < bytes.size) {
                val place = from + filled
                val start = (place % events.size).toInt()
                val end = minOf(events.size, start + bytes.size - filled)
                event(place / events.size).copyInto(bytes, filled, start, end)
                filled += end - start
            }
            return Unpooled.wrappedBuffer(bytes)
        }

        private fun event(number: Long): ByteArray {
            val opening = "id: ${number.toString().padStart(ID_DIGITS, '0')}\ndata: "
            return opening.padEnd(events.size - END.length, 'x').plus(END).encodeToByteArray()
        }

        companion object {
            private const val ID_DIGITS = 10
            private const val END = "\n\n"

            /** The size of an event without a text. */
            const val LEAST_BYTES: Int = 23
        }
    }
}

internal fun bodyOf(answer: Answer): Body {
    val content = answer.content
    return when {
        content is Content.Stream -> Body.Stream(content)
        content is Content.Bytes && !answer.behaviour.isGzipped -> Body.Repeated(content)
        else -> Body.Of(wholeBody(answer))
    }
}

/** The body of [answer] as one array. A body of `/bytes` is given in one piece only if it is compressed, because then it is small. */
internal fun wholeBody(answer: Answer): ByteArray {
    val bytes = when (val content = answer.content) {
        Content.DateTime -> (dateTimeJson() + '\n').encodeToByteArray()
        Content.Page -> CRAWL_PAGE
        Content.Nothing -> NOTHING
        is Content.Bytes -> BytePattern.copy(content)
        else -> (answer.text + '\n').encodeToByteArray()
    }
    return if (answer.behaviour.isGzipped) gzipped(bytes) else bytes
}

private fun gzipped(bytes: ByteArray): ByteArray =
    ByteArrayOutputStream().also { out -> GZIPOutputStream(out).use { it.write(bytes) } }.toByteArray()

private val NOTHING = ByteArray(0)

/** The page that the tasks of source 002 fetch; encoded once, because clients ask for thousands per second. */
private val CRAWL_PAGE: ByteArray = buildString {
    append("<!DOCTYPE html>\n<html><head><title>100 links</title></head><body>\n")
    for (i in 1..100) append("<a href=\"crawl/delay/$i\">crawl/delay/$i</a>\n")
    append("</body></html>\n")
}.encodeToByteArray()

/** The time now, as the JSON that source 004 decodes: a zone, an ISO 8601 time in it, and the parts of both. */
private fun dateTimeJson(): String {
    val now = Instant.now()
    val utc = now.atOffset(ZoneOffset.UTC)
    val text = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(utc)
    return """{"datetime":"$text","zone":"UTC","offsetSeconds":0,"date":"${utc.toLocalDate()}","dayOfWeek":"${utc.dayOfWeek}",""" +
        """"dayOfYear":${utc.dayOfYear},"epochMillis":${now.toEpochMilli()}}"""
}

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
