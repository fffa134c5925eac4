package clientlab.server

import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelHandlerContext

/**
 * Writes the body of one `/bytes` answer as fast as its connection takes it, and holds none of it.
 *
 * It goes on whenever the connection can be written to: whoever owns the connection calls [run] then. [onWritten] is told of every
 * block that has left, [onEnd] once of the last one, or of the first that failed.
 */
internal class OctetStream(
    private val context: ChannelHandlerContext,
    private val octets: Content.Octets,
    private val onWritten: (Int) -> Unit,
    private val onEnd: (ChannelFuture) -> Unit,
) : Runnable {
    private var sent = 0L
    private var isRunning = false
    private var hasEnded = false

    override fun run() {
        // A write that empties the connection's buffer says so at once, in the midst of this very loop.
        if (isRunning || hasEnded) return
        isRunning = true
        var blocks = BLOCKS_A_TURN
        while (sent < octets.stopAt && blocks > 0 && context.channel().isWritable) {
            writeBlock()
            blocks--
        }
        isRunning = false
        // One fast reader must not keep the loop from everyone else.
        if (blocks == 0 && sent < octets.stopAt) context.executor().execute(this)
    }

    private fun writeBlock() {
        val size = minOf(OctetBlock.BYTES.toLong(), octets.stopAt - sent).toInt()
        val flipAt = octets.flipAt - sent
        val block = if (flipAt in 0 until size) OctetBlock.flipped(size, flipAt.toInt()) else OctetBlock.first(size)
        sent += size
        val isLast = sent == octets.stopAt
        context.writeAndFlush(block).addListener { written ->
            if (written.isSuccess) onWritten(size)
            if (isLast || !written.isSuccess) end(written as ChannelFuture)
        }
    }

    private fun end(written: ChannelFuture) {
        if (hasEnded) return
        hasEnded = true
        onEnd(written)
    }

    private companion object {
        const val BLOCKS_A_TURN = 32
    }
}
