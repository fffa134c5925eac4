package clientlab.server

import clientlab.server.control.*
import clientlab.server.evidence.*
import io.netty.channel.Channel
import io.netty.channel.ChannelInitializer
import io.netty.channel.group.ChannelGroup
import io.netty.handler.codec.http.HttpObjectAggregator
import io.netty.handler.codec.http.HttpServerCodec

/** Makes the pipeline of a new connection on the control port. */
internal class ControlInitializer(
    private val evidence: ServerEvidence,
    private val rights: ControlRights,
    private val certificate: String?,
    private val connections: ChannelGroup,
    private val about: () -> String,
) : ChannelInitializer<Channel>() {
    override fun initChannel(channel: Channel) {
        connections.add(channel)
        channel.pipeline().addLast(
            HttpServerCodec(),
            HttpObjectAggregator(MOST_BODY_BYTES),
            ControlConnection(evidence, rights, certificate, about),
        )
    }

    private companion object {
        const val MOST_BODY_BYTES = 65_536
    }
}
