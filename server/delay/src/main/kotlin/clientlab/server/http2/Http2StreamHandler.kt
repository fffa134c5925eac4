package clientlab.server.http2

import clientlab.server.answer.*
import clientlab.server.request.*
import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelFuture
import io.netty.handler.codec.http2.Http2Error
import io.netty.handler.codec.http2.Http2Stream
import io.netty.util.concurrent.EventExecutor
import io.netty.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit

/** Handles one stream of an HTTP/2 connection, which carries one request and waits for no other; it is its own timer's task. */
internal class Http2StreamHandler(
    private val connection: Http2Handler,
    private val stream: Http2Stream,
    answer: Answer,
    target: String,
) : ResponseWriter,
    Runnable {
    private val port = connection.port
    private val exchange = Exchange(port.admission, this, connection.seen, connection.protocol, answer, queryNumber(target, "a"))
    val begunAt: Long = System.nanoTime() // the head had been read
    private var timer: ScheduledFuture<*>? = null
    private var isReadToEnd = false
    private var touchedAt = begunAt // when the last of the answer was written, or a piece of it was taken

    override val executor: EventExecutor get() = connection.context.executor()
    override val isWritable: Boolean get() = connection.encoder().flowController().isWritable(stream)
    override val canEndWithHead: Boolean get() = true

    /** To be reset behind a full answer, a stream must not have ended with it. */
    private val endsStream: Boolean get() = exchange.answer.behaviour.run { !(failsAfter && fault == Fault.RESET) }

    /** The head has been read; [asksToContinue] if the client wants an answer before it sends the body. */
    fun begin(contentLength: Long, asksToContinue: Boolean, isEnd: Boolean) {
        isReadToEnd = isEnd
        exchange.record(begunAt)
        val refusal = exchange.begin(contentLength, begunAt)
        when {
            refusal != null -> arrive(refusal)
            isEnd -> onEnd()
            asksToContinue -> connection.head(stream, Http2HeadEncoder.CONTINUE, isEnd = false)
        }
    }

    fun onData(data: ByteBuf) {
        if (exchange.isReading) exchange.take(data)?.let { arrive(it) }
    }

    fun onEnd() {
        isReadToEnd = true
        if (exchange.isReading) arrive()
    }

    private fun arrive(refusal: Answer? = null) {
        exchange.arrive(System.nanoTime(), refusal)
        run()
    }

    /** Answers when that is due. A timer that fires a little early is simply set again. */
    override fun run() {
        timer = null
        if (!exchange.isWaiting) return
        val left = exchange.dueAt - System.nanoTime()
        if (left > 0) timer = executor.schedule(this, left, TimeUnit.NANOSECONDS) else exchange.give()
    }

    fun onWritable() = exchange.onWritable()

    fun onClosed() {
        timer?.cancel(false)
        timer = null
        exchange.onClosed(connection.purpose)
    }

    /** Resets the stream if its client takes too long to send the request, or to read the answer. */
    fun resetIfOverdue(now: Long) {
        val left = when {
            exchange.isReading -> begunAt + port.patienceNanos(exchange.bodyBytes) - now
            exchange.isWriting -> touchedAt + port.idleNanos + exchange.pauseNanos - now
            else -> return
        }
        if (left > 0) return
        port.evidence.counts.streamErrors++
        reset(Http2Error.CANCEL)
    }

    override fun writeWhole(exchange: Exchange, body: ByteArray): ChannelFuture {
        touchedAt = System.nanoTime()
        val head = writeHead(exchange, body.size.toLong(), isAll = body.isEmpty())
        return if (body.isEmpty()) head else connection.data(stream, Unpooled.wrappedBuffer(body), endsStream)
    }

    override fun writeHead(exchange: Exchange, length: Long, isAll: Boolean): ChannelFuture =
        connection.head(stream, connection.heads.encode(exchange.answer, length), isAll && endsStream)

    override fun write(piece: ByteBuf, isEnd: Boolean): ChannelFuture = connection.data(stream, piece, isEnd && endsStream)

    override fun onProgress(now: Long) {
        touchedAt = now
    }

    override fun onOver(now: Long) = connection.stirred(now)

    override fun onAnswered(exchange: Exchange) {
        // The rest of a request that was answered before its end need not be sent: RFC 9113, 8.1.
        if (!isReadToEnd && !exchange.answer.behaviour.closes) reset(Http2Error.NO_ERROR)
        if (exchange.answer.behaviour.closes) connection.leaveWhenOver()
    }

    override fun onWriteFailed() = reset(Http2Error.INTERNAL_ERROR)

    override fun end(fault: Fault) = when (fault) {
        Fault.RESET -> reset(Http2Error.INTERNAL_ERROR)
        Fault.STALL -> reset(Http2Error.CANCEL)
        else -> connection.end(fault)
    }

    private fun reset(error: Http2Error) = connection.reset(stream, error)
}
