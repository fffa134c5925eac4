package clientlab.server

import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.socket.SocketChannel
import io.netty.handler.codec.DecoderResult
import io.netty.handler.codec.http.HttpContent
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpObject
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.HttpUtil
import io.netty.handler.codec.http.HttpVersion
import io.netty.handler.codec.http.LastHttpContent
import io.netty.handler.codec.http.TooLongHttpHeaderException
import io.netty.handler.codec.http.TooLongHttpLineException
import io.netty.util.ReferenceCountUtil
import io.netty.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit

/** What all connections of a data port share; belongs to its one event loop. */
internal class DataPort(
    val routes: DataRoutes,
    val evidence: ServerEvidence,
    val maxInFlight: Int,
    val bytes: AnswerBytes = AnswerBytes(),
)

/**
 * One HTTP/1 connection of the data port: holds each request for its delay, and answers in the order in which they came.
 *
 * A pipelined request is never due before the one in front of it, so one timer for the foremost is enough; the connection is
 * that timer's task itself, which saves an object a request.
 */
internal class HttpOneConnection(private val port: DataPort) : ChannelInboundHandlerAdapter(), Runnable {
    private class Exchange(val answer: Answer, val connection: String?, val arrivedAt: Long, val dueAt: Long, val isHeld: Boolean) {
        val isLast: Boolean get() = connection == "close"
    }

    private val evidence = port.evidence
    private val waiting = ArrayDeque<Exchange>(1)
    private lateinit var context: ChannelHandlerContext
    private var timer: ScheduledFuture<*>? = null

    // The request that is being read.
    private var answer: Answer? = null
    private var protocol = Protocol.HTTP_1_1
    private var connection: String? = null
    private var bodyBytes = 0L

    /** Nothing that still comes in is looked at: the last request of this connection has been read. */
    private var isDeaf = false

    /** The last request was not read to its end. */
    private var isCut = false

    override fun handlerAdded(ctx: ChannelHandlerContext) {
        context = ctx
    }

    override fun channelActive(ctx: ChannelHandlerContext) {
        evidence.connectionOpened()
        ctx.fireChannelActive()
    }

    override fun channelInactive(ctx: ChannelHandlerContext) {
        isDeaf = true
        timer?.cancel(false)
        timer = null
        val now = System.nanoTime()
        while (waiting.isNotEmpty()) abandon(waiting.removeFirst(), now)
        evidence.connectionClosed()
        ctx.fireChannelInactive()
    }

    override fun channelRead(ctx: ChannelHandlerContext, message: Any) {
        try {
            if (isDeaf || message !is HttpObject) return
            if (message.decoderResult().isFailure) return refuse(message.decoderResult())
            if (message is HttpRequest) begin(message)
            if (message is HttpContent) takeBody(message)
            if (message is LastHttpContent) end()
        } finally {
            ReferenceCountUtil.release(message)
        }
    }

    private fun begin(request: HttpRequest) {
        bodyBytes = 0
        val version = request.protocolVersion()
        val keepAlive = HttpUtil.isKeepAlive(request)
        when (version) {
            HttpVersion.HTTP_1_1 -> {
                val offersH2c = request.headers().get(HttpHeaderNames.UPGRADE)?.contains("h2c", ignoreCase = true) == true
                protocol = if (offersH2c) Protocol.H2C_UPGRADE_ASKED else Protocol.HTTP_1_1
                connection = if (keepAlive) null else "close"
            }

            HttpVersion.HTTP_1_0 -> {
                protocol = Protocol.HTTP_1_0
                connection = if (keepAlive) "keep-alive" else "close"
            }

            else -> {
                protocol = Protocol.OTHER
                return last(Answer(505, "$version is not spoken here: use HTTP/1.1."))
            }
        }
        answer = port.routes.answer(request.method(), request.uri())
        if (HttpUtil.getContentLength(request, 0L) > MOST_BODY_BYTES) return last(TOO_LARGE)
        if (HttpUtil.is100ContinueExpected(request)) context.writeAndFlush(context.alloc().buffer().writeBytes(CONTINUE))
    }

    private fun takeBody(content: HttpContent) {
        bodyBytes += content.content().readableBytes()
        if (!isDeaf && bodyBytes > MOST_BODY_BYTES) last(TOO_LARGE)
    }

    private fun end() {
        val answer = answer ?: return
        this.answer = null
        arrive(answer)
    }

