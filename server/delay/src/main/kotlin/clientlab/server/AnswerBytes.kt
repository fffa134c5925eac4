package clientlab.server

import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufAllocator
import io.netty.handler.codec.http.HttpResponseStatus
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter

/**
 * Writes HTTP/1 answers as bytes, past Netty's encoder and its header maps: the answer has three headers and one shape.
 *
 * Not thread-safe: one event loop has one.
 */
internal class AnswerBytes {
    private val heads = HashMap<Int, ByteArray>()
    private var dateSecond = Long.MIN_VALUE
    private var date = ByteArray(0)

    /** How long the body of the last answer encoded was. */
    var bodyBytes: Int = 0
        private set

    /** [connection] is what the header of that name says, or null to leave it out. */
    fun encode(answer: Answer, connection: String?, allocator: ByteBufAllocator): ByteBuf {
        val body = body(answer)
        bodyBytes = body.size
        val buffer = start(answer, connection, allocator, body.size)
        return buffer.writeBytes("content-length: ${body.size}\r\n\r\n".encodeToByteArray()).writeBytes(body)
    }

    /** The head of an answer whose body is written block by block behind it. */
    fun encodeHead(answer: Answer, octets: Content.Octets, connection: String?, allocator: ByteBufAllocator): ByteBuf {
        val crc = OctetBlock.crc32(octets.length).toString(16).padStart(8, '0')
        val buffer = start(answer, connection, allocator, 0)
        return buffer.writeBytes("content-length: ${octets.length}\r\nx-crc32: $crc\r\n\r\n".encodeToByteArray())
    }

    private fun start(answer: Answer, connection: String?, allocator: ByteBufAllocator, bodyBytes: Int): ByteBuf {
        val head = heads.getOrPut(answer.status * 10 + answer.content.key) { head(answer) }
        val buffer = allocator.buffer(head.size + date().size + bodyBytes + SPARE)
        buffer.writeBytes(head).writeBytes(date)
        if (connection != null) buffer.writeBytes("connection: $connection\r\n".encodeToByteArray())
        return buffer
    }

    private fun body(answer: Answer): ByteArray = when (answer.content) {
        Content.DateTime -> (dateTimeJson() + '\n').encodeToByteArray()
        Content.Page -> CRAWL_PAGE
        Content.Nothing -> NOTHING
        else -> (answer.text + '\n').encodeToByteArray()
    }

    private fun head(answer: Answer): ByteArray {
        val type = answer.content.type
            ?.let { "content-type: $it\r\n" }
            .orEmpty()
        return "HTTP/1.1 ${HttpResponseStatus.valueOf(answer.status)}\r\n$type".encodeToByteArray()
    }

    /** The date header, made anew once a second. */
    private fun date(): ByteArray {
        val second = Math.floorDiv(System.currentTimeMillis(), 1_000L)
        if (second != dateSecond) {
            dateSecond = second
            val text = DateTimeFormatter.RFC_1123_DATE_TIME.format(Instant.ofEpochSecond(second).atOffset(ZoneOffset.UTC))
            date = "date: $text\r\n".encodeToByteArray()
        }
        return date
    }

    private companion object {
        val NOTHING = ByteArray(0)

        /** Room for the connection, length and checksum headers. */
        const val SPARE = 96
    }
}
