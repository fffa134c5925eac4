package clientlab.server

import io.netty.buffer.Unpooled
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder
import java.io.ByteArrayOutputStream
import java.io.DataInputStream
import java.io.IOException
import java.net.Socket
import java.net.SocketTimeoutException

/**
 * A connection that speaks HTTP/2 frame by frame, with or without right (RFC 9113), so that a test can send what no client would.
 *
 * It begins with the preface and empty settings. Frames are buffered until [flush], or until something is read.
 */
class RawHttp2(port: Int, settings: ByteArray = ByteArray(0)) : AutoCloseable {
    private val socket = Socket("127.0.0.1", port).apply { soTimeout = 20_000 }
    private val out = socket.getOutputStream().buffered(65_536)
    private val input = DataInputStream(socket.getInputStream().buffered())
    private val heads = DefaultHttp2HeadersDecoder(false)
    private val answers = LinkedHashMap<Int, Answered>()

    init {
        bytes(PREFACE.encodeToByteArray()).frame(SETTINGS, payload = settings)
    }

    fun bytes(raw: ByteArray): RawHttp2 = apply { whileOpen { out.write(raw) } }

    fun frame(type: Int, flags: Int = 0, stream: Int = 0, payload: ByteArray = ByteArray(0)): RawHttp2 = apply {
        val size = payload.size
        val head = byteArrayOf((size shr 16).toByte(), (size shr 8).toByte(), size.toByte(), type.toByte(), flags.toByte())
        whileOpen { out.write(head + int(stream) + payload) }
    }

    /** The head of a request, and its end where [isEnd]. */
    fun request(
        stream: Int,
        path: String,
        method: String = "GET",
        isEnd: Boolean = true,
        vararg headers: Pair<String, String>,
    ): RawHttp2 {
        val fields = listOf(":method" to method, ":scheme" to "http", ":path" to path, ":authority" to "localhost") + headers
        return frame(HEADERS, END_HEADERS or (if (isEnd) END_STREAM else 0), stream, block(fields))
    }

    fun data(stream: Int, bytes: ByteArray, isEnd: Boolean = true): RawHttp2 =
        frame(DATA, if (isEnd) END_STREAM else 0, stream, bytes)

    fun reset(stream: Int): RawHttp2 = frame(RST_STREAM, stream = stream, payload = int(CANCEL))

    fun flush(): RawHttp2 = apply { whileOpen { out.flush() } }

    private fun whileOpen(send: () -> Unit) {
        try {
            send()
        } catch (_: IOException) {
            // The server has closed, and whoever reads next finds out.
        }
    }

    /** The next frame, or null where the server has closed, or reset, the connection. */
    fun next(): Frame? {
        flush()
        return try {
            val size = input.readUnsignedByte() shl 16 or input.readUnsignedShort()
            val type = input.readUnsignedByte()
            val flags = input.readUnsignedByte()
            val stream = input.readInt()
            Frame(type, flags, stream, input.readNBytes(size))
        } catch (e: SocketTimeoutException) {
            throw e
        } catch (_: IOException) {
            null
        }
    }

    /** Reads until a stream has ended, and says which, and how. */
    fun nextAnswer(): Answered {
        while (true) {
            val frame = checkNotNull(next()) { "The server closed before an answer." }
            check(frame.type != GOAWAY) { "The server said goodbye before an answer: ${frame.error}." }
            val answered = answers.getOrPut(frame.stream) { Answered(frame.stream) }
            if (frame.type == HEADERS) {
                val head = heads.decodeHeaders(frame.stream, Unpooled.wrappedBuffer(frame.payload))
                answered.status = head.status().toString()
                head.forEach { (name, value) -> answered.headers[name.toString()] = value.toString() }
            }
            if (frame.type == DATA) answered.body.writeBytes(frame.payload)
            if (frame.type == RST_STREAM) answered.reset = frame.error
            val isOver = frame.type == RST_STREAM || (frame.type in listOf(DATA, HEADERS) && frame.flags and END_STREAM != 0)
            if (isOver) return checkNotNull(answers.remove(frame.stream))
        }
    }

    /** Reads until the server says goodbye, and returns for what error; null where it closes without. */
    fun nextGoodbye(): Int? = generateSequence { next() }.firstOrNull { it.type == GOAWAY }?.goodbye

    /** Reads to the end of the connection. */
    fun isAtEnd(): Boolean {
        while (next() != null) Unit
        return true
    }

    override fun close() = socket.close()

    class Frame(val type: Int, val flags: Int, val stream: Int, val payload: ByteArray) {
        val error: Int get() = payload.int(0)
        val goodbye: Int get() = payload.int(4)
    }

    /** An answer that has ended; [reset] is the error where it was reset. */
    class Answered(val stream: Int) {
        var status = ""
        val headers = LinkedHashMap<String, String>()
        val body = ByteArrayOutputStream()
        var reset: Int? = null
        val text: String get() = body.toString()
    }

    companion object {
        const val PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        const val DATA = 0
        const val HEADERS = 1
        const val PRIORITY = 2
        const val RST_STREAM = 3
        const val SETTINGS = 4
        const val PING = 6
        const val GOAWAY = 7
        const val WINDOW_UPDATE = 8
        const val CONTINUATION = 9
        const val END_STREAM = 1
        const val END_HEADERS = 4
        const val NO_ERROR = 0
        const val PROTOCOL_ERROR = 1
        const val INTERNAL_ERROR = 2
        const val REFUSED_STREAM = 7
        const val CANCEL = 8
        const val ENHANCE_YOUR_CALM = 11

        fun int(value: Int): ByteArray = byteArrayOf(
            (value shr 24).toByte(),
            (value shr 16).toByte(),
            (value shr 8).toByte(),
            value.toByte(),
        )

        fun ByteArray.int(at: Int): Int = (0..3).fold(0) { sum, i -> sum shl 8 or (this[at + i].toInt() and 0xFF) }

        /** A setting as its frame has it. */
        fun setting(id: Int, value: Int): ByteArray = byteArrayOf((id shr 8).toByte(), id.toByte()) + int(value)

        /** A header block of literals, none of them indexed (RFC 7541, 6.2.2). */
        fun block(fields: List<Pair<String, String>>): ByteArray {
            val block = ByteArrayOutputStream()
            fields.forEach { (name, value) ->
                block.write(0)
                block.text(name)
                block.text(value)
            }
            return block.toByteArray()
        }

        private fun ByteArrayOutputStream.text(text: String) {
            var left = text.length
            if (left < 127) {
                write(left)
            } else {
                write(127)
                left -= 127
                while (left >= 128) {
                    write(left % 128 + 128)
                    left /= 128
                }
                write(left)
            }
            writeBytes(text.toByteArray(Charsets.ISO_8859_1))
        }
    }
}
