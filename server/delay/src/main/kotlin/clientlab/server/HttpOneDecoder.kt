package clientlab.server

import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufUtil
import io.netty.channel.ChannelHandlerContext
import io.netty.handler.codec.ByteToMessageDecoder
import io.netty.handler.codec.http2.Http2CodecUtil

/**
 * Looks at the first bytes of a connection in cleartext: they are the preface of HTTP/2 (RFC 9113, 3.4), or HTTP/1 begins.
 *
 * It leaves the pipeline as soon as that is known, so that telling the protocols apart costs a connection once and a request nothing.
 */
internal class PrefaceWatch(private val port: DataPort, private val wire: DataConnection) : ByteToMessageDecoder() {
    override fun decode(ctx: ChannelHandlerContext, input: ByteBuf, out: MutableList<Any>) {
        val looked = minOf(input.readableBytes(), PREFACE.readableBytes())
        val isPreface = ByteBufUtil.equals(input, input.readerIndex(), PREFACE, 0, looked)
        if (isPreface && looked < PREFACE.readableBytes()) return
        if (isPreface) ctx.pipeline().speakHttpTwo(port, wire, Protocol.H2C) else ctx.pipeline().speakHttpOne(port, wire)
        // What has been read goes on to whoever has just been added.
        ctx.pipeline().remove(this)
    }

    private companion object {
        val PREFACE: ByteBuf = Http2CodecUtil.connectionPrefaceBuf()
    }
}
