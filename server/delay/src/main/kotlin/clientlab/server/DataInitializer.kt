package clientlab.server

import io.netty.channel.Channel
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelPipeline
import io.netty.handler.codec.http.HttpDecoderConfig
import io.netty.handler.codec.http.HttpRequestDecoder

/** Makes the pipeline of a new connection on the data port; which protocol it speaks is known when its first bytes have come. */
internal class DataInitializer(private val port: DataPort) : ChannelInitializer<Channel>() {
    override fun initChannel(channel: Channel) {
        val wire = DataConnection(port)
        channel.pipeline().addLast(PrefaceWatch(port, wire))
        channel.pipeline().addLast(DataConnection.NAME, wire)
    }
}

/** HTTP/1.0 and 1.1, and h2c where a client asks to go on in it. Only requests are decoded: answers are written as bytes. */
internal fun ChannelPipeline.speakHttpOne(port: DataPort, wire: DataConnection) {
    addBefore(DataConnection.NAME, null, HttpRequestDecoder(HTTP_ONE))
    addBefore(DataConnection.NAME, null, HttpOneConnection(port, wire))
}

/** HTTP/2, whose requests count as [protocol]. */
internal fun ChannelPipeline.speakHttpTwo(port: DataPort, wire: DataConnection, protocol: Protocol): HttpTwoConnection =
    HttpTwoConnection.of(port, wire, protocol).also { addBefore(DataConnection.NAME, null, it) }

private val HTTP_ONE = HttpDecoderConfig()
    .setMaxInitialLineLength(HttpOneConnection.MOST_LINE_BYTES)
    .setMaxHeaderSize(HttpOneConnection.MOST_HEADER_BYTES)
    .setMaxChunkSize(MOST_READ_BYTES)
