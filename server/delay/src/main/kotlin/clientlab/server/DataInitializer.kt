package clientlab.server

import io.netty.channel.Channel
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelPipeline

/** Makes the pipeline of a new connection on the data port, which speaks HTTP/1 unless its first bytes are the preface of HTTP/2. */
internal class DataInitializer(private val port: DataPort) : ChannelInitializer<Channel>() {
    override fun initChannel(channel: Channel) {
        val wire = DataConnection(port)
        channel.pipeline().addLast(DataConnection.NAME, wire)
        channel.pipeline().speakHttpOne(port, wire)
    }
}

/** HTTP/1.0 and 1.1, and h2c where a client asks to go on in it. Only requests are decoded: answers are written as bytes. */
internal fun ChannelPipeline.speakHttpOne(port: DataPort, wire: DataConnection) {
    addBefore(DataConnection.NAME, null, HttpOneDecoder(port, wire))
    addBefore(DataConnection.NAME, null, HttpOneConnection(port, wire))
}

/** HTTP/2, whose requests count as [protocol]. */
internal fun ChannelPipeline.speakHttpTwo(port: DataPort, wire: DataConnection, protocol: Protocol): HttpTwoConnection =
    HttpTwoConnection.of(port, wire, protocol).also { addBefore(DataConnection.NAME, null, it) }
