package clientlab.transfer

import java.nio.ByteBuffer
import java.util.zip.CRC32

/**
 * Counts bytes and, if [checksum] is true, computes their CRC-32. For one thread at a time.
 *
 * Iterations that are timed count only: a checksum costs about a fifth of reading from the page cache, and every I/O API would pay it, so
 * it would only hide differences. The pass that checks comes after them and is not timed.
 */
public class Tally(private val checksum: Boolean = false) {
    private val crc = CRC32()

    /** Bytes so far. */
    public var bytes: Long = 0
        private set

    /** CRC-32 so far, or null where none was asked for. */
    public val value: Long? get() = if (checksum) crc.value else null

    /** Adds [length] bytes of [chunk] from [offset] on. */
    public fun add(chunk: ByteArray, length: Int, offset: Int = 0) {
        bytes += length
        if (checksum) crc.update(chunk, offset, length)
    }

    /** Adds the remaining bytes of [chunk] and consumes them. */
    public fun add(chunk: ByteBuffer) {
        bytes += chunk.remaining()
        if (checksum) crc.update(chunk) else chunk.position(chunk.limit())
    }
}

/** The content of this JVM's transfers: a repeated block of 64 KiB. */
public object Content {
    /** The size of the block, and of the buffer of every I/O API that lets its caller choose one. */
    public const val BLOCK: Int = 1 shl 16

    /** A fresh copy of the block: always the same bytes, and no byte equals its neighbour. */
    public fun block(): ByteArray = ByteArray(BLOCK) { (it * 31 + (it ushr 8) * 7).toByte() }

    /** CRC-32 of [block] repeated up to [bytes] bytes. */
    public fun checksum(block: ByteArray, bytes: Long): Long {
        val crc = CRC32()
        var left = bytes
        while (left > 0) {
            val length = minOf(left, block.size.toLong()).toInt()
            crc.update(block, 0, length)
            left -= length
        }
        return crc.value
    }
}
