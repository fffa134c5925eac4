package clientlab.clients.kit

import clientlab.client.*
import kotlinx.coroutines.CancellableContinuation
import java.io.InputStream
import java.io.OutputStream
import java.nio.ByteBuffer
import java.util.zip.CRC32

/** The size in bytes of the chunks in which adapters read and write bodies. */
internal const val CHUNK: Int = 8192

/** The pause of a slow reader behind each piece. */
internal const val SLOW_MS: Long = 100

/**
 * Counts the bytes of one answer's body, and computes its CRC-32 if [request] asks for it. Not safe for concurrent use. Throws
 * [UnsupportedRequest] if the body is to be held in memory, because it is read piece by piece here.
 */
internal class BodyTally(request: Request) {
    val reading: Reading = request.reading
    private val onRead = request.onRead
    private val crc: CRC32? = if (request.checksum) CRC32() else null
    private var bytes = 0L

    init {
        if (reading == Reading.InMemory) throw UnsupportedRequest("This adapter reads a body piece by piece, and holds none in memory.")
    }

    /** Counts the first [length] bytes of [chunk]. */
    fun add(chunk: ByteArray, length: Int) {
        bytes += length
        onRead?.invoke(length)
        crc?.update(chunk, 0, length)
    }

    /** Counts a message of [length] bytes, which has no checksum. */
    fun add(length: Int) {
        bytes += length
        onRead?.invoke(length)
    }

    /** Counts and consumes the rest of [chunk]. */
    fun add(chunk: ByteBuffer) {
        bytes += chunk.remaining()
        onRead?.invoke(chunk.remaining())
        if (crc != null) crc.update(chunk) else chunk.position(chunk.limit())
    }

    /** Reads [stream] as the request asks, by default to its end, and closes it. It blocks. */
    fun drain(stream: InputStream): BodyTally = stream.use { drain(Thread::sleep, it::read) }

    /** Calls [read] as the request asks, by default until it returns a negative length; it fills an array from its beginning. */
    inline fun drain(pause: (Long) -> Unit, read: (ByteArray) -> Int): BodyTally {
        if (reading == Reading.Unread) return this
        val chunk = ByteArray(CHUNK)
        while (true) {
            val length = read(chunk)
            if (length < 0) return this
            add(chunk, length)
            if (reading == Reading.Part) return this
            if (reading == Reading.Slowly) pause(SLOW_MS)
        }
    }

    /** Whether the caller has read as much as the request asks for. */
    val enough: Boolean get() = reading == Reading.Unread || (reading == Reading.Part && bytes > 0)

    /** The reply with [status] and what was counted. */
    fun reply(status: Int, protocol: String?): Reply = Reply(status, bytes, protocol, crc?.value)
}

/** The status with which a server opens a WebSocket. */
internal const val OPENED: Int = 101

/** Resumes with [reply], unless the request was cancelled or has ended before. */
internal fun CancellableContinuation<Reply>.end(reply: Result<Reply>) {
    if (isActive) resumeWith(reply)
}

/** A body of [left] zero bytes; it holds none of them in memory. */
internal class ZeroStream(private var left: Long) : InputStream() {
    override fun read(): Int = if (read(ByteArray(1)) < 0) -1 else 0

    override fun read(target: ByteArray, offset: Int, count: Int): Int {
        if (count == 0) return 0
        if (left == 0L) return -1
        val taken = minOf(left, count.toLong()).toInt()
        target.fill(0, offset, offset + taken)
        left -= taken
        return taken
    }

    override fun available(): Int = minOf(left, Int.MAX_VALUE.toLong()).toInt()
}

/** Writes [length] zero bytes. */
internal fun OutputStream.writeZeros(length: Long) {
    ZeroStream(length).transferTo(this)
}
