package clientlab.server.answer

import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import java.io.ByteArrayOutputStream
import java.util.zip.GZIPOutputStream

/** The bytes of an answer's body, to be given in pieces; the same for every protocol. */
internal sealed interface Body {
    val length: Long

    /** At most [most] bytes from place [from] on, in a buffer that the caller releases by writing it. */
    fun piece(from: Long, most: Int): ByteBuf

    /** Bytes that there are. */
    class Of(private val bytes: ByteArray) : Body {
        override val length: Long get() = bytes.size.toLong()

        override fun piece(from: Long, most: Int): ByteBuf =
            Unpooled.wrappedBuffer(bytes, from.toInt(), minOf(most.toLong(), length - from).toInt())
    }

    /** The repeated [BytePattern], of which nothing is copied but a block with an altered byte. */
    class Repeated(private val bytes: Content.Bytes) : Body {
        override val length: Long get() = bytes.length

        override fun piece(from: Long, most: Int): ByteBuf {
            val start = (from % BytePattern.BYTES).toInt()
            val size = minOf(most.toLong(), length - from, (BytePattern.BYTES - start).toLong()).toInt()
            val flipAt = bytes.flipAt - from
            return if (flipAt in 0 until size) BytePattern.flipped(start, size, flipAt.toInt()) else BytePattern.part(start, size)
        }
    }
}

/** What is given in pieces. */
internal fun bodyOf(answer: Answer): Body {
    val bytes = answer.content
    return if (bytes is Content.Bytes && !answer.behaviour.isGzipped) Body.Repeated(bytes) else Body.Of(wholeBody(answer))
}

/** What is given in one piece: every body but that of `/bytes`, and that too where it is compressed, which makes it small. */
internal fun wholeBody(answer: Answer): ByteArray {
    val bytes = when (val content = answer.content) {
        Content.DateTime -> (dateTimeJson() + '\n').encodeToByteArray()
        Content.Page -> CRAWL_PAGE
        Content.Nothing -> NOTHING
        is Content.Bytes -> BytePattern.copy(content)
        else -> (answer.text + '\n').encodeToByteArray()
    }
    return if (answer.behaviour.isGzipped) gzipped(bytes) else bytes
}

private fun gzipped(bytes: ByteArray): ByteArray =
    ByteArrayOutputStream().also { out -> GZIPOutputStream(out).use { it.write(bytes) } }.toByteArray()

private val NOTHING = ByteArray(0)
