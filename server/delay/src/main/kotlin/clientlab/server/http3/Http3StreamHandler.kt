package clientlab.server.http3

import clientlab.server.answer.*
import clientlab.server.evidence.*
import clientlab.server.request.*
import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelHandlerContext
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpHeaderValues
import io.netty.handler.codec.http.HttpMethod
import io.netty.handler.codec.http.HttpResponseStatus
import io.netty.handler.codec.http3.DefaultHttp3DataFrame
import io.netty.handler.codec.http3.DefaultHttp3Headers
import io.netty.handler.codec.http3.DefaultHttp3HeadersFrame
import io.netty.handler.codec.http3.Http3DataFrame
import io.netty.handler.codec.http3.Http3Exception
import io.netty.handler.codec.http3.Http3Headers
import io.netty.handler.codec.http3.Http3HeadersFrame
import io.netty.handler.codec.http3.Http3RequestStreamFrame
import io.netty.handler.codec.http3.Http3RequestStreamInboundHandler
import io.netty.handler.codec.quic.QuicException
import io.netty.handler.codec.quic.QuicStreamChannel
import io.netty.util.concurrent.EventExecutor
import io.netty.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit

/** Handles one stream of an HTTP/3 connection, which carries one request and waits for no other; it is its own timer's task. */
internal class Http3StreamHandler(private val connection: Http3Connection, private val stream: QuicStreamChannel) :
    Http3RequestStreamInboundHandler(),
    ResponseWriter,
    Runnable {
    private val port = connection.port
    private var begun: Exchange? = null // once the head has been read
    private var timer: ScheduledFuture<*>? = null
    private var isReadToEnd = false
    private var touchedAt = 0L // when the last of the answer was written, or a piece of it was taken

    val id: Long get() = stream.streamId()
    var begunAt: Long = 0L // the head had been read
        private set

    override val executor: EventExecutor get() = stream.eventLoop()
    override val isWritable: Boolean get() = stream.isWritable
    override val canEndWithHead: Boolean get() = true

    override fun channelRead(ctx: ChannelHandlerContext, frame: Http3HeadersFrame) {
        if (begun == null) begin(frame.headers()) // otherwise trailers, which are ignored
    }

    override fun channelRead(ctx: ChannelHandlerContext, frame: Http3DataFrame) {
        try {
            val exchange = begun ?: return
            if (exchange.isReading) exchange.take(frame.content())?.let { arrive(exchange, it) }
        } finally {
            frame.release()
        }
    }

    override fun channelInputClosed(ctx: ChannelHandlerContext) {
        isReadToEnd = true
        begun?.let { if (it.isReading) arrive(it) }
    }

    private fun begin(head: Http3Headers) {
        begunAt = System.nanoTime()
        touchedAt = begunAt
        if (port.openStreams >= port.mostOpenStreams) return refuse(Http3Code.REQUEST_REJECTED)
        val method = head.method()?.let { name -> runCatching { HttpMethod.valueOf("$name") }.getOrNull() }
        val target = head.path()?.toString().orEmpty()
        if (method == null || target.isEmpty() || head.scheme().isNullOrEmpty()) return refuse(Http3Code.MESSAGE_ERROR)
        val answer = connection.begin(this, method, target, head[HttpHeaderNames.ACCEPT]?.toString())
        val exchange = Exchange(port.admission, this, connection.seen, Protocol.H3, answer, queryNumber(target, "a"))
        begun = exchange
        exchange.record(begunAt)
        val refusal = exchange.begin(head.getLong(HttpHeaderNames.CONTENT_LENGTH, 0L), begunAt)
        when {
            refusal != null -> arrive(exchange, refusal)
            head.contains(HttpHeaderNames.EXPECT, HttpHeaderValues.CONTINUE) -> stream.writeAndFlush(DefaultHttp3HeadersFrame(CONTINUE))
        }
    }

    private fun refuse(code: Int) {
        port.evidence.counts.streamErrors++
        reset(code)
    }

    private fun arrive(exchange: Exchange, refusal: Answer? = null) {
        exchange.arrive(System.nanoTime(), refusal)
        run()
    }

    /** Answers when that is due. A timer that fires a little early is simply set again. */
    override fun run() {
        timer = null
        val exchange = begun?.takeIf { it.isWaiting } ?: return
        val left = exchange.dueAt - System.nanoTime()
        if (left > 0) timer = executor.schedule(this, left, TimeUnit.NANOSECONDS) else exchange.give()
    }

    override fun channelWritabilityChanged(ctx: ChannelHandlerContext) {
        if (stream.isWritable) begun?.onWritable()
        ctx.fireChannelWritabilityChanged()
    }

    override fun channelInactive(ctx: ChannelHandlerContext) {
        timer?.cancel(false)
        timer = null
        begun?.onClosed(connection.purpose)
        connection.over(this)
        ctx.fireChannelInactive()
    }

    /** The client has reset the stream, or what it sent cannot be read. */
    override fun handleQuicException(ctx: ChannelHandlerContext, exception: QuicException) {
        stream.close()
    }

    override fun handleHttp3Exception(ctx: ChannelHandlerContext, exception: Http3Exception) {
        port.evidence.counts.connectionErrors++
    }

    /** Resets the stream if its client takes too long to send the request, or to read the answer. */
    fun resetIfOverdue(now: Long) {
        val exchange = begun ?: return
        val left = when {
            exchange.isReading -> begunAt + port.patienceNanos(exchange.bodyBytes) - now
            exchange.isWriting -> touchedAt + port.idleNanos + exchange.pauseNanos - now
            else -> return
        }
        if (left <= 0) refuse(Http3Code.REQUEST_CANCELLED)
    }

    override fun writeWhole(exchange: Exchange, body: ByteArray): ChannelFuture {
        touchedAt = System.nanoTime()
        val head = writeHead(exchange, body.size.toLong(), isAll = body.isEmpty())
        return if (body.isEmpty()) head else write(Unpooled.wrappedBuffer(body), isEnd = true)
    }

    override fun writeHead(exchange: Exchange, length: Long, isAll: Boolean): ChannelFuture =
        send(DefaultHttp3HeadersFrame(connection.heads.encode(exchange.answer, length)), isAll)

    override fun write(piece: ByteBuf, isEnd: Boolean): ChannelFuture = send(DefaultHttp3DataFrame(piece), isEnd)

    /** Writes a frame, and behind the last one the end of the stream: only once that frame is written, because the end would overtake it. */
    private fun send(frame: Http3RequestStreamFrame, isEnd: Boolean): ChannelFuture {
        val written = stream.writeAndFlush(frame)
        return if (isEnd && endsStream) written.addListener(QuicStreamChannel.SHUTDOWN_OUTPUT) else written
    }

    /** To be reset behind a full answer, a stream must not have ended with it. */
    private val endsStream: Boolean get() = begun?.answer?.behaviour?.run { failsAfter && fault == Fault.RESET } != true

    override fun onProgress(now: Long) {
        touchedAt = now
    }

    override fun onOver(now: Long) = connection.stirred(now)

    override fun onAnswered(exchange: Exchange) {
        // The rest of a request that was answered before its end need not be sent: RFC 9114, 4.1.
        if (!isReadToEnd && !exchange.answer.behaviour.closes) stream.shutdownInput(Http3Code.NO_ERROR)
        if (exchange.answer.behaviour.closes) connection.leaveWhenOver()
    }

    override fun onWriteFailed() = reset(Http3Code.INTERNAL_ERROR)

    override fun end(fault: Fault) = when (fault) {
        Fault.RESET -> reset(Http3Code.INTERNAL_ERROR)
        Fault.STALL -> reset(Http3Code.REQUEST_CANCELLED)
        else -> connection.end(fault)
    }

    private fun reset(code: Int) {
        if (!stream.isActive) return
        stream.shutdown(code)
        stream.close()
    }

    private companion object {
        val CONTINUE: Http3Headers = DefaultHttp3Headers(false).status(HttpResponseStatus.CONTINUE.codeAsText())
    }
}
