package clientlab.server.request

import clientlab.server.answer.Answer
import clientlab.server.answer.Content
import io.netty.buffer.ByteBuf
import java.util.zip.CRC32

/** A body that is being sunk: counted, summed and forgotten. In flight since [arrivedAt], when its head had been read. */
internal class Upload(val arrivedAt: Long) {
    private val crc = CRC32()
    private var bytes = 0L

    fun take(content: ByteBuf) {
        bytes += content.readableBytes()
        crc.update(content.nioBuffer())
    }

    /** What is said when its end has been read: the checksum as `x-crc32` has it, in eight hexadecimal digits. */
    fun answer(): Answer {
        val text = """{"bytes":$bytes,"crc32":"${crc.value.toString(16).padStart(8, '0')}"}"""
        return Answer(200, text, delayNanos = 0, Content.Json)
    }
}
