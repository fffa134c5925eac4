package clientlab.server.http3

import clientlab.server.answer.*
import clientlab.server.evidence.*
import clientlab.server.net.*
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.handler.codec.http.HttpMethod
import io.netty.handler.codec.http3.DefaultHttp3GoAwayFrame
import io.netty.handler.codec.http3.Http3
import io.netty.handler.codec.quic.QuicChannel
import java.util.concurrent.TimeUnit

/** One HTTP/3 connection of the server (RFC 9114); each stream has its own [Http3StreamHandler]. */
internal class Http3Connection(
    val port: DataPort,
    private val wire: DataConnection,
    private val channel: QuicChannel,
    val heads: Http3HeadEncoder,
) : ChannelInboundHandlerAdapter(),
    ProtocolHandler {
    val seen: ConnectionRecord = wire.seen
    private val streams = LinkedHashSet<Http3StreamHandler>()
    private var quietSince = seen.openedAt
    private var isNew = true
    private var isLeaving = false
    private var next = 0L // the stream behind the last one that has begun

    var purpose: Fault = Fault.NONE // how this connection ends, if a request asked for that
        private set

    init {
        wire.handler = this
    }

    /** The handshake is over. */
    override fun channelActive(ctx: ChannelHandlerContext) {
        port.evidence.counts.tlsHandshakes++
        ctx.fireChannelActive()
    }

    override fun leave() {
        if (channel.isOpen) channel.close(true, Http3Code.NO_ERROR, Unpooled.EMPTY_BUFFER)
    }

    /** Takes no new requests, and closes a second after the last request is over, if the client has not closed by then. */
    fun leaveWhenOver() {
        if (isLeaving) return
        isLeaving = true
        Http3.getLocalControlStream(channel)?.writeAndFlush(DefaultHttp3GoAwayFrame(next))
        closeIfOver()
    }

    /** Closes at once, because a request asked for that. */
    fun end(fault: Fault) {
        purpose = fault
        leave()
    }

    /** The answer to the request of [stream], whose head has been read. On a connection that is one too many the first request is the last. */
    fun begin(stream: Http3StreamHandler, method: HttpMethod, target: String, accept: String?): Answer {
        isNew = false
        quietSince = stream.begunAt
        next = maxOf(next, stream.id + STREAM_STEP)
        streams += stream
        port.openStreams++
        if (!wire.isSurplus) return port.admission.answer(method, target) { accept }
        return port.admission.tooManyConnections().also { leaveWhenOver() }
    }

    fun over(stream: Http3StreamHandler) {
        if (!streams.remove(stream)) return
        port.openStreams--
        closeIfOver()
    }

    private fun closeIfOver() {
        // A close at once would overtake an answer that is still on its way: UDP keeps no order.
        if (isLeaving && streams.isEmpty()) channel.eventLoop().schedule(::leave, LEAVE_MS, TimeUnit.MILLISECONDS)
    }

    /** A client that waits for an answer is not idle; each stream knows whether it waits for its client. */
    override fun closeIfOverdue(now: Long) {
        streams.toList().forEach { it.resetIfOverdue(now) }
        if (streams.isNotEmpty() || now - quietSince < (if (isNew) port.headNanos else port.idleNanos)) return
        port.evidence.counts.connectionsTimedOut++
        leave()
    }

    fun stirred(now: Long) {
        quietSince = now
    }

    private companion object {
        const val STREAM_STEP = 4L // between the streams that a client opens for requests: RFC 9000, 2.1
        const val LEAVE_MS = 1_000L
    }
}

/** Error codes of RFC 9114, 8.1. */
internal object Http3Code {
    const val NO_ERROR: Int = 0x100
    const val INTERNAL_ERROR: Int = 0x102
    const val REQUEST_REJECTED: Int = 0x10b
    const val REQUEST_CANCELLED: Int = 0x10c
    const val MESSAGE_ERROR: Int = 0x10e
}
