package clientlab.conduct.scene

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.nio.ByteBuffer

/**
 * One connection in HTTP/2 (RFC 9113), as the server of a situation uses it. It decodes no fields, so a request is known by its stream.
 * Its functions block, and throw an [IOException] once the client has ended the connection. Several threads may send. It sends bodies as
 * fast as the client's windows allow.
 */
internal class Http2Connection(private val on: Connection) {
    private val bodies = ArrayList<Body>()
    private val granted = HashMap<Int, Long>()
    private var window = USUAL_WINDOW
    private var windowOfStream = USUAL_WINDOW

    val number: Int get() = on.number

    /** Reads what a client begins with, and allows it so many [streams] at once. */
    fun begin(streams: Int) {
        if (!on.receive(PREFACE.length).contentEquals(PREFACE.encodeToByteArray())) throw IOException("no HTTP/2")
        write(SETTINGS, payload = ByteBuffer.allocate(6).putShort(MAX_CONCURRENT_STREAMS).putInt(streams).array())
    }

    /** The stream of the next request, read to its end. It gives the client what it is due meanwhile: settings, window and PING. */
    fun receive(): Int {
        while (true) {
            val frame = frame()
            when (frame.type) {
                SETTINGS -> if (!frame.has(ACK)) obey(ByteBuffer.wrap(frame.payload))
                WINDOW_UPDATE -> widen(frame.stream, ByteBuffer.wrap(frame.payload).getInt().toLong())
                PING -> if (frame.has(ACK)) on.note(Seen.What.Pong) else write(PING, ACK, payload = frame.payload)
                RST_STREAM -> on.note(Seen.What.StreamReset(frame.stream))
                DATA -> giveBack(frame)
            }
            if ((frame.type == HEADERS || frame.type == DATA) && frame.has(END_STREAM)) {
                on.note(Seen.What.Request(Received("stream", "${frame.stream}", emptyList(), 0)))
                return frame.stream
            }
        }
    }

    /** Reads and answers nothing more, not even PING, as if the packets were lost. It ends when the client ends the connection. */
    fun fallSilent(): Unit = on.awaitEnd()

    private fun giveBack(frame: Frame) {
        if (frame.payload.isEmpty()) return
        val length = ByteBuffer.allocate(4).putInt(frame.payload.size).array()
        write(WINDOW_UPDATE, payload = length)
        if (!frame.has(END_STREAM)) write(WINDOW_UPDATE, stream = frame.stream, payload = length)
    }

    private fun obey(settings: ByteBuffer) {
        while (settings.remaining() >= SETTING_BYTES) {
            val name = settings.getShort()
            val value = settings.getInt()
            if (name == INITIAL_WINDOW_SIZE) synchronized(this) { windowOfStream = value.toLong() }
        }
        write(SETTINGS, ACK)
        sendBodies()
    }

    private fun widen(stream: Int, bytes: Long) {
        synchronized(this) { if (stream == 0) window += bytes else granted.merge(stream, bytes, Long::plus) }
        sendBodies()
    }

    fun answer(stream: Int) {
        head(stream, BODY.length.toLong())
        data(stream, BODY, end = true)
    }

    /** Answers with so many zero [bytes], and does not wait until they are sent. */
    fun answerLarge(stream: Int, bytes: Long) {
        head(stream, bytes)
        on.did("begins a body of ${bytes shr MIB} MiB on stream $stream")
        send(Body(stream, ByteArray(0), bytes, end = true))
    }

    /** The head of an answer with 200 that declares [length] bytes. */
    fun head(stream: Int, length: Long) {
        on.did("answers 200 to stream $stream")
        val digits = "$length".encodeToByteArray()
        write(HEADERS, END_HEADERS, stream, STATUS_200 + CONTENT_LENGTH + digits.size.toByte() + digits)
    }

    fun data(stream: Int, text: String, end: Boolean) {
        on.did("sends ${text.length} bytes on stream $stream")
        send(Body(stream, text.encodeToByteArray(), text.length.toLong(), end))
    }

