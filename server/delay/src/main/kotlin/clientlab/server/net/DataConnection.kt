package clientlab.server.net

import clientlab.server.evidence.*
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
 * One connection of the data port or the TLS port from its beginning to its end, for every protocol. It stands last in the pipeline,
 * which no request reaches.
 *
 * It closes the connection after an error that no other handler took, or if the client says nothing for too long.
 */
internal class DataConnection(private val port: DataPort) : ChannelInboundHandlerAdapter(), Watched {
    /** What the evidence has about this connection. */
    val seen: ConnectionRecord = port.evidence.connectionOpened()

    /** Set as soon as the protocol is known. */
    var handler: ProtocolHandler? = null

    /** Whether the server has too many connections with this one. */
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

    /** An error on one connection ends that connection alone. */
    @Deprecated("Netty's interface declares it so")
    override fun exceptionCaught(ctx: ChannelHandlerContext, cause: Throwable) {
        ctx.close()
    }

    companion object {
        const val NAME: String = "end"
    }
}
