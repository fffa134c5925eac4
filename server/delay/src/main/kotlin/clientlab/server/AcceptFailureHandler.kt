package clientlab.server

import clientlab.server.evidence.*
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter

/**
 * Counts how often the system has no file descriptor for a connection that waits, and warns the first time.
 *
 * Netty's acceptor, the next handler, then leaves the port alone for one second, so that the loop does not spin; open connections go on.
 */
internal class AcceptFailureHandler(
    private val evidence: ServerEvidence,
    private val warn: (String) -> Unit,
) : ChannelInboundHandlerAdapter() {
    private var hasWarned = false

    @Deprecated("Netty's interface declares it so")
    override fun exceptionCaught(ctx: ChannelHandlerContext, cause: Throwable) {
        evidence.acceptFailed()
        if (!hasWarned) {
            hasWarned = true
            val open = evidence.connectionsOpen
            warn(
                "A connection cannot be taken (${cause.message}) while $open are open: they go on, and new ones wait until some have " +
                    "closed. Raise the limit of open files (ulimit -n), or set --max-connections below it.",
            )
        }
        ctx.fireExceptionCaught(cause)
    }
}
