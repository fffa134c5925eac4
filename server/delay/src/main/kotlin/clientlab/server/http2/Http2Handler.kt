package clientlab.server.http2

import clientlab.server.answer.*
import clientlab.server.evidence.*
import clientlab.server.net.*
import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelHandlerContext
import io.netty.handler.codec.http.HttpMethod
import io.netty.handler.codec.http2.Http2CodecUtil
import io.netty.handler.codec.http2.Http2Connection
import io.netty.handler.codec.http2.Http2ConnectionAdapter
import io.netty.handler.codec.http2.Http2ConnectionDecoder
import io.netty.handler.codec.http2.Http2ConnectionEncoder
import io.netty.handler.codec.http2.Http2ConnectionHandler
import io.netty.handler.codec.http2.Http2Error
import io.netty.handler.codec.http2.Http2Exception
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.Http2Settings
import io.netty.handler.codec.http2.Http2Stream

/**
 * Handles one HTTP/2 connection of the data port (RFC 9113); each stream has its own [Http2StreamHandler], and no channel (DECISIONS.md).
 * Answers that are due together are flushed together, after the timers of the same turn.
 */
internal class Http2Handler(
    decoder: Http2ConnectionDecoder,
    encoder: Http2ConnectionEncoder,
    settings: Http2Settings,
    val port: DataPort,
    private val wire: DataConnection,
    val protocol: Protocol,
    val heads: Http2HeadEncoder,
) : Http2ConnectionHandler(decoder, encoder, settings, true),
    ProtocolHandler {
    val seen: ConnectionRecord = wire.seen
    private val streams: Http2Connection.PropertyKey = connection().newKey()
    private val floodGuard = FloodGuard()
    private val flushNow = Runnable {
        unflushed = 0
        flush(context)
    }
    private var unflushed = 0
    private var quietSince = seen.openedAt
    private var isNew = true
    private var isRefused = false // the client made a connection error and has been told so
    private var isLeaving = false // the connection closes when its last stream is over

    lateinit var context: ChannelHandlerContext
        private set
    var purpose: Fault = Fault.NONE // how this connection ends, if a request asked for that
        private set

    init {
        connection().addListener(StreamListener())
        encoder.flowController().listener { stream -> handlerOf(stream)?.onWritable() }
        decoder.frameListener(Http2RequestReader(this))
    }

    override fun handlerAdded(ctx: ChannelHandlerContext) {
        context = ctx
        wire.handler = this
        super.handlerAdded(ctx)
        // The settings cannot say the window of the whole connection.
        val more = Http2Pipeline.WINDOW_BYTES - Http2CodecUtil.DEFAULT_WINDOW_SIZE
        decoder().flowController().incrementWindowSize(connection().connectionStream(), more)
    }

    /** The request that upgraded the connection gets its answer on stream 1. */
    fun upgraded(method: HttpMethod, target: String, accept: String?) {
        val stream = connection().stream(Http2CodecUtil.HTTP_UPGRADE_STREAM_ID)
        begin(stream, method, target, accept).begin(contentLength = 0, asksToContinue = false, isEnd = true)
    }

    override fun leave() {
        sayGoodbye()
        context.close()
    }

    /** Takes no new requests, and closes when the last request is over. */
    fun leaveWhenOver() {
        if (isLeaving) return
        isLeaving = true
        sayGoodbye()
        closeIfOver()
    }

    /** Closes without a goodbye, because a request asked for that; HTTP/2 has no reset of a whole connection. */
    fun end(fault: Fault) {
        purpose = fault
        context.close()
    }

    fun reset(stream: Http2Stream, error: Http2Error) {
        if (stream.state() == Http2Stream.State.CLOSED || !context.channel().isActive) return
        resetStream(context, stream.id(), error.code(), context.newPromise())
        flushSoon()
    }

    fun head(stream: Http2Stream, headers: Http2Headers, isEnd: Boolean): ChannelFuture =
        encoder().writeHeaders(context, stream.id(), headers, 0, isEnd, context.newPromise()).also { flushSoon() }

    fun data(stream: Http2Stream, bytes: ByteBuf, isEnd: Boolean): ChannelFuture =
        encoder().writeData(context, stream.id(), bytes, 0, isEnd, context.newPromise()).also { flushSoon() }

    private fun flushSoon() {
        unflushed++
        when {
            unflushed == 1 -> context.executor().execute(flushNow)
            unflushed % FRAMES_PER_FLUSH == 0 -> flush(context)
        }
    }

    private fun sayGoodbye() {
        val last = connection().remote().lastStreamCreated()
        goAway(context, last, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, context.newPromise())
        flush(context)
    }

    private fun closeIfOver() {
        if (!isLeaving || connection().numActiveStreams() > 0) return
        // A stream is over when its last frame has been written, but that frame has not left yet.
        context.executor().execute { context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener { context.close() } }
    }

    override fun channelWritabilityChanged(ctx: ChannelHandlerContext) {
        super.channelWritabilityChanged(ctx)
        // A client that does not read its answers is not read from until it has caught up.
        val config = ctx.channel().config()
        if (config.isAutoRead != ctx.channel().isWritable) config.isAutoRead = ctx.channel().isWritable
    }

    override fun onStreamError(ctx: ChannelHandlerContext, outbound: Boolean, cause: Throwable, failed: Http2Exception.StreamException) {
        if (!outbound) port.evidence.counts.streamErrors++
        if (floodGuard.allows(System.nanoTime())) super.onStreamError(ctx, outbound, cause, failed) else onError(ctx, false, tooMuch())
    }

    override fun onConnectionError(ctx: ChannelHandlerContext, outbound: Boolean, cause: Throwable, failed: Http2Exception?) {
        if (!outbound && !isRefused) port.evidence.counts.connectionErrors++
        isRefused = true
        super.onConnectionError(ctx, outbound, cause, failed)
    }

    /** After a connection error nothing more is decoded, not even bytes that have been read already. */
    override fun decode(ctx: ChannelHandlerContext, input: ByteBuf, out: MutableList<Any>) {
        if (isRefused) input.skipBytes(input.readableBytes()) else super.decode(ctx, input, out)
    }

    fun begin(stream: Http2Stream, method: HttpMethod, target: String, accept: String?): Http2StreamHandler {
        isNew = false
        val begun = Http2StreamHandler(this, stream, answer(method, target, accept), target)
        quietSince = begun.begunAt
        stream.setProperty(streams, begun)
        port.openStreams++
        return begun
    }

    /** On a connection that is one too many the first request is the last. */
    private fun answer(method: HttpMethod, target: String, accept: String?): Answer {
        if (!wire.isSurplus) return port.admission.answer(method, target) { accept }
        return port.admission.tooManyConnections().also { leaveWhenOver() }
    }

    /** A client that waits for an answer is not idle; each stream knows whether it waits for its client. */
    override fun closeIfOverdue(now: Long) {
        connection().forEachActiveStream { stream ->
            handlerOf(stream)?.resetIfOverdue(now)
            true
        }
        val isQuiet = connection().numActiveStreams() == 0 || !context.channel().isWritable
        if (!isQuiet || now - quietSince < (if (isNew) port.headNanos else port.idleNanos)) return
        port.evidence.counts.connectionsTimedOut++
        leave()
    }

    fun stirred(now: Long) {
        quietSince = now
    }

    fun handlerOf(stream: Http2Stream): Http2StreamHandler? = stream.getProperty(streams)

    /** Counts a frame that asks for work and for no answer; throws if there are too many. */
    fun guard() {
        if (!floodGuard.allows(System.nanoTime())) throw tooMuch()
    }

    private fun tooMuch(): Http2Exception {
        val reason = "More than ${FloodGuard.MOST} frames that ask for work and for no answer."
        return Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, reason)
    }

    private inner class StreamListener : Http2ConnectionAdapter() {
        override fun onStreamClosed(stream: Http2Stream) {
            val closed = handlerOf(stream) ?: return
            port.openStreams--
            closed.onClosed()
            closeIfOver()
        }
    }
}

private const val FRAMES_PER_FLUSH = 64
