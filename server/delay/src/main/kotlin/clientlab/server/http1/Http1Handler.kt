package clientlab.server.http1

import clientlab.server.answer.Answer
import clientlab.server.answer.Body
import clientlab.server.answer.Content
import clientlab.server.answer.Fault
import clientlab.server.answer.bodyOf
import clientlab.server.evidence.Protocol
import clientlab.server.evidence.RequestTable
import clientlab.server.net.DataConnection
import clientlab.server.net.DataPort
import clientlab.server.net.ProtocolHandler
import clientlab.server.request.BodyStream
import clientlab.server.request.ConnectionOutlet
import clientlab.server.request.Exchange
import clientlab.server.request.NOT_WHOLE
import clientlab.server.request.Upload
import clientlab.server.request.queryNumber
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.socket.SocketChannel
import io.netty.handler.codec.DecoderResult
import io.netty.handler.codec.http.HttpContent
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpMethod
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

/**
 * One HTTP/1 connection of the data port: holds each request for its delay, and answers in the order in which they came.
 *
 * A pipelined request is never due before the one in front of it, so one timer for the foremost is enough; the connection is
 * that timer's task itself, which saves an object a request.
 */
internal class Http1Handler(private val port: DataPort, private val wire: DataConnection) :
    ChannelInboundHandlerAdapter(),
    Runnable,
    ProtocolHandler {
    private val evidence = port.evidence
    private val seen = wire.seen
    private val waiting = ArrayDeque<Exchange>(1)
    private lateinit var context: ChannelHandlerContext
    private var timer: ScheduledFuture<*>? = null

    /** The answer that is being written block by block; those behind it wait. */
    private var streamed: Exchange? = null
    private var stream: BodyStream? = null

    /** Why this connection ends, where a request asked for that. */
    private var purpose = Fault.NONE

    /** [run] is on the stack, and takes the next by itself. */
    private var isAnswering = false

    // The request that is being read.
    private var answer: Answer? = null
    private var protocol = Protocol.HTTP_1_1
    private var connection: String? = null
    private var bodyBytes = 0L
    private var number = NOT_WHOLE
    private var upload: Upload? = null
    private var offer: H2cUpgrade? = null

    /** When the server was last done with something on this connection, or its client with a part of its own; the sooner of both counts. */
    private var quietSince = seen.openedAt
    private var isNew = true

    /** Nothing that still comes in is looked at: the last request of this connection has been read. */
    private var isDeaf = false

    /** The last request was not read to its end, or others may follow that nobody will read. */
    private var isCut = false

    override fun handlerAdded(ctx: ChannelHandlerContext) {
        context = ctx
        wire.handler = this
    }

    override fun channelInactive(ctx: ChannelHandlerContext) {
        isDeaf = true
        timer?.cancel(false)
        timer = null
        val now = System.nanoTime()
        if (upload != null) {
            evidence.released(now)
            abandoned()
        }
        upload = null
        streamed?.let { abandon(it, now) }
        streamed = null
        stream?.cancel()
        stream = null
        while (waiting.isNotEmpty()) abandon(waiting.removeFirst(), now)
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

    /** Nobody who waits for an answer is idle; nor is a connection on which bytes come and go. */
    override fun closeIfOverdue(now: Long) {
        val isReading = answer != null
        val most = when {
            isReading -> port.patienceNanos(bodyBytes)
            stream != null || !context.channel().isWritable -> port.idleNanos + (stream?.pauseNanos ?: 0)
            streamed != null || waiting.isNotEmpty() -> return
            isNew -> port.headNanos
            else -> port.idleNanos
        }
        if (now - quietSince < most) return
        evidence.connectionTimedOut()
        context.close()
    }

    private fun begin(request: HttpRequest) {
        isNew = false
        bodyBytes = 0
        val version = request.protocolVersion()
        val keepAlive = HttpUtil.isKeepAlive(request)
        when (version) {
            HttpVersion.HTTP_1_1 -> {
                val offersH2c = H2cUpgrade.isIn(request)
                protocol = if (offersH2c) Protocol.H2C_UPGRADE_ASKED else Protocol.HTTP_1_1
                // What is under way in HTTP/1 has to be ended in it.
                if (offersH2c && port.takesUpgrades && waiting.isEmpty() && streamed == null) offer = H2cUpgrade.of(request)
                if (offer != null) return
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
        if (wire.isSurplus) return last(port.tooManyConnections())
        var answer = port.routes.answer(request.method(), request.uri())
        if (answer.content == Content.Index) answer = port.routes.index(request.headers().get(HttpHeaderNames.ACCEPT))
        this.answer = answer
        number = queryNumber(request.uri(), "a")
        val length = HttpUtil.getContentLength(request, 0L)
        if (length > port.mostBodyBytes(answer)) return last(port.tooLarge(answer))
        // The time that a body may take begins here; the reading of the clock is spared the many that have none.
        if (length > 0 || request.method() != HttpMethod.GET) quietSince = System.nanoTime()
        if (answer.content == Content.UploadReceipt && !beginUpload()) return last(port.overloaded())
        if (HttpUtil.is100ContinueExpected(request)) context.writeAndFlush(context.alloc().buffer().writeBytes(CONTINUE))
    }

    private fun takeBody(content: HttpContent) {
        val answer = answer ?: return
        val bytes = content.content().readableBytes()
        if (bytes == 0) return
        bodyBytes += bytes
        evidence.received(bytes)
        if (bodyBytes > port.mostBodyBytes(answer)) return last(port.tooLarge(answer))
        upload?.take(content.content())
    }

    /** An upload takes long, so it is in flight from its head on; false where that would be one too many. */
    private fun beginUpload(): Boolean {
        if (evidence.inFlight >= port.maxInFlight) return false
        val now = System.nanoTime()
        upload = Upload(now)
        count(now)
        evidence.held(now)
        return true
    }

    private fun count(now: Long) {
        evidence.arrived(protocol, now)
        evidence.connections.arrived(seen, protocol)
    }

    private fun end() {
        offer?.let { return it.take(context, port, wire) }
        val answer = answer ?: return
        this.answer = null
        arrive(upload?.answer() ?: answer)
    }

    private fun refuse(result: DecoderResult) {
        // A head that ends with its connection is no request, nor anything to answer.
        if (!context.channel().isActive) return
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
        val upload = upload
        this.upload = null
        if (upload == null) count(now)
        val refusal = if (upload == null && answer.isDelayed) port.refusal(now) else null
        var given = refusal ?: answer
        if (!given.isDelayed && waiting.isNotEmpty() && evidence.inFlight >= port.maxInFlight) {
            // What waits only for its turn takes room too; there must be no way to pile it up.
            given = port.overloaded()
            connection = "close"
            isCut = true
        }
        val isHeld = upload != null || given.isDelayed || waiting.isNotEmpty() || streamed != null
        var dueAt = now + maxOf(given.delayNanos, 0)
        waiting.lastOrNull()?.let { if (it.dueAt - dueAt > 0) dueAt = it.dueAt }
        if (given.behaviour.closes) {
            connection = "close"
            isCut = true
        }
        val arrivedAt = upload?.arrivedAt ?: now
        val isNumbered = number in 0..Int.MAX_VALUE
        val row = if (isNumbered) evidence.requests.arrived(number.toInt(), seen.number, arrivedAt) else RequestTable.NO_ROW
        number = NOT_WHOLE
        val exchange = Exchange(given, connection, arrivedAt, dueAt, isHeld, row)
        if (exchange.isLast || given.behaviour.fault != Fault.NONE) isDeaf = true
        waiting.addLast(exchange)
        if (isHeld && upload == null) evidence.held(now)
        if (waiting.size == 1) run() else keepReadingWithinBounds()
    }

    /** Answers what is due, and sets the timer for what comes next. A timer that fires a hair early is simply set again. */
    override fun run() {
        timer = null
        isAnswering = true
        while (waiting.isNotEmpty() && streamed == null) {
            val next = waiting.first()
            val left = next.dueAt - System.nanoTime()
            if (left > 0) {
                timer = context.executor().schedule(this, left, TimeUnit.NANOSECONDS)
                break
            }
            waiting.removeFirst()
            write(next)
        }
        isAnswering = false
        keepReadingWithinBounds()
    }

    private fun write(exchange: Exchange) {
        val answer = exchange.answer
        if (answer.behaviour.failsBefore) return fail(exchange)
        if (!answer.isWhole) return stream(exchange)
        val written = context.writeAndFlush(port.bytes.encode(answer, exchange.connection, context.alloc()))
        val bytes = port.bytes.bodyBytes
        // Almost always done by now; a client that does not read makes us wait.
        if (written.isDone) settle(exchange, written, bytes) else written.addListener { settle(exchange, written, bytes) }
    }

    private fun stream(exchange: Exchange) {
        streamed = exchange
        val body = bodyOf(exchange.answer)
        val head = context.writeAndFlush(port.bytes.encodeHead(exchange.answer, body.length, exchange.connection, context.alloc()))
        quietSince = System.nanoTime()
        val begun =
            BodyStream(
                ConnectionOutlet(context),
                head,
                body,
                exchange.answer.behaviour,
                ::sentPiece,
            ) { written -> endStream(exchange, body, written) }
        stream = begun
        begun.run()
    }

    private fun sentPiece(bytes: Int) {
        quietSince = System.nanoTime()
        evidence.sent(bytes)
    }

    private fun endStream(exchange: Exchange, body: Body, written: ChannelFuture) {
        if (streamed !== exchange) return
        streamed = null
        stream = null
        if (exchange.answer.behaviour.failsInside && written.isSuccess) return fail(exchange)
        settle(exchange, written, 0, exchange.answer.behaviour.bodyNanos(body.length))
        if (!isAnswering) run()
    }

    /** Does to a request that is not answered in full what it asked for; it was the last of its connection. */
    private fun fail(exchange: Exchange) {
        val fault = exchange.answer.behaviour.fault
        purpose = fault
        if (fault == Fault.STALL) {
            // In flight until somebody ends it.
            streamed = exchange
            timer = context.executor().schedule({ context.close() }, port.routes.longestNanos, TimeUnit.NANOSECONDS)
            return
        }
        abandon(exchange, System.nanoTime())
        end(fault)
    }

    private fun settle(exchange: Exchange, written: ChannelFuture, bodyBytes: Int, bodyNanos: Long = 0) {
        val now = System.nanoTime()
        quietSince = now
        if (!written.isSuccess) return abandon(exchange, now)
        if (exchange.isHeld) evidence.released(now)
        evidence.sent(bodyBytes)
        evidence.answered(exchange.answer, exchange.arrivedAt, exchange.dueAt, now, bodyNanos)
        evidence.connections.ended(seen)
        evidence.requests.answered(exchange.row, now)
        if (exchange.answer.behaviour.failsAfter) return failAfter(exchange.answer.behaviour.fault)
        if (exchange.isLast) leave()
    }

    private fun failAfter(fault: Fault) {
        purpose = fault
        evidence.endedBehind(fault)
        end(fault)
    }

    private fun abandon(exchange: Exchange, now: Long) {
        if (exchange.isHeld) evidence.released(now)
        abandoned()
    }

    private fun abandoned() {
        evidence.abandoned(purpose)
        evidence.connections.ended(seen)
    }

    private fun end(fault: Fault) {
        if (fault == Fault.RESET) {
            // Not to linger at all is what makes the system send an RST.
            (context.channel() as SocketChannel).config().soLinger = 0
            context.close()
        } else {
            isCut = true
            leave()
        }
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
        stream?.run()
        keepReadingWithinBounds()
        ctx.fireChannelWritabilityChanged()
    }

    /** A connection that piles up requests, or does not read its answers, is not read from until it has caught up. */
    private fun keepReadingWithinBounds() {
        val mayRead = waiting.size < port.maxInFlight && context.channel().isWritable
        val config = context.channel().config()
        if (config.isAutoRead != mayRead) config.isAutoRead = mayRead
    }

    internal companion object {
        const val MOST_LINE_BYTES: Int = 8_192
        const val MOST_HEADER_BYTES: Int = 16_384
        private const val LINGER_MS = 500L
        private val CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".encodeToByteArray()
    }
}
