package clientlab.clients.kit

import java.io.InputStream
import java.io.OutputStream

/** A body of [length] zero bytes; it holds none of them in memory. */
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

/** The size in bytes of the chunks in which adapters read and write bodies. */
internal const val CHUNK: Int = 8192
