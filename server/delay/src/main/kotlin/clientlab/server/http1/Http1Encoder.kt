package clientlab.server.http1

import clientlab.server.answer.*
import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufAllocator
import io.netty.handler.codec.http.HttpResponseStatus

/**
 * Writes HTTP/1 answers as bytes, without Netty's encoder and its header maps, because most answers have the same three headers. Each is
 * assembled in an array, because writing to a direct buffer in small pieces is slow. Not thread-safe: one event loop has one.
 */
internal class Http1Encoder {
    private val clock = HttpDate()
    private var dateText = clock.now()
    private val openings = HashMap<Int, ByteArray>()

    // Of the last answer: the next nearly always has the same.
    private var opening = ByteArray(0)
    private var openingKey = NO_KEY

    private var piece = ByteArray(LEAST_ROOM)
    private var filled = 0

    /** The head of an answer whose [body] has [length] bytes, and the body unless that is null; [connection] is a header, null for none. */
    fun encode(
        answer: Answer,
        length: Long,
        body: ByteArray?,
        connection: String?,
        allocator: ByteBufAllocator,
        isChunked: Boolean = false,
    ): ByteBuf {
        putHead(answer, length, connection, isChunked)
        if (body != null) put(body)
        val buffer = allocator.buffer(filled).writeBytes(piece, 0, filled)
        filled = 0
        if (piece.size > MOST_ROOM) piece = ByteArray(LEAST_ROOM)
        return buffer
    }

    private fun putHead(answer: Answer, length: Long, connection: String?, isChunked: Boolean) {
        put(openingOf(answer))
        if (connection != null) put("connection: $connection\r\n")
        val bytes = answer.content
        if (bytes is Content.Bytes) put("x-crc32: ${bytes.crc32()}\r\n")
        if (answer.behaviour.isGzipped) put("content-encoding: gzip\r\n")
        if (answer.headers.isNotEmpty()) answer.headers.forEach { (name, value) -> put("$name: $value\r\n") }
        if (isChunked) put("transfer-encoding: chunked\r\n")
        if (answer.hasLength) {
            put(LENGTH)
            put(length.toString())
            put(LINE_END)
        }
        put(LINE_END)
    }

    /** Status line, type and date; kept for one second. */
    private fun openingOf(answer: Answer): ByteArray {
        val now = clock.now()
        if (now !== dateText) {
            dateText = now
            openings.clear()
            openingKey = NO_KEY
        }
        val key = answer.status * CONTENTS + answer.content.key
        if (key != openingKey) {
            opening = openings.getOrPut(key) { opening(answer) }
            openingKey = key
        }
        return opening
    }

    private fun opening(answer: Answer): ByteArray {
        val type = answer.content.type
        val typeLine = if (type == null) "" else "content-type: $type\r\n"
        return "HTTP/1.1 ${HttpResponseStatus.valueOf(answer.status)}\r\n${typeLine}date: $dateText\r\n".encodeToByteArray()
    }

    private fun put(text: String) = put(text.encodeToByteArray())

    private fun put(bytes: ByteArray) {
        val end = filled + bytes.size
        if (end > piece.size) piece = piece.copyOf(maxOf(end, 2 * piece.size))
        bytes.copyInto(piece, filled)
        filled = end
    }

    private companion object {
        val LENGTH = "content-length: ".encodeToByteArray()
        val LINE_END = "\r\n".encodeToByteArray()
        const val CONTENTS = 10 // more than the largest key of a content
        const val NO_KEY = -1
        const val LEAST_ROOM = 512
        const val MOST_ROOM = 65_536 // a larger array, for a long answer, is not kept
    }
}
