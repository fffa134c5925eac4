package clientlab.server.net

import clientlab.server.evidence.*
import clientlab.server.request.*
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.util.concurrent.EventExecutor
import java.util.concurrent.TimeUnit

/** What all connections of the data port and the TLS port share; belongs to their one event loop. */
internal class DataPort(val admission: Admission, private val settings: PortSettings) {
    val evidence: ServerEvidence get() = admission.evidence
    val maxInFlight: Int get() = settings.maxInFlight
    val takesUpgrades: Boolean get() = settings.takesUpgrades
    val maxStreams: Int = settings.maxStreams ?: (settings.maxInFlight + SPARE_STREAMS) // of one connection

    /** Streams open on all connections together. One too many is refused without an answer, because even the answer 503 takes a stream. */
    var openStreams: Int = 0
    val mostOpenStreams: Int = settings.maxInFlight + SPARE_STREAMS

    val connections: ConnectionWatch = ConnectionWatch()
    val headNanos: Long = settings.headTimeout.inWholeNanoseconds
    val idleNanos: Long = settings.idleTimeout.inWholeNanoseconds

    /** For how long a client may send a request, if [bodyBytes] of its body have come. */
    fun patienceNanos(bodyBytes: Long): Long = headNanos + bodyBytes * NANOS_PER_BYTE

    fun hasTooManyConnections(): Boolean = settings.maxConnections in 1..<connections.size

    private companion object {
        const val SPARE_STREAMS = 1_000
        const val NANOS_PER_BYTE = 2_000_000L // 500 bytes per second: slower than any line
    }
}

internal const val MAX_LINE_BYTES: Int = 8_192 // of a request line of HTTP/1
internal const val MAX_HEADER_BYTES: Int = 16_384 // of all headers of a request
internal const val MAX_READ_BYTES: Int = 65_536 // at once, from a connection that uploads

internal interface ProtocolHandler {
    fun closeIfOverdue(now: Long)

    /** Says goodbye to the client, if the protocol has a word for it. */
    fun leave() = Unit
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

    @Deprecated("Netty's interface declares it so")
    override fun exceptionCaught(ctx: ChannelHandlerContext, cause: Throwable) {
        ctx.close()
    }

    companion object {
        const val NAME: String = "end"
    }
}

internal interface Watched {
    var place: Int // in the list of ConnectionWatch, which alone sets it

    fun closeIfOverdue(now: Long)

    fun close()
}

/**
 * Closes the connections of a port whose client takes too long, by one timer for all of them (DECISIONS.md). It looks at each connection
 * every [ROUND] turns, so a time-out comes up to two seconds late. Not thread-safe: for the one event loop.
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
}

private const val TURN_MS = 250L
private const val ROUND = 8
