package clientlab.server.http3

import clientlab.server.answer.*
import clientlab.server.net.*
import io.netty.channel.ChannelHandler
import io.netty.channel.ChannelInitializer
import io.netty.handler.codec.http.HttpResponseStatus
import io.netty.handler.codec.http3.DefaultHttp3Headers
import io.netty.handler.codec.http3.Http3
import io.netty.handler.codec.http3.Http3Headers
import io.netty.handler.codec.http3.Http3ServerConnectionHandler
import io.netty.handler.codec.quic.QuicChannel
import io.netty.handler.codec.quic.QuicSslContextBuilder
import io.netty.handler.codec.quic.QuicStreamChannel
import java.security.PrivateKey
import java.security.cert.X509Certificate
import java.util.concurrent.TimeUnit

/** Lets a UDP port speak HTTP/3 (RFC 9114) over QUIC (RFC 9000). One event loop has one, because its encoder of heads is shared. */
internal class Http3Pipeline(private val port: DataPort) {
    private val heads = Http3HeadEncoder()

    /**
     * What reads the datagrams of the port, and shows clients [certificate] with its [key]. There is no Retry: it defends against floods from
     * forged addresses, and each new connection would take a round trip more.
     */
    fun codec(key: PrivateKey, certificate: X509Certificate): ChannelHandler {
        val protocols = Http3.supportedApplicationProtocols()
        return Http3
            .newQuicServerCodecBuilder()
            .sslContext(QuicSslContextBuilder.forServer(key, null, certificate).applicationProtocols(*protocols).build())
            // A client that was killed says nothing: its datagrams just end.
            .maxIdleTimeout(port.idleNanos, TimeUnit.NANOSECONDS)
            .initialMaxData(CONNECTION_BYTES)
            .initialMaxStreamDataBidirectionalRemote(STREAM_BYTES)
            .initialMaxStreamsBidirectional(port.maxStreams.toLong())
            .handler(Connections())
            .build()
    }

    private inner class Connections : ChannelInitializer<QuicChannel>() {
        override fun initChannel(channel: QuicChannel) {
            val wire = DataConnection(port)
            val connection = Http3Connection(port, wire, channel, heads)
            channel.pipeline().addLast(connection, Http3ServerConnectionHandler(Streams(connection)))
            channel.pipeline().addLast(DataConnection.NAME, wire)
        }
    }

    private class Streams(private val connection: Http3Connection) : ChannelInitializer<QuicStreamChannel>() {
        override fun initChannel(stream: QuicStreamChannel) {
            stream.pipeline().addLast(Http3StreamHandler(connection, stream))
        }
    }

    private companion object {
        const val STREAM_BYTES = 1_048_576L // as in HTTP/2; what is read is never kept
        const val CONNECTION_BYTES = 16_777_216L
    }
}

/** Makes the heads of answers for HTTP/3. Not thread-safe: one event loop has one. */
internal class Http3HeadEncoder {
    private val fields = HeadFields()

    fun encode(answer: Answer, length: Long): Http3Headers {
        val head = DefaultHttp3Headers(false).status(HttpResponseStatus.valueOf(answer.status).codeAsText())
        fields.of(answer, length) { name, value -> head.add(name, value) }
        return head
    }
}
