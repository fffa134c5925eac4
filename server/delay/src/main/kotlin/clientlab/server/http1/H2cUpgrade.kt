package clientlab.server.http1

import clientlab.server.evidence.Protocol
import clientlab.server.http2.Http2Pipeline
import clientlab.server.net.DataConnection
import io.netty.channel.ChannelHandlerContext
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.HttpUtil
import io.netty.handler.codec.http2.Http2Settings
import java.util.Base64

/**
 * A request of HTTP/1.1 that offers to go on in HTTP/2 (RFC 7540, 3.2), and that this server takes: its answer comes on stream 1.
 *
 * An offer in a request with a body is not taken, nor one whose settings cannot be read: such a request is answered as what it is.
 */
internal class H2cUpgrade private constructor(private val request: HttpRequest, private val settings: Http2Settings) {
    /** Goes on in HTTP/2 on the connection whose HTTP/1 [context] belongs to. */
    fun take(context: ChannelHandlerContext, http2: Http2Pipeline, wire: DataConnection) {
        context.write(context.alloc().buffer(SWITCHING.size).writeBytes(SWITCHING))
        val pipeline = context.pipeline()
        val handler = http2.addTo(pipeline, wire, Protocol.H2C)
        handler.onHttpServerUpgrade(settings)
        handler.upgraded(request.method(), request.uri(), request.headers().get(HttpHeaderNames.ACCEPT))
        pipeline.remove(context.handler())
        // What it has read already goes on to HTTP/2.
        pipeline.remove(Http1Decoder::class.java)
    }

    companion object {
        private const val HTTP2_SETTINGS = "HTTP2-Settings"
        private const val SETTING_BYTES = 6
        private val SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n".encodeToByteArray()

        /** Whether [request] makes an offer at all, be it one that is not taken. */
        fun isIn(request: HttpRequest): Boolean =
            request.headers().get(HttpHeaderNames.UPGRADE)?.contains("h2c", ignoreCase = true) == true

        /** The offer of [request], or null where it cannot be taken. */
        fun of(request: HttpRequest): H2cUpgrade? {
            val hasBody = HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) > 0
            val settings = request
                .headers()
                .getAll(HTTP2_SETTINGS)
                .singleOrNull()
                ?.let { settings(it) }
            return if (hasBody || settings == null) null else H2cUpgrade(request, settings)
        }

        /** The payload of a SETTINGS frame in base64url: two bytes of name and four of value each; null where it is not that. */
        private fun settings(text: String): Http2Settings? = try {
            val payload = Base64.getUrlDecoder().decode(text)
            require(payload.size % SETTING_BYTES == 0)
            val settings = Http2Settings()
            val buffer = java.nio.ByteBuffer.wrap(payload)
            while (buffer.hasRemaining()) settings.put(buffer.getChar(), java.lang.Long.valueOf(buffer.getInt().toLong() and 0xFFFFFFFFL))
            settings
        } catch (_: IllegalArgumentException) {
            null
        }
    }
}
