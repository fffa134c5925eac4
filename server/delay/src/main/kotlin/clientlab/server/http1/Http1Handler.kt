package clientlab.server.http1

import clientlab.server.answer.*
import clientlab.server.evidence.*
import clientlab.server.http2.*
import clientlab.server.net.*
import clientlab.server.request.*
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
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
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame
import io.netty.handler.codec.http.websocketx.WebSocketFrame
import io.netty.util.ReferenceCountUtil

/** Handles one HTTP/1 connection of the data port: reads its requests, and hands them to its [Http1Responder]. */
internal class Http1Handler(
    private val port: DataPort,
    private val wire: DataConnection,
    private val encoder: Http1Encoder,
    private val http2: Http2Pipeline,
) : ChannelInboundHandlerAdapter(),
    ProtocolHandler {
    private val admission = port.admission
    private lateinit var context: ChannelHandlerContext
    private lateinit var responder: Http1Responder
    private var reading: Exchange? = null // the request that is being read
    private var upgrade: H2cUpgrade? = null
    private var isNew = true
    private var ignoresInput = false // the last request of this connection has been read

    override fun handlerAdded(ctx: ChannelHandlerContext) {
        context = ctx
        responder = Http1Responder(port, ctx, encoder, wire.seen.openedAt)
        wire.handler = this
    }

    override fun channelInactive(ctx: ChannelHandlerContext) {
        ignoresInput = true
        reading?.onClosed()
        reading = null
        responder.onClosed()
        ctx.fireChannelInactive()
    }

    override fun channelRead(ctx: ChannelHandlerContext, message: Any) {
        try {
            if (message is WebSocketFrame) return socket(message)
            if (ignoresInput || message !is HttpObject) return
            if (message.decoderResult().isFailure) return malformed(message.decoderResult().cause())
            if (message is HttpRequest) begin(message)
            if (message is HttpContent) reading?.let { exchange -> exchange.take(message.content())?.let { last(exchange, it) } }
            if (message is LastHttpContent) upgrade?.take(context, http2, wire) ?: reading?.let { arrive(it) }
        } finally {
            ReferenceCountUtil.release(message)
        }
    }

    /** A client that waits for an answer is not idle, and neither is a connection on which bytes come and go. */
    override fun closeIfOverdue(now: Long) {
        val reading = reading
        val most = when {
            reading != null -> port.patienceNanos(reading.bodyBytes)
            responder.isWriting -> port.idleNanos + responder.pauseNanos
            !responder.isIdle -> return
            isNew -> port.headNanos
            else -> port.idleNanos
        }
        if (now - responder.quietSince < most) return
        port.evidence.counts.connectionsTimedOut++
        context.close()
    }

    private fun begin(request: HttpRequest) {
        isNew = false
        val protocol = protocolOf(request)
        if (protocol == Protocol.OTHER) {
            return last(exchange(protocol, Answer(505, "${request.protocolVersion()} is not spoken here: use HTTP/1.1.")))
        }
        // Requests that are under way in HTTP/1 have to end in HTTP/1.
        if (protocol == Protocol.H2C_UPGRADE_ASKED && port.takesUpgrades && responder.isIdle) {
            upgrade = H2cUpgrade.of(request)
            if (upgrade != null) return
        }
        if (wire.isSurplus) return last(exchange(protocol, admission.tooManyConnections()))
        val messages = if (WebSocketHandshake.isIn(request)) admission.messages(request.uri()) else null
        val answer = messages?.let { WebSocketHandshake.accepted(request, it) }
            ?: admission.answer(request.method(), request.uri()) { request.headers().get(HttpHeaderNames.ACCEPT) }
        val exchange = exchange(protocol, answer, queryNumber(request.uri(), "a"))
        exchange.isLast = !HttpUtil.isKeepAlive(request)
        val length = HttpUtil.getContentLength(request, 0L)
        // The time for the body begins here. A request without a body does not need it, and saves one reading of the clock.
        if (length > 0 || request.method() != HttpMethod.GET) responder.quietSince = System.nanoTime()
        val refusal = exchange.begin(length, responder.quietSince)
        if (refusal != null) return last(exchange, refusal)
        reading = exchange
        if (HttpUtil.is100ContinueExpected(request)) context.writeAndFlush(context.alloc().buffer().writeBytes(CONTINUE))
    }

    private fun exchange(protocol: Protocol, answer: Answer, label: Long = NOT_WHOLE) =
        Exchange(admission, responder, wire.seen, protocol, answer, label)

    private fun malformed(cause: Throwable) {
        // If the connection ended within a head, there is no request to answer.
        if (!context.channel().isActive) return
        val answer = when (cause) {
            is TooLongHttpLineException -> Answer(414, "The request line is longer than $MAX_LINE_BYTES bytes: shorten it.")
            is TooLongHttpHeaderException -> Answer(431, "The headers are longer than $MAX_HEADER_BYTES bytes: send fewer.")
            else -> Answer(400, "This is not an HTTP request: send one such as GET /delay?delay=1.5 HTTP/1.1.")
        }
        val exchange = reading ?: exchange(Protocol.MALFORMED, answer)
        exchange.protocol = Protocol.MALFORMED
        last(exchange, answer)
    }

    /** Answers a request that need not be read to its end; nothing more is read after it. */
    private fun last(exchange: Exchange, refusal: Answer? = null) {
        responder.endAt(exchange)
        arrive(exchange, refusal)
    }

    private fun arrive(exchange: Exchange, refusal: Answer? = null) {
        reading = null
        val now = System.nanoTime()
        exchange.arrive(now, refusal)
        responder.add(exchange, now)
        if (exchange.isLast || exchange.answer.behaviour.fault != Fault.NONE) ignoresInput = true
        if (exchange.answer.content is Content.Messages) {
            context.pipeline().replace(Http1Decoder::class.java, null, WebSocketFrames.decoder())
        }
    }

    /** The client closes its WebSocket, or wants to know whether the server is still there. Its messages are not answered. */
    private fun socket(frame: WebSocketFrame) {
        when (frame) {
            is CloseWebSocketFrame -> context.writeAndFlush(WebSocketFrames.closing(context.alloc())).addListener { context.close() }
            is PingWebSocketFrame -> context.writeAndFlush(WebSocketFrames.pong(frame.content(), context.alloc()))
        }
    }

    override fun channelWritabilityChanged(ctx: ChannelHandlerContext) {
        responder.onWritable()
        ctx.fireChannelWritabilityChanged()
    }

    private fun protocolOf(request: HttpRequest): Protocol = when (request.protocolVersion()) {
        HttpVersion.HTTP_1_1 -> if (H2cUpgrade.isIn(request)) Protocol.H2C_UPGRADE_ASKED else Protocol.HTTP_1_1
        HttpVersion.HTTP_1_0 -> Protocol.HTTP_1_0
        else -> Protocol.OTHER
    }
}

private val CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".encodeToByteArray()
