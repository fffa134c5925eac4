package clientlab.clients

import clientlab.client.Reply
import clientlab.client.Request
import java.io.InputStream
import java.io.OutputStream
import java.nio.ByteBuffer
import java.util.zip.CRC32

/** Counts the body of one answer and, where [request] asks for it, its CRC-32. For one thread at a time. */
internal class BodyTally(request: Request) {
    private val crc: CRC32? = if (request.checksum) CRC32() else null
    private var bytes = 0L

    fun add(chunk: ByteArray, length: Int = chunk.size) {
        bytes += length
        crc?.update(chunk, 0, length)
    }

    fun add(chunk: ByteBuffer) {
        bytes += chunk.remaining()
        if (crc != null) crc.update(chunk) else chunk.position(chunk.limit())
    }

    /** Reads [stream] to its end, and closes it. */
    fun drain(stream: InputStream): BodyTally {
        stream.use {
            val chunk = ByteArray(CHUNK)
            while (true) {
                val length = it.read(chunk)
                if (length < 0) break
                add(chunk, length)
            }
        }
        return this
    }

    fun reply(status: Int, protocol: String?): Reply = Reply(status, bytes, protocol, crc?.value)
}

/** A body of [length] zero bytes that is made while it is read. */
internal class ZeroStream(private val length: Long) : InputStream() {
    private var left = length

    override fun read(): Int {
        if (left <= 0) return -1
        left--
        return 0
    }

    override fun read(target: ByteArray, offset: Int, count: Int): Int {
        if (count == 0) return 0
        if (left <= 0) return -1
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

/** The size of the chunks in which bodies are read and written. */
internal const val CHUNK: Int = 8192
