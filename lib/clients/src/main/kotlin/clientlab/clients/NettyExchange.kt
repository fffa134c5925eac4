package clientlab.clients

import clientlab.client.*
import clientlab.clients.kit.*
import io.netty.buffer.ByteBuf
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.SimpleChannelInboundHandler
import io.netty.handler.codec.http.HttpContent
import io.netty.handler.codec.http.HttpObject
import io.netty.handler.codec.http.HttpResponse
import io.netty.handler.codec.http.HttpUtil
import io.netty.handler.codec.http.LastHttpContent
import kotlinx.coroutines.CancellableContinuation
import java.io.IOException
import java.util.concurrent.TimeUnit
import kotlin.coroutines.resume

/** The request under way on one connection: in HTTP/1.1 there is one at a time. Used on the connection's event loop alone. */
internal class NettyExchange : SimpleChannelInboundHandler<HttpObject>() {
    private var pending: Pending? = null
    private var response: HttpResponse? = null

    /** Waits for the next answer. Before [continuation] gets it, [end] is called with whether the connection can carry another request. */
    fun await(tally: BodyTally, continuation: CancellableContinuation<Reply>, end: (Boolean) -> Unit) {
        pending = Pending(tally, continuation, end)
    }

    override fun channelRead0(context: ChannelHandlerContext, message: HttpObject) {
        val waiting = pending ?: return
        if (message is HttpResponse) response = message
        val slow = waiting.tally.reading == Reading.Slowly
        if (message is HttpContent) waiting.tally.add(message.content())
        if (slow) {
            context.channel().config().isAutoRead = message is LastHttpContent
            context.executor().schedule({ context.read() }, SLOW_MS, TimeUnit.MILLISECONDS)
        }
        if (message is LastHttpContent || waiting.tally.enough) {
            val head = checkNotNull(response)
            pending = null
            waiting.end(message is LastHttpContent && HttpUtil.isKeepAlive(head))
            waiting.continuation.resume(waiting.tally.reply(head.status().code(), head.protocolVersion().text().lowercase()))
        }
    }

    override fun channelInactive(context: ChannelHandlerContext): Unit = fail(IOException("The connection was closed before the answer."))

    @Deprecated("Netty deprecates it in the interface above")
    override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
        fail(cause)
        context.close()
    }

    private fun fail(cause: Throwable) {
        val waiting = pending ?: return
        pending = null
        waiting.end(false)
        waiting.continuation.end(Result.failure(cause))
    }

    private class Pending(val tally: BodyTally, val continuation: CancellableContinuation<Reply>, val end: (Boolean) -> Unit)
}

/** Counts the readable bytes of [buffer]; it does not copy or release it. */
internal fun BodyTally.add(buffer: ByteBuf): Unit = buffer.nioBuffers().forEach { add(it) }