    private fun refuse(result: DecoderResult) {
        protocol = Protocol.MALFORMED
        last(
            when (result.cause()) {
                is TooLongHttpLineException -> Answer(414, "The request line is longer than $MOST_LINE_BYTES bytes: shorten it.")
                is TooLongHttpHeaderException -> Answer(431, "The headers are longer than $MOST_HEADER_BYTES bytes: send fewer.")
                else -> Answer(400, "This is not an HTTP request: send one such as GET /delay?delay=1.5 HTTP/1.1.")
            },
        )
    }

    /** Answers a request that need not be read to its end, after which nothing more is read. */
    private fun last(answer: Answer) {
        connection = "close"
        isCut = true
        this.answer = null
        arrive(answer)
    }

    private fun arrive(answer: Answer) {
        val now = System.nanoTime()
        evidence.arrived(protocol, now)
        val given = if (answer.isDelayed && evidence.inFlight >= port.maxInFlight) overloaded() else answer
        val isHeld = given.isDelayed || waiting.isNotEmpty()
        var dueAt = now + maxOf(given.delayNanos, 0)
        waiting.lastOrNull()?.let { if (it.dueAt - dueAt > 0) dueAt = it.dueAt }
        val exchange = Exchange(given, connection, now, dueAt, isHeld)
        if (exchange.isLast) isDeaf = true
        waiting.addLast(exchange)
        if (isHeld) evidence.held(now)
        if (waiting.size == 1) run() else keepReadingWithinBounds()
    }

    private fun overloaded() = Answer(
        503,
        "${port.maxInFlight} requests are in flight already: ask for fewer, or start the server with a larger --max-in-flight.",
    )

    /** Answers what is due, and sets the timer for what comes next. A timer that fires a hair early is simply set again. */
    override fun run() {
        timer = null
        while (waiting.isNotEmpty()) {
            val next = waiting.first()
            val left = next.dueAt - System.nanoTime()
            if (left > 0) {
                timer = context.executor().schedule(this, left, TimeUnit.NANOSECONDS)
                break
            }
            waiting.removeFirst()
            write(next)
        }
        keepReadingWithinBounds()
    }

    private fun write(exchange: Exchange) {
        val written = context.writeAndFlush(port.bytes.encode(exchange.answer, exchange.connection, context.alloc()))
        // Almost always done by now; a client that does not read makes us wait.
        if (written.isDone) settle(exchange, written) else written.addListener { settle(exchange, written) }
    }

    private fun settle(exchange: Exchange, written: ChannelFuture) {
        val now = System.nanoTime()
        if (!written.isSuccess) return abandon(exchange, now)
        if (exchange.isHeld) evidence.released(now)
        evidence.answered(exchange.answer, exchange.arrivedAt, exchange.dueAt, now)
        if (exchange.isLast) leave()
    }

    private fun abandon(exchange: Exchange, now: Long) {
        if (exchange.isHeld) evidence.released(now)
        evidence.abandoned()
    }

    /** Closes; in two steps where something may be left unread, for that makes a close a reset, which can overtake the answer. */
    private fun leave() {
        val channel = context.channel() as SocketChannel
        if (isCut) {
            channel.shutdownOutput()
            context.executor().schedule({ channel.close() }, LINGER_MS, TimeUnit.MILLISECONDS)
        } else {
            channel.close()
        }
    }

    override fun channelWritabilityChanged(ctx: ChannelHandlerContext) {
        keepReadingWithinBounds()
        ctx.fireChannelWritabilityChanged()
    }

    /** A connection that piles up requests, or does not read its answers, is not read from until it has caught up. */
    private fun keepReadingWithinBounds() {
        val mayRead = waiting.size < port.maxInFlight && context.channel().isWritable
        val config = context.channel().config()
        if (config.isAutoRead != mayRead) config.isAutoRead = mayRead
    }

    /** What goes wrong on one connection ends that one alone. */
    @Deprecated("Netty's interface declares it so")
    override fun exceptionCaught(ctx: ChannelHandlerContext, cause: Throwable) {
        ctx.close()
    }

    internal companion object {
        const val MOST_LINE_BYTES: Int = 8_192
        const val MOST_HEADER_BYTES: Int = 16_384
        private const val MOST_BODY_BYTES = 1_048_576L
        private const val LINGER_MS = 500L
        private val TOO_LARGE = Answer(413, "The body is longer than $MOST_BODY_BYTES bytes: send less.")
        private val CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".encodeToByteArray()
    }
}
