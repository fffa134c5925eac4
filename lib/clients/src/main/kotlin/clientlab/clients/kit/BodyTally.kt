package clientlab.clients.kit

import clientlab.client.Reply
import clientlab.client.Request
import java.io.InputStream
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
