package clientlab.server

import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufAllocator
import io.netty.handler.codec.http.HttpResponseStatus

/**
 * Writes HTTP/1 answers as bytes, past Netty's encoder and its header maps: most answers have three headers and one shape.
 *
 * Not thread-safe: one event loop has one.
 */
internal class AnswerBytes {
    private val heads = HashMap<Int, ByteArray>()
    private val clock = HttpDate()
    private var dateText = clock.now()
    private var date = dateLine()

    /** How long the body of the last answer encoded was. */
    var bodyBytes: Int = 0
        private set

    /** [connection] is what the header of that name says, or null to leave it out. */
    fun encode(answer: Answer, connection: String?, allocator: ByteBufAllocator): ByteBuf {
        val body = wholeBody(answer)
        bodyBytes = body.size
        return start(answer, connection, body.size.toLong(), allocator, body.size).writeBytes(body)
    }

    /** The head of an answer whose body of [length] bytes is written piece by piece behind it. */
    fun encodeHead(answer: Answer, length: Long, connection: String?, allocator: ByteBufAllocator): ByteBuf =
        start(answer, connection, length, allocator, 0)

    private fun start(answer: Answer, connection: String?, length: Long, allocator: ByteBufAllocator, room: Int): ByteBuf {
        val head = heads.getOrPut(answer.status * 10 + answer.content.key) { head(answer) }
        val buffer = allocator.buffer(head.size + date().size + room + SPARE)
        buffer.writeBytes(head).writeBytes(date)
        if (connection != null) buffer.writeBytes("connection: $connection\r\n".encodeToByteArray())
        val octets = answer.content
        if (octets is Content.Octets) buffer.writeBytes("x-crc32: ${octets.crc32()}\r\n".encodeToByteArray())
        if (answer.manner.isGzipped) buffer.writeBytes(GZIPPED)
        answer.headers.forEach { (name, value) -> buffer.writeBytes("$name: $value\r\n".encodeToByteArray()) }
        return buffer.writeBytes((if (answer.hasLength) "content-length: $length\r\n\r\n" else "\r\n").encodeToByteArray())
    }

    private fun head(answer: Answer): ByteArray {
        val type = answer.content.type
            ?.let { "content-type: $it\r\n" }
            .orEmpty()
        return "HTTP/1.1 ${HttpResponseStatus.valueOf(answer.status)}\r\n$type".encodeToByteArray()
    }

    /** The date header, made anew once a second. */
    private fun date(): ByteArray {
        val text = clock.now()
        if (text !== dateText) {
            dateText = text
            date = dateLine()
        }
        return date
    }

    private fun dateLine(): ByteArray = "date: $dateText\r\n".encodeToByteArray()

    private companion object {
        val GZIPPED = "content-encoding: gzip\r\n".encodeToByteArray()

        /** Room for the headers that are not in every answer. */
        const val SPARE = 128
    }
}
