package clientlab.server.net

import clientlab.server.evidence.ConnectionRecord
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter

/** Handles the protocol that a connection speaks. */
internal interface ProtocolHandler {
    /** Closes the connection if its client takes too long. */
    fun closeIfOverdue(now: Long)

    /** The server closes: says goodbye to the client, if the protocol has a word for it. */
    fun leave()
}

/**
 * One connection of the data port or the TLS port from its beginning to its end, whatever is spoken on it; stands last in its
 * pipeline, where no request comes.
 *
 * It closes the connection where something went wrong that nobody else looked at, or where nothing has been said for too long.
 */
internal class DataConnection(private val port: DataPort) : ChannelInboundHandlerAdapter(), Watched {
    /** What was seen of it. */
    val seen: ConnectionRecord = port.evidence.connectionOpened()

    /** Set as soon as it is known what is spoken. */
    var handler: ProtocolHandler? = null

    /** Whether it is one too many. */
    val isSurplus: Boolean

    override var place: Int = 0
    private lateinit var context: ChannelHandlerContext

    init {
        port.connections.add(this)
        isSurplus = port.hasTooManyConnections()
    }

    override fun handlerAdded(ctx: ChannelHandlerContext) {
        context = ctx
    }

    override fun channelInactive(ctx: ChannelHandlerContext) {
        port.connections.remove(this)
        port.evidence.connectionClosed(seen)
        ctx.fireChannelInactive()
    }

    override fun closeIfOverdue(now: Long) {
        val handler = handler
        if (handler != null) return handler.closeIfOverdue(now)
        if (now - seen.openedAt < port.headNanos) return
        port.evidence.connectionTimedOut()
        context.close()
    }

    override fun close() {
        handler?.leave()
        context.close()
    }

    /** What goes wrong on one connection ends that one alone. */
    @Deprecated("Netty's interface declares it so")
    override fun exceptionCaught(ctx: ChannelHandlerContext, cause: Throwable) {
        ctx.close()
    }

    companion object {
        const val NAME: String = "end"
    }
}
