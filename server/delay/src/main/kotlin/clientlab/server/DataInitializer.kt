package clientlab.server

import clientlab.server.http1.*
import clientlab.server.net.*
import io.netty.channel.Channel
import io.netty.channel.ChannelInitializer

/** Makes the pipeline of a new connection on the data port, which speaks HTTP/1 unless its first bytes are the preface of HTTP/2. */
internal class DataInitializer(private val port: DataPort, private val http1: Http1Pipeline) : ChannelInitializer<Channel>() {
    override fun initChannel(channel: Channel) {
        val wire = DataConnection(port)
        channel.pipeline().addLast(DataConnection.NAME, wire)
        http1.addTo(channel.pipeline(), wire)
    }
}
