package clientlab.server.http2

import io.netty.buffer.ByteBuf
import io.netty.channel.ChannelHandlerContext
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpHeaderValues
import io.netty.handler.codec.http.HttpMethod
import io.netty.handler.codec.http2.Http2Error
import io.netty.handler.codec.http2.Http2Exception
import io.netty.handler.codec.http2.Http2Flags
import io.netty.handler.codec.http2.Http2FrameAdapter
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.Http2Settings

/** Reads the frames of one connection, after the codec has found them right, and gives each to the handler of its stream. */
internal class Http2RequestReader(private val handler: Http2Handler) : Http2FrameAdapter() {
    private val port = handler.port

    override fun onHeadersRead(ctx: ChannelHandlerContext, streamId: Int, headers: Http2Headers, padding: Int, endOfStream: Boolean) {
        val stream = handler.connection().stream(streamId)
        val known = handler.handlerOf(stream)
        if (known != null) {
            // Trailers are ignored.
            if (endOfStream) known.onEnd()
            return
        }
        if (port.openStreams >= port.mostOpenStreams) {
            val refusal = "This server holds ${port.openStreams} streams already."
            throw Http2Exception.streamError(streamId, Http2Error.REFUSED_STREAM, refusal)
        }
        val method = headers.method()?.let { name -> runCatching { HttpMethod.valueOf("$name") }.getOrNull() }
        val target = headers.path()?.toString().orEmpty()
        if (method == null || target.isEmpty() || headers.scheme().isNullOrEmpty()) {
            throw Http2Exception.streamError(streamId, Http2Error.PROTOCOL_ERROR, "A request needs :method, :scheme and :path.")
        }
        val contentLength = headers.getLong(HttpHeaderNames.CONTENT_LENGTH, 0L)
        val asksToContinue = headers.contains(HttpHeaderNames.EXPECT, HttpHeaderValues.CONTINUE)
        val begun = handler.begin(stream, method, target, headers.get(HttpHeaderNames.ACCEPT)?.toString())
        begun.begin(contentLength, asksToContinue, endOfStream)
    }

    override fun onHeadersRead(
        ctx: ChannelHandlerContext,
        streamId: Int,
        headers: Http2Headers,
        streamDependency: Int,
        weight: Short,
        exclusive: Boolean,
        padding: Int,
        endOfStream: Boolean,
    ) = onHeadersRead(ctx, streamId, headers, padding, endOfStream)

    override fun onDataRead(ctx: ChannelHandlerContext, streamId: Int, data: ByteBuf, padding: Int, endOfStream: Boolean): Int {
        val taken = data.readableBytes() + padding
        val stream = handlerOf(streamId) ?: return taken
        stream.onData(data)
        if (endOfStream) stream.onEnd()
        return taken
    }

    override fun onRstStreamRead(ctx: ChannelHandlerContext, streamId: Int, errorCode: Long) {
        val stream = handlerOf(streamId) ?: return
        if (System.nanoTime() - stream.begunAt < FloodGuard.RAPID_NANOS) handler.guard()
    }

    override fun onPingRead(ctx: ChannelHandlerContext, data: Long) = handler.guard()

    override fun onSettingsRead(ctx: ChannelHandlerContext, settings: Http2Settings) = handler.guard()

    override fun onPriorityRead(ctx: ChannelHandlerContext, streamId: Int, dependency: Int, weight: Short, exclusive: Boolean) =
        handler.guard()

    override fun onUnknownFrame(ctx: ChannelHandlerContext, type: Byte, streamId: Int, flags: Http2Flags, payload: ByteBuf) =
        handler.guard()

    private fun handlerOf(streamId: Int): Http2StreamHandler? = handler.connection().stream(streamId)?.let { handler.handlerOf(it) }
}

/**
 * Counts the frames that make the server work without asking for an answer. It allows [MOST] in [WINDOW_NANOS] from the first of them on,
 * ten times what the busiest client here sends. A reset of a stream that waited [RAPID_NANOS] does not count (DECISIONS.md).
 */
internal class FloodGuard {
    private var begunAt = 0L
    private var count = 0

    /** Counts one more; false if it is one too many. */
    fun allows(now: Long): Boolean {
        if (count == 0 || now - begunAt >= WINDOW_NANOS) {
            begunAt = now
            count = 0
        }
        return ++count <= MOST
    }

    companion object {
        const val MOST: Int = 1_000
        const val WINDOW_NANOS: Long = 10_000_000_000
        const val RAPID_NANOS: Long = 10_000_000
    }
}
