package clientlab.server.request

import io.netty.buffer.ByteBuf
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelHandlerContext
import io.netty.util.concurrent.EventExecutor

/** Where a body goes that is given in pieces: a connection of HTTP/1, or one stream of HTTP/2. */
internal interface ResponseWriter {
    /** Whether a piece may be written now; whoever owns the writer tells [BodyStream] when it may again. */
    val isWritable: Boolean

    val executor: EventExecutor

    /** Writes [piece], which is the end of a whole body where [isEnd], and says when it has left. */
    fun write(piece: ByteBuf, isEnd: Boolean): ChannelFuture
}

/** A connection of its own. */
internal class ConnectionOutlet(private val context: ChannelHandlerContext) : ResponseWriter {
    override val isWritable: Boolean get() = context.channel().isWritable

    override val executor: EventExecutor get() = context.executor()

    override fun write(piece: ByteBuf, isEnd: Boolean): ChannelFuture = context.writeAndFlush(piece)
}
