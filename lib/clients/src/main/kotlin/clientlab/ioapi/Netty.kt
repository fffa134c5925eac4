package clientlab.ioapi

import clientlab.transfer.*
import io.netty.bootstrap.Bootstrap
import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioSocketChannel
import io.netty.util.concurrent.DefaultThreadFactory
import kotlinx.coroutines.CompletableDeferred

/** [Netty](https://netty.io): callbacks on an event loop, over the JDK's selector like the other means. */
internal object NettyApi {
    private const val HOW = "NioSocketChannel on one event loop; writes a direct buffer of 64 KiB as long as the channel is writable"
    val entry =
        IoApiEntry(IoApiInfo("netty", "Netty", "io.netty:netty-transport", HOW, ON_SOCKETS)) { task -> mover(NettySocket(task)) { send() } }

    /** One event loop for all connections of this JVM. */
    val loops by lazy { MultiThreadIoEventLoopGroup(1, DefaultThreadFactory("netty", true), NioIoHandler.newFactory()) }
}

private class NettySocket(private val task: MoveTask) : AutoCloseable {
    private val content: ByteBuf = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(task.direct()))
    private val handler = Sending(content)
    private val channel: Channel =
        Bootstrap()
            .group(NettyApi.loops)
            .channel(NioSocketChannel::class.java)
            .handler(handler)
            .connect(task.address)
            .sync()
            .channel()

    suspend fun send(): Moved {
        val receipt = CompletableDeferred<Receipt>()
        channel.eventLoop().execute { handler.begin(channel, task.bytes, receipt) }
        return Moved(receipt.await())
    }

    override fun close() {
        channel.close().sync()
    }
}

/** Writes while the channel has room, goes on when it has room again, and waits for the receipt. Used on the event loop alone. */
private class Sending(private val content: ByteBuf) : ChannelInboundHandlerAdapter() {
    private var left = 0L
    private var receipt: CompletableDeferred<Receipt>? = null
    private var ended = false
    private val answer = Unpooled.buffer(Receipt.SIZE)

    fun begin(channel: Channel, bytes: Long, into: CompletableDeferred<Receipt>) {
        receipt = into
        left = bytes
        answer.clear()
        if (ended) into.completeExceptionally(cutOff()) else write(channel)
    }

    override fun channelWritabilityChanged(context: ChannelHandlerContext) = write(context.channel())

    override fun channelRead(context: ChannelHandlerContext, message: Any) {
        val part = message as ByteBuf
        answer.writeBytes(part)
        part.release()
        if (answer.readableBytes() == Receipt.SIZE) receipt?.complete(Receipt(answer.readLong(), answer.readLong()))
    }

    override fun channelInactive(context: ChannelHandlerContext) {
        ended = true
        receipt?.completeExceptionally(cutOff())
    }

    @Deprecated("Netty deprecates it in the interface above")
    override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
        receipt?.completeExceptionally(cause)
        context.close()
    }

    private fun write(channel: Channel) {
        while (left > 0 && channel.isWritable) {
            val length = minOf(left, content.capacity().toLong()).toInt()
            channel.write(content.slice(0, length))
            left -= length
        }
        channel.flush()
    }
}
