package clientlab.server.net

import clientlab.server.evidence.*
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.util.concurrent.EventExecutor
import java.util.concurrent.TimeUnit

/** Handles the protocol that a connection speaks. */
internal interface ProtocolHandler {
    /** Closes the connection if its client takes too long. */
    fun closeIfOverdue(now: Long)

    /** The server closes: says goodbye to the client, if the protocol has a word for it. */
    fun leave()
}

/** One connection of the data port or the TLS port, for every protocol. It stands last in the pipeline, which no request reaches. */
internal class DataConnection(private val port: DataPort) : ChannelInboundHandlerAdapter(), Watched {
    val seen: ConnectionRecord = port.evidence.connectionOpened()
    var handler: ProtocolHandler? = null // null until the protocol is known
    override var place: Int = 0
    private lateinit var context: ChannelHandlerContext

    /** Whether the server has too many connections with this one; its first request is then answered 503. */
    val isSurplus: Boolean

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
        port.evidence.counts.connectionsTimedOut++
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

/** A connection that closes itself if its client takes too long. */
internal interface Watched {
    var place: Int // in the list of ConnectionWatch, which alone sets it

    fun closeIfOverdue(now: Long)

    fun close()
}

/**
 * Closes the connections of a port whose client takes too long, by one timer for all of them: DECISIONS.md says why.
 *
 * It looks at one part of them per turn, and at each connection every [ROUND] turns, so a time-out comes up to two seconds late. Not
 * thread-safe: for the one event loop.
 */
internal class ConnectionWatch {
    private val watched = ArrayList<Watched>()
    private var next = 0

    val size: Int get() = watched.size

    fun begin(executor: EventExecutor) {
        executor.scheduleWithFixedDelay(::look, TURN_MS, TURN_MS, TimeUnit.MILLISECONDS)
    }

    fun add(connection: Watched) {
        connection.place = watched.size
        watched += connection
    }

    fun remove(connection: Watched) {
        val last = watched.removeLast()
        if (last === connection) return
        watched[connection.place] = last
        last.place = connection.place
    }

    fun closeAll() {
        watched.toList().forEach { it.close() }
    }

    private fun look() {
        val now = System.nanoTime()
        // A connection that closes leaves its place to the last one, which is looked at in a later turn.
        repeat((watched.size + ROUND - 1) / ROUND) {
            if (next >= watched.size) next = 0
            if (next < watched.size) watched[next].closeIfOverdue(now)
            next++
        }
    }

    private companion object {
        const val TURN_MS = 250L
        const val ROUND = 8
    }
}
