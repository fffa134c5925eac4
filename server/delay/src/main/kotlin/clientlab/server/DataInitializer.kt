package clientlab.server

import io.netty.channel.Channel
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelPipeline
import io.netty.handler.codec.http.HttpDecoderConfig
import io.netty.handler.codec.http.HttpRequestDecoder

/**
 * Makes the pipeline of a new connection on the data port.
 *
 * Another protocol has its place before [speakHttpOne]: TLS with ALPN, or a look at the first bytes for the preface of h2c,
 * decides which of the protocols' `speak` functions to call on the same [DataPort].
 */
internal class DataInitializer(private val port: DataPort) : ChannelInitializer<Channel>() {
    override fun initChannel(channel: Channel) {
        channel.pipeline().speakHttpOne(port)
    }
}

/** HTTP/1.0 and 1.1. Only requests are decoded: answers are written as bytes. */
internal fun ChannelPipeline.speakHttpOne(port: DataPort) {
    addLast(HttpRequestDecoder(HTTP_ONE), HttpOneConnection(port))
}

private val HTTP_ONE = HttpDecoderConfig()
    .setMaxInitialLineLength(HttpOneConnection.MOST_LINE_BYTES)
    .setMaxHeaderSize(HttpOneConnection.MOST_HEADER_BYTES)
    .setMaxChunkSize(MOST_READ_BYTES)
