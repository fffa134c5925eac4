package clientlab.server.request

import clientlab.server.answer.*
import io.netty.buffer.ByteBuf
import java.util.zip.CRC32

/** Counts the bytes of an uploaded body and computes their checksum; keeps none of them. */
internal class Upload {
    private val crc = CRC32()
    private var bytes = 0L

    fun take(content: ByteBuf) {
        bytes += content.readableBytes()
        crc.update(content.nioBuffer())
    }

    /** The answer to the whole upload; the checksum has eight hexadecimal digits, as in `x-crc32`. */
    fun answer(): Answer {
        val text = """{"bytes":$bytes,"crc32":"${crc.value.toString(16).padStart(8, '0')}"}"""
        return Answer(200, text, delayNanos = 0, Content.Json)
    }
}
