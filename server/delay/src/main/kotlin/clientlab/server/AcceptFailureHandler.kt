package clientlab.server

import clientlab.server.evidence.ServerEvidence
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter

/**
 * Says once, and counts each time, that the system gives no descriptor for a connection that waits.
 *
 * Netty's acceptor, which comes behind it, then leaves the port alone for a second, so that the loop does not spin; what is open goes on.
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
