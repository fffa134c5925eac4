package clientlab.wire

import io.netty.buffer.ByteBuf
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelOption
import io.netty.channel.socket.ChannelInputShutdownEvent
import io.netty.channel.socket.DuplexChannel
import kotlinx.serialization.Serializable
import java.util.SplittableRandom

/**
 * What the relay saw of one connection.
 *
 * @property openedAtMs when the client connected, in milliseconds since the relay started.
 * @property requests how often the client sent something first, or after an answer.
 * @property bytesToServer bytes that were passed on to the server; [bytesToClient] likewise.
 * @property end how it ended: `client` or `server`, whose end came first; `reset` or `lost` if the relay ended it; null if it is open.
 */
@Serializable
public data class LinkSeen(
    val id: Int,
    val openedAtMs: Double,
    val requests: Int = 0,
    val bytesToServer: Long = 0,
    val bytesToClient: Long = 0,
    val end: String? = null,
)

/** What a client and the server send each other by way of the relay. For its event loop. */
internal interface Way {
    val seen: LinkSeen

    /** Sends on what a pause held back. */
    fun move()

    /** Ends it for both sides, as far as its protocol has a word for that. */
    fun reset()
}

/** One connection of a client, with the one to the server that belongs to it. For the event loop of both. */
internal class Link(
    private val client: DuplexChannel,
    private val server: DuplexChannel,
    private val openedAt: Long,
    private val wire: () -> Wire,
    random: SplittableRandom,
    override var seen: LinkSeen,
) : Way {
    private val toServer = Lane(client.eventLoop(), random.split(), wire, ::regulate) { pass(it, server) }
    private val toClient = Lane(client.eventLoop(), random.split(), wire, ::regulate) { pass(it, client) }

    /** Whether something was lost: then nothing that comes later makes sense to the other side. */
    private var isSilent = false
    private var answeredSince = true
    private val ended = HashSet<Channel>()

    /** Lets both ends talk. */
    fun begin() {
        client.pipeline().addLast(End(client))
        server.pipeline().addLast(End(server))
        regulate()
    }

    /** Reads from each side only while its lane has room, and the other side takes what is sent. */
    private fun regulate() {
        client.config().isAutoRead = toServer.hasRoom && server.isWritable
        server.config().isAutoRead = toClient.hasRoom && client.isWritable
    }

    override fun move() {
        toServer.move()
        toClient.move()
    }

    /** Ends both sides with a reset. */
    override fun reset(): Unit = cut("reset")

    private fun came(bytes: ByteBuf?, from: Channel) {
        if (bytes == null) ends(if (from === client) "client" else "server")
        if (wire().silent) isSilent = true
        if (from === server && bytes == null && wire().losesServerClose) isSilent = true
        if (isSilent) {
            bytes?.release()
            return
        }
        if (from === server) {
            answeredSince = true
            return toClient.enter(bytes)
        }
        if (bytes != null && answeredSince) {
            answeredSince = false
            if (seen.requests == wire().requestsPerConnection) {
                bytes.release()
                return cut("lost", softly = true)
            }
            seen = seen.copy(requests = seen.requests + 1)
        }
        // What the client sends before it could have connected waits for that.
        toServer.enter(bytes, later = (openedAt + wire().roundTripNanos - System.nanoTime()).coerceAtLeast(0))
    }

    private fun pass(bytes: ByteBuf?, to: DuplexChannel) {
        when {
            bytes == null -> {
                to.shutdownOutput()
                ended += to
                if (ended.size == 2) close()
            }

            to === server -> {
                seen = seen.copy(bytesToServer = seen.bytesToServer + bytes.readableBytes())
                server.writeAndFlush(bytes)
            }

            else -> {
                passToClient(bytes)
            }
        }
    }

    private fun passToClient(bytes: ByteBuf) {
        val most = wire().resetAfterBytes?.let { (it - seen.bytesToClient).coerceAtLeast(0) }
        val size = bytes.readableBytes()
        if (most == null || size < most) {
            seen = seen.copy(bytesToClient = seen.bytesToClient + size)
            client.writeAndFlush(bytes)
            return
        }
        seen = seen.copy(bytesToClient = seen.bytesToClient + most)
        // The reset must not overtake the last bytes before it.
        client.writeAndFlush(bytes.retainedSlice(bytes.readerIndex(), most.toInt())).addListener { reset() }
        bytes.release()
    }

    /** Ends both sides at once; [softly] for the client without a reset. */
    private fun cut(how: String, softly: Boolean = false) {
        seen = seen.copy(end = how)
        // One of the two may have gone before.
        val open = listOfNotNull(client.takeUnless { softly }, server).filter { it.isOpen }
        open.forEach { it.config().setOption(ChannelOption.SO_LINGER, 0) }
        close()
    }

    private fun ends(by: String) {
        if (seen.end == null) seen = seen.copy(end = by)
    }

    private fun close() {
        toServer.clear()
        toClient.clear()
        client.close()
        server.close()
    }

    /** Hands on what comes from [channel]. */
    private inner class End(private val channel: Channel) : ChannelInboundHandlerAdapter() {
        private val other get() = if (channel === client) server else client

        override fun channelRead(ctx: ChannelHandlerContext, message: Any) = came(message as ByteBuf, channel)

        override fun userEventTriggered(ctx: ChannelHandlerContext, event: Any) {
            if (event === ChannelInputShutdownEvent.INSTANCE) came(null, channel)
        }

        override fun channelWritabilityChanged(ctx: ChannelHandlerContext) {
            regulate()
        }

        override fun channelInactive(ctx: ChannelHandlerContext) {
            if (isSilent || wire().silent) return
            if (other.isActive) cut(seen.end ?: if (channel === client) "client" else "server")
        }

        @Deprecated("Netty's interface declares it so")
        override fun exceptionCaught(ctx: ChannelHandlerContext, cause: Throwable) {
            ends(if (channel === client) "client" else "server")
            ctx.close()
        }
    }
}
