package clientlab.server.http1

import clientlab.server.evidence.*
import clientlab.server.http2.*
import clientlab.server.net.*
import io.netty.channel.ChannelHandlerContext
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.HttpUtil
import io.netty.handler.codec.http2.Http2Settings
import java.nio.ByteBuffer
import java.util.Base64

/**
 * A request of HTTP/1.1 that offers to upgrade to HTTP/2 (RFC 7540, 3.2), if this server accepts: the answer then comes on stream 1.
 *
 * The server does not accept an offer with a body, or with settings that it cannot read; it answers such a request in HTTP/1.1.
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
        fun isIn(request: HttpRequest): Boolean =
            request.headers().get(HttpHeaderNames.UPGRADE)?.contains("h2c", ignoreCase = true) == true

        /** The offer of [request], or null if the server cannot accept it. */
        fun of(request: HttpRequest): H2cUpgrade? {
            val hasBody = HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) > 0
            val settings = request
                .headers()
                .getAll("HTTP2-Settings")
                .singleOrNull()
                ?.let(::settings)
            return if (hasBody || settings == null) null else H2cUpgrade(request, settings)
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
