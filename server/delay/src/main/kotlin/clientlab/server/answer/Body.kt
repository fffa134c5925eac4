package clientlab.server.answer

import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import java.io.ByteArrayOutputStream
import java.util.zip.GZIPOutputStream

/** The body of an answer, which can be read in pieces; the same for every protocol. */
internal sealed interface Body {
    val length: Long

    /** At most [most] bytes from place [from] on, in a buffer that is released when the caller writes it. */
    fun piece(from: Long, most: Int): ByteBuf

    /** A body that is kept as an array. */
    class Of(private val bytes: ByteArray) : Body {
        override val length: Long get() = bytes.size.toLong()

        override fun piece(from: Long, most: Int): ByteBuf =
            Unpooled.wrappedBuffer(bytes, from.toInt(), minOf(most.toLong(), length - from).toInt())
    }

    /** The repeated [BytePattern]; only a block with an altered byte is copied. */
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

/** The body of [answer], for writing in pieces. */
internal fun bodyOf(answer: Answer): Body {
    val bytes = answer.content
    return if (bytes is Content.Bytes && !answer.behaviour.isGzipped) Body.Repeated(bytes) else Body.Of(wholeBody(answer))
}

/** The body of [answer] as one array. A body of `/bytes` is given in one piece only if it is compressed, because then it is small. */
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
