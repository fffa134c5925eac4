package clientlab.server.http1

import clientlab.server.evidence.Protocol
import clientlab.server.http2.Http2Pipeline
import clientlab.server.net.DataConnection
import clientlab.server.net.DataPort
import clientlab.server.net.MAX_HEADER_BYTES
import clientlab.server.net.MAX_LINE_BYTES
import clientlab.server.net.MAX_READ_BYTES
import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufUtil
import io.netty.channel.ChannelHandlerContext
import io.netty.handler.codec.http.HttpDecoderConfig
import io.netty.handler.codec.http.HttpRequestDecoder
import io.netty.handler.codec.http2.Http2CodecUtil

/**
 * Decodes the requests of an HTTP/1 connection, and first looks whether it is one: it may begin with the preface of HTTP/2 (RFC 9113, 3.4).
 *
 * A connection is made for HTTP/1, and made anew only where that is wrong, so that telling the two apart costs a client of HTTP/1 one byte
 * looked at, and a request nothing.
 */
internal class Http1Decoder(private val wire: DataConnection, private val http2: Http2Pipeline) : HttpRequestDecoder(HTTP_ONE) {
    private var isHttpOne = false

    override fun decode(ctx: ChannelHandlerContext, input: ByteBuf, out: MutableList<Any>) {
        if (!isHttpOne) {
            val looked = minOf(input.readableBytes(), PREFACE.readableBytes())
            val isPreface = ByteBufUtil.equals(input, input.readerIndex(), PREFACE, 0, looked)
            if (isPreface) return if (looked == PREFACE.readableBytes()) goOnInHttpTwo(ctx) else Unit
            isHttpOne = true
        }
        super.decode(ctx, input, out)
    }

    /** What has been read goes on to HTTP/2 as soon as this has left. */
    private fun goOnInHttpTwo(ctx: ChannelHandlerContext) {
        val pipeline = ctx.pipeline()
        pipeline.remove(Http1Handler::class.java)
        http2.addTo(pipeline, wire, Protocol.H2C)
        pipeline.remove(this)
    }

    private companion object {
        val PREFACE: ByteBuf = Http2CodecUtil.connectionPrefaceBuf()
        val HTTP_ONE: HttpDecoderConfig = HttpDecoderConfig()
            .setMaxInitialLineLength(MAX_LINE_BYTES)
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setMaxChunkSize(MAX_READ_BYTES)
    }
}
