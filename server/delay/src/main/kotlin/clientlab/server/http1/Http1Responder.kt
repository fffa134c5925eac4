package clientlab.server.http1

import clientlab.server.answer.*
import clientlab.server.evidence.*
import clientlab.server.net.*
import clientlab.server.request.*
import io.netty.buffer.ByteBuf
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.socket.SocketChannel
import io.netty.util.concurrent.EventExecutor
import io.netty.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit

/**
 * Answers the requests of one HTTP/1 connection in their order, and closes it after the last. A pipelined request is never due before the
 * one in front of it, so one timer is enough; this object is its task, which saves one per request.
 */
internal class Http1Responder(
    private val port: DataPort,
    private val context: ChannelHandlerContext,
    private val encoder: Http1Encoder,
    openedAt: Long,
) : ResponseWriter,
    Runnable {
    private val waiting = ArrayDeque<Exchange>(1)
    private var timer: ScheduledFuture<*>? = null
    private var current: Exchange? = null // its answer is written in pieces, or stalls; the requests behind it wait
    private var isAnswering = false // run() is on the stack, and takes the next request by itself
    private var framing: Framing? = null // of the body that is being written, where its head does not say its length
    private var isCut = false // the last request was not read to its end, or others may follow that the server will not read
    var quietSince: Long = openedAt // when something was last written on this connection, or a body began to come

    override val executor: EventExecutor get() = context.executor()
    override val isWritable: Boolean get() = context.channel().isWritable
    override val canEndWithHead: Boolean get() = false
    val isIdle: Boolean get() = waiting.isEmpty() && current == null
    val isWriting: Boolean get() = current?.isWriting == true || !isWritable // the client takes time to read
    val pauseNanos: Long get() = current?.pauseNanos ?: 0

    /** Takes [exchange], which has arrived at [now], behind those that came before. */
    fun add(exchange: Exchange, now: Long) {
        if (waiting.isNotEmpty() && !exchange.answer.isDelayed && port.admission.isFull) {
            // A request that only waits for its turn takes room too; a client must not be able to pile such requests up.
            exchange.answer = port.admission.overloaded()
            endAt(exchange)
        }
        if (!isIdle) exchange.hold(now)
        waiting.lastOrNull()?.let { exchange.delayUntil(it.dueAt) }
        if (exchange.answer.behaviour.closes || exchange.endsConnection) endAt(exchange)
        waiting.addLast(exchange)
        if (waiting.size == 1) run() else keepReadingWithinBounds()
    }

    /** Makes [exchange] the last of the connection, though its client may go on sending. */
    fun endAt(exchange: Exchange) {
        exchange.isLast = true
        isCut = true
    }

    fun onWritable() {
        current?.onWritable()
        keepReadingWithinBounds()
    }

    fun onClosed() {
        timer?.cancel(false)
        timer = null
        current?.onClosed()
        while (waiting.isNotEmpty()) waiting.removeFirst().onClosed()
    }

    /** Gives the answers that are due, and sets the timer for the next one. A timer that fires a little early is simply set again. */
    override fun run() {
        timer = null
        isAnswering = true
        while (waiting.isNotEmpty() && current == null) {
            val next = waiting.first()
            val left = next.dueAt - System.nanoTime()
            if (left > 0) {
                timer = executor.schedule(this, left, TimeUnit.NANOSECONDS)
                break
            }
            waiting.removeFirst()
            next.give()
            if (next.isWaiting) current = next
        }
        isAnswering = false
        keepReadingWithinBounds()
    }

    override fun writeWhole(exchange: Exchange, body: ByteArray): ChannelFuture = write(exchange, body.size.toLong(), body)

    override fun writeHead(exchange: Exchange, length: Long, isAll: Boolean): ChannelFuture = write(exchange, length, null)

    private fun write(exchange: Exchange, length: Long, body: ByteArray?): ChannelFuture {
        val connection = when {
            exchange.answer.content is Content.Messages -> null

            // the answer says so itself
            exchange.isLast -> "close"

            exchange.protocol == Protocol.HTTP_1_0 -> "keep-alive"

            else -> null
        }
        val content = exchange.answer.content
        framing = when (content) {
            is Content.Messages -> WebSocketFrames(content.size)
            is Content.Events -> Chunks.takeIf { exchange.protocol != Protocol.HTTP_1_0 }
            else -> null
        }
        val isChunked = framing == Chunks
        return context.writeAndFlush(encoder.encode(exchange.answer, length, body, connection, context.alloc(), isChunked))
    }

    override fun write(piece: ByteBuf, isEnd: Boolean): ChannelFuture =
        context.writeAndFlush(framing?.frame(piece, isEnd, context.alloc()) ?: piece)

    /** A WebSocket ends with its connection, and so does a stream before HTTP/1.1, which has no chunks. */
    private val Exchange.endsConnection: Boolean
        get() = answer.content is Content.Messages || (answer.content is Content.Events && protocol == Protocol.HTTP_1_0)

    override fun onProgress(now: Long) {
        quietSince = now
    }

    override fun onOver(now: Long) = onProgress(now)

    override fun onAnswered(exchange: Exchange) {
        if (exchange.isLast) closeBehindAnswer()
        if (current !== exchange) return
        current = null
        if (!isAnswering) run()
    }

    override fun end(fault: Fault) {
        if (fault == Fault.CLOSE) {
            isCut = true
            return closeBehindAnswer()
        }
        // Not to linger at all is what makes the system send an RST.
        if (fault == Fault.RESET) (context.channel() as SocketChannel).config().soLinger = 0
        context.close()
    }

    /** Closes; in two steps if something may be left unread, because that makes a close a reset, which can overtake the answer. */
    private fun closeBehindAnswer() {
        val channel = context.channel() as SocketChannel
        if (isCut) {
            channel.shutdownOutput()
            executor.schedule({ channel.close() }, 500, TimeUnit.MILLISECONDS)
        } else {
            channel.close()
        }
    }

    /** A connection that piles up requests, or does not read its answers, is not read from until it has caught up. */
    private fun keepReadingWithinBounds() {
        val mayRead = waiting.size < port.maxInFlight && isWritable
        val config = context.channel().config()
        if (config.isAutoRead != mayRead) config.isAutoRead = mayRead
    }
}