    private fun send(body: Body) {
        synchronized(this) { bodies += body }
        sendBodies()
    }

    private fun sendBodies(): Unit = synchronized(this) {
        bodies.forEach { body ->
            while (body.left > 0) {
                val allowed = minOf(window, windowOfStream + (granted[body.stream] ?: 0), body.left, MOST_IN_FRAME)
                if (allowed <= 0) break
                val piece = body.next(allowed.toInt())
                window -= allowed
                granted.merge(body.stream, -allowed, Long::plus)
                write(DATA, if (body.end && body.left == 0L) END_STREAM else 0, body.stream, piece)
            }
        }
        bodies.removeIf { it.left == 0L }
    }

    /** What is to be sent on [stream]: [bytes], or zeros if there are none, of which so many are [left]. */
    private class Body(val stream: Int, private val bytes: ByteArray, var left: Long, val end: Boolean) {
        fun next(count: Int): ByteArray {
            val from = bytes.size - left.toInt()
            left -= count
            return if (bytes.isEmpty()) ByteArray(count) else bytes.copyOfRange(from, from + count)
        }
    }

    fun reset(stream: Int, error: Int) {
        on.did("resets stream $stream")
        write(RST_STREAM, stream = stream, payload = ByteBuffer.allocate(4).putInt(error).array())
    }

    /** It has begun with streams up to [last], and with no later one. */
    fun goAway(last: Int) {
        on.did("says GOAWAY, and that stream $last is its last")
        write(GOAWAY, payload = ByteBuffer.allocate(8).putInt(last).putInt(0).array())
    }

    fun ping() {
        on.did("sends PING")
        write(PING, payload = ByteArray(8))
    }

    private class Frame(val type: Int, private val flags: Int, val stream: Int, val payload: ByteArray) {
        fun has(flag: Int) = flags and flag != 0
    }

    private fun frame(): Frame {
        val head = ByteBuffer.wrap(on.receive(HEAD_BYTES))
        val first = head.getInt() // three bytes of length, and the type
        val flags = head.get().toInt()
        val stream = head.getInt() and Int.MAX_VALUE
        return Frame(first and 0xff, flags, stream, on.receive(first ushr 8))
    }

    private fun write(type: Int, flags: Int = 0, stream: Int = 0, payload: ByteArray = ByteArray(0)) {
        val bytes = ByteArrayOutputStream()
        bytes.write(ByteBuffer.allocate(HEAD_BYTES).putInt((payload.size shl 8) or type).put(flags.toByte()).putInt(stream).array())
        bytes.write(payload)
        synchronized(this) { on.write(bytes.toByteArray()) }
    }

    companion object {
        /** The errors of RFC 9113, 7, that situations use. */
        const val INTERNAL_ERROR: Int = 2
        const val REFUSED_STREAM: Int = 7

        private const val PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        private const val HEAD_BYTES = 9
        private const val DATA = 0
        private const val HEADERS = 1
        private const val RST_STREAM = 3
        private const val SETTINGS = 4
        private const val PING = 6
        private const val GOAWAY = 7
        private const val WINDOW_UPDATE = 8
        private const val ACK = 1
        private const val END_STREAM = 1
        private const val END_HEADERS = 4
        private const val SETTING_BYTES = 6
        private const val MAX_CONCURRENT_STREAMS: Short = 3
        private const val INITIAL_WINDOW_SIZE: Short = 4
        private const val USUAL_WINDOW = 65_535L
        private const val MOST_IN_FRAME = 16_384L
        private const val MIB = 20
        private const val BODY = "ok"

        /** As RFC 7541 encodes `:status: 200`, and the name `content-length` before its value. */
        private val STATUS_200 = byteArrayOf(0x88.toByte())
        private val CONTENT_LENGTH = byteArrayOf(0x0f, 0x0d)
    }
}
