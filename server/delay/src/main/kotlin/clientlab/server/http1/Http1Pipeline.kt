package clientlab.server.http1

import clientlab.server.evidence.*
import clientlab.server.http2.*
import clientlab.server.net.*
import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufUtil
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelPipeline
import io.netty.handler.codec.http.HttpDecoderConfig
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.HttpRequestDecoder
import io.netty.handler.codec.http.HttpUtil
import io.netty.handler.codec.http2.Http2CodecUtil
import io.netty.handler.codec.http2.Http2Settings
import java.nio.ByteBuffer
import java.util.Base64

/** Lets a connection speak HTTP/1.0 and 1.1, and h2c if the client asks. One event loop has one, because its encoder is shared. */
internal class Http1Pipeline(private val port: DataPort, private val http2: Http2Pipeline) {
    private val encoder = Http1Encoder()

    fun addTo(pipeline: ChannelPipeline, wire: DataConnection) {
        pipeline.addBefore(DataConnection.NAME, null, Http1Decoder(wire, http2))
        pipeline.addBefore(DataConnection.NAME, null, Http1Handler(port, wire, encoder, http2))
    }
}

/**
 * Decodes the requests of an HTTP/1 connection, unless the connection begins with the preface of HTTP/2 (RFC 9113, 3.4): then it replaces
 * the handlers of HTTP/1. The check costs an HTTP/1 connection one byte, and a request nothing.
 */
internal class Http1Decoder(private val wire: DataConnection, private val http2: Http2Pipeline) : HttpRequestDecoder(HTTP_1) {
    private var isHttp1 = false

    override fun decode(ctx: ChannelHandlerContext, input: ByteBuf, out: MutableList<Any>) {
        if (!isHttp1) {
            val looked = minOf(input.readableBytes(), PREFACE.readableBytes())
            val isPreface = ByteBufUtil.equals(input, input.readerIndex(), PREFACE, 0, looked)
            if (isPreface) return if (looked == PREFACE.readableBytes()) switchToHttp2(ctx) else Unit
            isHttp1 = true
        }
        super.decode(ctx, input, out)
    }

    /** Netty passes the bytes that have been read on to HTTP/2 when this decoder is removed. */
    private fun switchToHttp2(ctx: ChannelHandlerContext) {
        val pipeline = ctx.pipeline()
        pipeline.remove(Http1Handler::class.java)
        http2.addTo(pipeline, wire, Protocol.H2C)
        pipeline.remove(this)
    }

    private companion object {
        val PREFACE: ByteBuf = Http2CodecUtil.connectionPrefaceBuf()
        val HTTP_1: HttpDecoderConfig = HttpDecoderConfig()
            .setMaxInitialLineLength(MAX_LINE_BYTES)
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setMaxChunkSize(MAX_READ_BYTES)
    }
}

/**
 * A request of HTTP/1.1 that offers to upgrade to HTTP/2 (RFC 7540, 3.2), if this server accepts: the answer then comes on stream 1.
 * It does not accept an offer with a body, or with settings that it cannot read, and answers such a request in HTTP/1.1.
 */
internal class H2cUpgrade private constructor(private val request: HttpRequest, private val settings: Http2Settings) {
    /** Switches the connection of [context] to HTTP/2. */
    fun take(context: ChannelHandlerContext, http2: Http2Pipeline, wire: DataConnection) {
        context.write(context.alloc().buffer(SWITCHING.size).writeBytes(SWITCHING))
        val pipeline = context.pipeline()
        val handler = http2.addTo(pipeline, wire, Protocol.H2C)
        handler.onHttpServerUpgrade(settings)
        handler.upgraded(request.method(), request.uri(), request.headers().get(HttpHeaderNames.ACCEPT))
        pipeline.remove(context.handler())
        // The decoder passes what it has read already on to HTTP/2.
        pipeline.remove(Http1Decoder::class.java)
    }

    companion object {
        private const val SETTING_BYTES = 6
        private val SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n".encodeToByteArray()

        /** Whether [request] makes an offer, also if the server does not accept it. */
        fun isIn(request: HttpRequest): Boolean = request.headers().get(HttpHeaderNames.UPGRADE)?.contains("h2c", ignoreCase = true) == true

        /** The offer of [request], or null if the server cannot accept it. */
        fun of(request: HttpRequest): H2cUpgrade? {
            val hasBody = HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) > 0
            val offered = request.headers().getAll("HTTP2-Settings").singleOrNull()
            val settings = if (hasBody || offered == null) null else settings(offered)
            return settings?.let { H2cUpgrade(request, it) }
        }

        /** Reads the payload of a SETTINGS frame in base64url: per setting two bytes of name and four of value; null if it is not that. */
        private fun settings(text: String): Http2Settings? = try {
            val payload = Base64.getUrlDecoder().decode(text)
            require(payload.size % SETTING_BYTES == 0)
            val buffer = ByteBuffer.wrap(payload)
            val settings = Http2Settings()
            while (buffer.hasRemaining()) settings.put(buffer.getChar(), java.lang.Long.valueOf(buffer.getInt().toUInt().toLong()))
            settings
        } catch (_: IllegalArgumentException) {
            null
        }
    }
}
