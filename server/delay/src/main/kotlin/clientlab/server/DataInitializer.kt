package clientlab.server

import clientlab.server.evidence.Protocol
import clientlab.server.http1.Http1Decoder
import clientlab.server.http1.Http1Handler
import clientlab.server.http2.Http2Handler
import clientlab.server.net.DataConnection
import clientlab.server.net.DataPort
import io.netty.channel.Channel
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelPipeline

/** Makes the pipeline of a new connection on the data port, which speaks HTTP/1 unless its first bytes are the preface of HTTP/2. */
internal class DataInitializer(private val port: DataPort) : ChannelInitializer<Channel>() {
    override fun initChannel(channel: Channel) {
        val wire = DataConnection(port)
        channel.pipeline().addLast(DataConnection.NAME, wire)
        channel.pipeline().speakHttp1(port, wire)
    }
}

/** HTTP/1.0 and 1.1, and h2c where a client asks to go on in it. Only requests are decoded: answers are written as bytes. */
internal fun ChannelPipeline.speakHttp1(port: DataPort, wire: DataConnection) {
    addBefore(DataConnection.NAME, null, Http1Decoder(port, wire))
    addBefore(DataConnection.NAME, null, Http1Handler(port, wire))
}

/** HTTP/2, whose requests count as [protocol]. */
internal fun ChannelPipeline.speakHttp2(port: DataPort, wire: DataConnection, protocol: Protocol): Http2Handler =
    Http2Handler.of(port, wire, protocol).also { addBefore(DataConnection.NAME, null, it) }
