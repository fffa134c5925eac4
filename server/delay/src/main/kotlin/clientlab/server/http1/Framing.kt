package clientlab.server.http1

import clientlab.server.answer.*
import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufAllocator
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig
import java.security.MessageDigest
import java.util.Base64

/** How the pieces of a body are told apart where the head does not say its length. */
internal interface Framing {
    /** [piece], which is released, as it goes onto the wire; with the end of the body behind it if [isEnd]. */
    fun frame(piece: ByteBuf, isEnd: Boolean, allocator: ByteBufAllocator): ByteBuf
}

/** The chunked coding of HTTP/1.1 (RFC 9112, 7.1): a chunk for each piece. */
internal object Chunks : Framing {
    private const val HEX = 16

    override fun frame(piece: ByteBuf, isEnd: Boolean, allocator: ByteBufAllocator): ByteBuf {
        val opening = piece.readableBytes().toString(HEX) + "\r\n"
        val closing = if (isEnd) "\r\n0\r\n\r\n" else "\r\n"
        val chunk = allocator.buffer(opening.length + piece.readableBytes() + closing.length)
        chunk.writeBytes(opening.encodeToByteArray()).writeBytes(piece).writeBytes(closing.encodeToByteArray())
        piece.release()
        return chunk
    }
}

/** The frames of a WebSocket (RFC 6455, 5.2): a text message for each [size] bytes, without a mask, as a server sends them. */
internal class WebSocketFrames(private val size: Int) : Framing {
    override fun frame(piece: ByteBuf, isEnd: Boolean, allocator: ByteBufAllocator): ByteBuf {
        val messages = (piece.readableBytes() + size - 1) / size
        val frames = allocator.buffer(piece.readableBytes() + messages * MOST_HEAD + CLOSING.size)
        while (piece.isReadable) {
            val length = minOf(size, piece.readableBytes())
            frames.head(TEXT, length)
            frames.writeBytes(piece, length)
        }
        if (isEnd) frames.writeBytes(CLOSING)
        piece.release()
        return frames
    }

    companion object {
        private const val FINAL = 0x80
        private const val TEXT = 0x1
        private const val PONG = 0xA
        private const val SHORT = 125
        private const val IN_TWO_BYTES = 126
        private const val IN_EIGHT_BYTES = 127
        private const val MOST_IN_TWO = 0xFFFF
        private const val MOST_HEAD = 10

        /** A close frame with status 1000: all is well. */
        private val CLOSING = byteArrayOf(0x88.toByte(), 2, 0x03, 0xE8.toByte())

        fun closing(allocator: ByteBufAllocator): ByteBuf = allocator.buffer(CLOSING.size).writeBytes(CLOSING)

        fun pong(payload: ByteBuf, allocator: ByteBufAllocator): ByteBuf =
            allocator.buffer(payload.readableBytes() + MOST_HEAD).head(PONG, payload.readableBytes()).writeBytes(payload)

        /** What a client sends: with a mask, and without extensions. */
        fun decoder(): WebSocket13FrameDecoder =
            WebSocket13FrameDecoder(WebSocketDecoderConfig.newBuilder().allowExtensions(false).maxFramePayloadLength(MOST_IN_TWO).build())

        private fun ByteBuf.head(opcode: Int, length: Int): ByteBuf {
            writeByte(FINAL or opcode)
            return when {
                length <= SHORT -> writeByte(length)
                length <= MOST_IN_TWO -> writeByte(IN_TWO_BYTES).writeShort(length)
                else -> writeByte(IN_EIGHT_BYTES).writeLong(length.toLong())
            }
        }
    }
}

/** How a client asks for a WebSocket, and what it wants to see in the answer (RFC 6455, 4.2). */
internal object WebSocketHandshake {
    private const val KEY = "sec-websocket-key"
    private const val VERSION = "sec-websocket-version"

    /** Appended to the client's key, by the standard. */
    private const val GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    fun isIn(request: HttpRequest): Boolean = request.headers().get(HttpHeaderNames.UPGRADE).equals("websocket", ignoreCase = true)

    /** [answer] with what [request] needs in order to take it for a WebSocket's; a refusal stays as it is. */
    fun accepted(request: HttpRequest, answer: Answer): Answer {
        if (answer.content !is Content.Messages) return answer
        val key = request.headers().get(KEY)
        if (key == null || request.headers().get(VERSION) != "13") {
            return Answer(
                426,
                "Only WebSockets of version 13 are spoken here: give $KEY and $VERSION: 13.",
                headers = mapOf(VERSION to "13"),
            )
        }
        val digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).encodeToByteArray())
        val accept = Base64.getEncoder().encodeToString(digest)
        val headers = mapOf("upgrade" to "websocket", "connection" to "upgrade", "sec-websocket-accept" to accept)
        return Answer(101, "", answer.delayNanos, answer.content, answer.behaviour, headers)
    }
}
