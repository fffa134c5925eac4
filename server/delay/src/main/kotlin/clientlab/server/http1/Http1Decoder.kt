package clientlab.server.http1

import clientlab.server.evidence.*
import clientlab.server.http2.*
import clientlab.server.net.*
import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufUtil
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelPipeline
import io.netty.handler.codec.http.HttpDecoderConfig
import io.netty.handler.codec.http.HttpRequestDecoder
import io.netty.handler.codec.http2.Http2CodecUtil

/**
 * Lets a connection speak HTTP/1.0 and 1.1, and h2c if the client begins with its preface or offers an upgrade. One event loop has one,
 * because its encoder is shared.
 */
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
