package clientlab.server

import io.netty.bootstrap.Bootstrap
import io.netty.buffer.Unpooled
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioDatagramChannel
import io.netty.handler.codec.http3.DefaultHttp3DataFrame
import io.netty.handler.codec.http3.DefaultHttp3Headers
import io.netty.handler.codec.http3.DefaultHttp3HeadersFrame
import io.netty.handler.codec.http3.Http3
import io.netty.handler.codec.http3.Http3ClientConnectionHandler
import io.netty.handler.codec.http3.Http3DataFrame
import io.netty.handler.codec.http3.Http3HeadersFrame
import io.netty.handler.codec.http3.Http3RequestStreamInboundHandler
import io.netty.handler.codec.quic.QuicChannel
import io.netty.handler.codec.quic.QuicException
import io.netty.handler.codec.quic.QuicSslContextBuilder
import io.netty.handler.codec.quic.QuicStreamChannel
import io.netty.handler.ssl.util.InsecureTrustManagerFactory
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.net.InetSocketAddress
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/** What came back on one stream. */
internal class Http3Answer(val status: Int, val headers: Map<String, String>, val body: ByteArray) {
    val text: String get() = body.decodeToString()
}

/** A client of HTTP/3 with one connection to [port]. */
internal class Http3Caller(port: Int) : AutoCloseable {
    private val group = MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory())
    private val socket: Channel
    private val connection: QuicChannel

    init {
        val tls = QuicSslContextBuilder
            .forClient()
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .applicationProtocols(*Http3.supportedApplicationProtocols())
            .build()
        val codec = Http3
            .newQuicClientCodecBuilder()
            .sslContext(tls)
            .maxIdleTimeout(PATIENCE_S, TimeUnit.SECONDS)
            .initialMaxData(16_777_216)
            .initialMaxStreamDataBidirectionalLocal(1_048_576)
            .build()
        socket = Bootstrap().group(group).channel(NioDatagramChannel::class.java).handler(codec).bind(0).sync().channel()
        connection = QuicChannel
            .newBootstrap(socket)
            .handler(Http3ClientConnectionHandler())
            .remoteAddress(InetSocketAddress("127.0.0.1", port))
            .connect()
            .get(PATIENCE_S, TimeUnit.SECONDS)
    }

    /** The answer, or the exception where the stream ends without one. */
    fun ask(path: String, method: String = "GET", body: ByteArray? = null): CompletableFuture<Http3Answer> {
        val reading = Reading()
        val stream = Http3.newRequestStream(connection, reading).get(PATIENCE_S, TimeUnit.SECONDS)
        val head = DefaultHttp3Headers().method(method).path(path).scheme("https").authority("127.0.0.1")
        if (body != null) head.add("content-length", "${body.size}")
        val last = stream.writeAndFlush(DefaultHttp3HeadersFrame(head)).let {
            if (body == null) it else stream.writeAndFlush(DefaultHttp3DataFrame(Unpooled.wrappedBuffer(body)))
        }
        last.addListener(QuicStreamChannel.SHUTDOWN_OUTPUT)
        return reading.answer
    }

    override fun close() {
        connection.close().await(PATIENCE_S, TimeUnit.SECONDS)
        socket.close().await(PATIENCE_S, TimeUnit.SECONDS)
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(PATIENCE_S, TimeUnit.SECONDS)
    }

    private class Reading : Http3RequestStreamInboundHandler() {
        val answer = CompletableFuture<Http3Answer>()
        private var head: Http3HeadersFrame? = null
        private val body = ByteArrayOutputStream()

        override fun channelRead(ctx: ChannelHandlerContext, frame: Http3HeadersFrame) {
            if (head == null) head = frame
        }

        override fun channelRead(ctx: ChannelHandlerContext, frame: Http3DataFrame) {
            frame.content().readBytes(body, frame.content().readableBytes())
            frame.release()
        }

        override fun channelInputClosed(ctx: ChannelHandlerContext) {
            val headers = head?.headers() ?: return
            val named = headers.filter { !it.key.startsWith(":") }.associate { "${it.key}" to "${it.value}" }
            answer.complete(Http3Answer("${headers.status()}".toInt(), named, body.toByteArray()))
        }

        override fun handleQuicException(ctx: ChannelHandlerContext, exception: QuicException) {
            answer.completeExceptionally(exception)
        }

        override fun channelInactive(ctx: ChannelHandlerContext) {
            answer.completeExceptionally(IOException("The stream has ended without an answer."))
            ctx.fireChannelInactive()
        }
    }

    private companion object {
        const val PATIENCE_S = 30L
    }
}
