package clientlab.wire

import io.netty.buffer.ByteBuf
import io.netty.channel.Channel
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.SimpleChannelInboundHandler
import io.netty.channel.socket.DatagramPacket
import java.net.InetSocketAddress
import java.util.SplittableRandom

/**
 * The datagrams between one [client] and the [server]. A datagram may get lost, and the others keep their order. What waits for a slow line
 * is bounded, and what finds no place is lost, as in a real queue. There is no connection, so none is opened, reset or ended.
 */
internal class Flow(
    private val front: Channel,
    private val client: InetSocketAddress,
    private val server: InetSocketAddress,
    private val wire: () -> Wire,
    private val random: SplittableRandom,
    override var seen: LinkSeen,
) : Way {
    private val toServer = Lane(front.eventLoop(), random.split(), wire, {}) { it?.let(::passToServer) }
    private val toClient = Lane(front.eventLoop(), random.split(), wire, {}) { it?.let(::passToClient) }

    /** The socket of this client's datagrams at the server's side. */
    lateinit var back: ChannelFuture

    var movedAt: Long = System.nanoTime()
        private set

    fun fromClient(bytes: ByteBuf) = enter(bytes, toServer)

    fun fromServer(bytes: ByteBuf) = enter(bytes, toClient)

    private fun enter(bytes: ByteBuf, lane: Lane) {
        movedAt = System.nanoTime()
        val wire = wire()
        if (wire.silent || !lane.hasRoom || random.nextDouble() < wire.lossShare) bytes.release() else lane.enter(bytes)
    }

    private fun passToServer(bytes: ByteBuf) {
        seen = seen.copy(bytesToServer = seen.bytesToServer + bytes.readableBytes())
        // The first datagram may come before the socket is bound.
        back.addListener { back.channel().writeAndFlush(DatagramPacket(bytes, server)) }
    }

    private fun passToClient(bytes: ByteBuf) {
        seen = seen.copy(bytesToClient = seen.bytesToClient + bytes.readableBytes())
        front.writeAndFlush(DatagramPacket(bytes, client))
    }

    override fun move() {
        toServer.move()
        toClient.move()
    }

    /** Throws away what is on its way. */
    override fun reset() {
        toServer.clear()
        toClient.clear()
    }

    fun close() {
        reset()
        seen = seen.copy(end = "lost")
        back.channel().close()
    }
}

/** Hands each datagram that a socket gets to [take]. */
internal class DatagramsOf(private val take: (Channel, DatagramPacket) -> Unit) : SimpleChannelInboundHandler<DatagramPacket>() {
    override fun channelRead0(ctx: ChannelHandlerContext, packet: DatagramPacket) = take(ctx.channel(), packet)

    /** A socket of UDP is told that nobody listens at the other side. Datagrams get lost in other ways, too. */
    @Deprecated("Netty's interface declares it so")
    override fun exceptionCaught(ctx: ChannelHandlerContext, cause: Throwable) = Unit
}
