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

    /** [connection] is what the header of that name says, or null to leave it out. */
    fun encode(answer: Answer, connection: String?, allocator: ByteBufAllocator): ByteBuf {
        val body = (answer.text + '\n').encodeToByteArray()
        val head = heads.getOrPut(answer.status) { head(answer.status) }
        val buffer = allocator.buffer(head.size + date().size + body.size + SPARE)
        buffer.writeBytes(head).writeBytes(date)
        if (connection != null) buffer.writeBytes("connection: $connection\r\n".encodeToByteArray())
        return buffer.writeBytes("content-length: ${body.size}\r\n\r\n".encodeToByteArray()).writeBytes(body)
    }

    private fun head(status: Int): ByteArray =
        "HTTP/1.1 ${HttpResponseStatus.valueOf(status)}\r\ncontent-type: text/plain; charset=utf-8\r\n".encodeToByteArray()

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
        /** Room for the connection and length headers. */
        const val SPARE = 64
    }
}
