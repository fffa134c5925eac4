package clientlab.notebook.jars

import java.nio.BufferUnderflowException
import java.nio.ByteBuffer
import java.time.Instant
import java.time.LocalDate
import java.time.ZoneOffset
import java.util.Base64

/**
 * The day on which a file was signed, from its OpenPGP signature in ASCII armour (RFC 9580, sections 4.2, 5.2 and 6.2). Repositories keep such a
 * signature beside each jar, and it is the same wherever the jar is kept. It is not verified: it tells a day, and proves nothing.
 */
internal object SigningDay {
    /** The day of [armoured], or null if that is no signature. */
    fun of(armoured: String): LocalDate? {
        val packet = try {
            ByteBuffer.wrap(Base64.getMimeDecoder().decode(encoded(armoured)))
        } catch (_: IllegalArgumentException) {
            return null
        }
        return try {
            packet.created()?.let { LocalDate.ofInstant(Instant.ofEpochSecond(it), ZoneOffset.UTC) }
        } catch (_: BufferUnderflowException) {
            null
        }
    }

    /** What lies between the empty line after the headers and the checksum. */
    private fun encoded(
        armoured: String,
    ) = armoured.lines().dropWhile(String::isNotBlank).takeWhile { it.firstOrNull() !in END }.joinToString("")

    /** Seconds since 1970, or null if this is no packet of a signature that says so. */
    private fun ByteBuffer.created(): Long? {
        if (tagOfPacket() != SIGNATURE) return null
        val version = octet()
        skip(TYPE_AND_ALGORITHMS)
        val end = when (version) {
            4 -> octets(2)
            6 -> octets(4)
            else -> return null
        }.let { position() + it.toInt() }
        while (position() < end) {
            val length = octet().let { if (it < TWO_OCTETS) it else ((it - TWO_OCTETS) shl Byte.SIZE_BITS) + octet() + TWO_OCTETS }
            if (octet() and NOT_CRITICAL == CREATED) return octets(4)
            skip(length - 1)
        }
        return null
    }

    /** The tag; after it the buffer is behind the packet's length. */
    private fun ByteBuffer.tagOfPacket(): Int {
        val first = octet()
        if (first and NEW_FORMAT == 0) {
            skip(1 shl (first and LENGTH_TYPE))
            return first shr 2 and OLD_TAG
        }
        val length = octet()
        skip(
            if (length < TWO_OCTETS) {
                0
            } else if (length < FOUR_OCTETS) {
                1
            } else {
                4
            },
        )
        return first and NEW_TAG
    }

    private fun ByteBuffer.octet(): Int = get().toInt() and 0xff

    private fun ByteBuffer.octets(count: Int): Long = (1..count).fold(0L) { sum, _ -> (sum shl Byte.SIZE_BITS) + octet() }

    private fun ByteBuffer.skip(count: Int) = repeat(count) { get() }

    private val END = setOf('=', '-')
    private const val SIGNATURE = 2
    private const val TYPE_AND_ALGORITHMS = 3

    /** The subpacket that tells when the signature was made, and the bits of its type without the critical one. */
    private const val CREATED = 2
    private const val NOT_CRITICAL = 0x7f
    private const val NEW_FORMAT = 0x40
    private const val NEW_TAG = 0x3f
    private const val OLD_TAG = 0x0f
    private const val LENGTH_TYPE = 0x03

    /** From this first octet on a length has two octets, or four. Hashed subpackets of four are not written by anyone. */
    private const val TWO_OCTETS = 192
    private const val FOUR_OCTETS = 224
}
