package clientlab.server.answer

import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import java.util.zip.CRC32

/**
 * The bytes of `/bytes`: one block of 64 KiB outside the heap, repeated, and cut where the length ends. Byte i of the block is the low byte
 * of i + i ÷ 251, so that a lost, doubled or moved block changes the checksum.
 */
internal object BytePattern {
    const val BYTES: Int = 65_536

    private val block = ByteArray(BYTES) { (it + it / 251).toByte() }
    private val shared: ByteBuf = Unpooled.unreleasableBuffer(Unpooled.directBuffer(BYTES, BYTES).writeBytes(block)).asReadOnly()
    private val blockCrc = crcOf(BYTES)

    private var lastLength = -1L
    private var lastCrc = 0L

    fun part(start: Int, size: Int): ByteBuf = shared.retainedSlice(start, size) // not copied

    /** All of [bytes], which must be short, in a new array. */
    fun copy(bytes: Content.Bytes): ByteArray {
        val copy = ByteArray(bytes.length.toInt()) { block[it % BYTES] }
        return if (bytes.flipAt >= 0) copy.flip(bytes.flipAt.toInt()) else copy
    }

    /** A copy of the [size] bytes from [start] on, with the byte at [flipAt] of them altered. */
    fun flipped(start: Int, size: Int, flipAt: Int): ByteBuf = Unpooled.wrappedBuffer(block.copyOfRange(start, start + size).flip(flipAt))

    private fun ByteArray.flip(at: Int): ByteArray = apply { this[at] = this[at].toInt().inv().toByte() }

    /** CRC-32 of [length] bytes, computed from that of one block in some 30 steps. Not thread-safe: for the one event loop. */
    fun crc32(length: Long): Long {
        if (length != lastLength) {
            lastCrc = repeated(length / BYTES, (length % BYTES).toInt())
            lastLength = length
        }
        return lastCrc
    }

    private fun repeated(blocks: Long, rest: Int): Long {
        var crc = 0L
        var power = blockCrc
        var powerBytes = BYTES.toLong()
        var left = blocks
        // All blocks are equal, so each power of two can be put behind what there is already.
        while (left > 0) {
            if (left and 1L == 1L) crc = combineCrc32(crc, power, powerBytes)
            power = combineCrc32(power, power, powerBytes)
            powerBytes *= 2
            left = left shr 1
        }
        return combineCrc32(crc, crcOf(rest), rest.toLong())
    }

    private fun crcOf(size: Int): Long = CRC32().apply { update(block, 0, size) }.value
}

/**
 * CRC-32 of one text followed by another, as zlib's `crc32_combine`: a CRC is a polynomial over two elements. Putting [secondBytes] bytes
 * behind a text multiplies its polynomial by x to the power of 8 × [secondBytes], modulo the polynomial of CRC-32.
 */
internal fun combineCrc32(first: Long, second: Long, secondBytes: Long): Long {
    var factor = ONE
    var power = X_TO_8
    var left = secondBytes
    while (left > 0) {
        if (left and 1L == 1L) factor = multiply(factor, power)
        power = multiply(power, power)
        left = left shr 1
    }
    return multiply(factor, first) xor second
}

/** The product of two polynomials modulo that of CRC-32; bit 31 is the coefficient of 1, bit 0 that of x to the 31st. */
private fun multiply(one: Long, other: Long): Long {
    var product = 0L
    var shifted = other
    for (bit in 31 downTo 0) {
        if (one shr bit and 1L == 1L) product = product xor shifted
        shifted = if (shifted and 1L == 1L) (shifted shr 1) xor POLYNOMIAL else shifted shr 1
    }
    return product
}

private const val ONE = 1L shl 31
private const val X_TO_8 = 1L shl 23
private const val POLYNOMIAL = 0xEDB88320L
