package clientlab.clients.kit

import clientlab.client.*
import java.io.InputStream
import java.nio.ByteBuffer
import java.util.zip.CRC32

/** Counts the bytes of one answer's body, and computes its CRC-32 if [request] asks for it. Not safe for concurrent use. */
internal class BodyTally(request: Request) {
    private val crc: CRC32? = if (request.checksum) CRC32() else null
    private var bytes = 0L

    /** Counts the first [length] bytes of [chunk]. */
    fun add(chunk: ByteArray, length: Int = chunk.size) {
        bytes += length
        crc?.update(chunk, 0, length)
    }

    /** Counts and consumes the rest of [chunk]. */
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

    /** The reply with [status] and what was counted. */
    fun reply(status: Int, protocol: String?): Reply = Reply(status, bytes, protocol, crc?.value)
}
