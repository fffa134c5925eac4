package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import io.netty.bootstrap.Bootstrap
import io.netty.channel.Channel
import io.netty.channel.ChannelFutureListener
import io.netty.channel.ChannelOption
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.pool.AbstractChannelPoolHandler
import io.netty.channel.pool.SimpleChannelPool
import io.netty.channel.socket.nio.NioSocketChannel
import io.netty.handler.codec.http.DefaultFullHttpRequest
import io.netty.handler.codec.http.DefaultHttpRequest
import io.netty.handler.codec.http.HttpChunkedInput
import io.netty.handler.codec.http.HttpClientCodec
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpMethod
import io.netty.handler.codec.http.HttpVersion
import io.netty.handler.flow.FlowControlHandler
import io.netty.handler.ssl.SslContext
import io.netty.handler.ssl.SslContextBuilder
import io.netty.handler.ssl.SslProvider
import io.netty.handler.stream.ChunkedStream
import io.netty.handler.stream.ChunkedWriteHandler
import io.netty.util.concurrent.DefaultThreadFactory
import io.netty.util.concurrent.FutureListener
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine
import java.util.concurrent.TimeUnit
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration.Companion.seconds

/**
 * [Netty](https://netty.io/wiki/user-guide-for-4.x.html) without a client above it: its `HttpClientCodec` and its pool without a limit, so
 * that a request takes an idle connection or a new one.
 *
 * It has no default configuration, because Netty gives a codec and a pool and does not say how many connections.
 */
internal class NettyAlone : Client {
    override fun open(conditions: Conditions): Session {
        requireHttp1(conditions, "Netty's HttpClientCodec")
        return NettyAloneSession(conditions)
    }
}

internal object NettyAloneListing : Listing {
    private const val OPENED =
        "HttpClientCodec on NIO, as many event loops as Netty takes by default, and SimpleChannelPool, which has no limit; " +
            "connect time-out as asked, because by default it is 30 s; HTTP/1.1"

    override val library = "io.netty:netty-codec-http"
    override val protocols = HTTP_1
    override val timeouts = mapOf(TimeoutKind.Connect to TimeoutSetting("CONNECT_TIMEOUT_MILLIS", 30.seconds))
    override val owners = listOf(ThreadOwner("netty-alone-.*", "Netty event loop"))
    override val entries = listOf(entry("netty-alone", "Netty alone", OPENED) { NettyAlone() })
}

private class NettyAloneSession(private val conditions: Conditions) : Session {
    private val base = conditions.baseUrl
    private val authority = "${base.host}:${base.port}"
    private val group = MultiThreadIoEventLoopGroup(DefaultThreadFactory("netty-alone", true), NioIoHandler.newFactory())

    /** The JDK's TLS, as most clients use it, with a check of the server's name. */
    private val tls: SslContext? =
        if (conditions.protocol.tls) {
            val builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK)
            builder.endpointIdentificationAlgorithm("HTTPS").build()
        } else {
            null
        }
    private val pool = SimpleChannelPool(
        Bootstrap()
            .group(group)
            .channel(NioSocketChannel::class.java)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, conditions.timeoutMs)
            .remoteAddress(base.host, base.port),
        object : AbstractChannelPoolHandler() {
            override fun channelCreated(channel: Channel) {
                tls?.let { channel.pipeline().addLast(it.newHandler(channel.alloc(), base.host, base.port)) }
                channel.pipeline().addLast(HttpClientCodec()).addLast(EXCHANGE, NettyExchange())
            }
        },
    )

    override suspend fun send(request: Request): Reply {
        requireOneHost(request, "Netty alone")
        val tally = BodyTally(request)
        return suspendCancellableCoroutine { continuation ->
            val whenAcquired =
                FutureListener<Channel> { acquired ->
                    if (!acquired.isSuccess) return@FutureListener continuation.resumeWithException(acquired.cause())
                    val channel = acquired.now
                    channel.eventLoop().execute { ask(channel, request, tally, continuation) }
                }
            pool.acquire().addListener(whenAcquired)
        }
    }

    private fun ask(channel: Channel, request: Request, tally: BodyTally, continuation: CancellableContinuation<Reply>) {
        val pipeline = channel.pipeline()
        // Without it a slow reader is given all pieces of one read at once.
        if (request.reading == Reading.Slowly && pipeline.get(FlowControlHandler::class.java) == null) {
            pipeline.addBefore(EXCHANGE, null, FlowControlHandler())
        }
        pipeline.get(NettyExchange::class.java).await(tally, continuation) { keep ->
            if (!keep) channel.close()
            pool.release(channel)
        }
        continuation.invokeOnCancellation { channel.close() }
        val method = HttpMethod.valueOf(request.method)
        if (request.bodyBytes == 0L) {
            val whole = DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, request.path)
            whole.headers().set(HttpHeaderNames.HOST, authority)
            request.headers.forEach { (name, value) -> whole.headers().add(name, value) }
            channel.writeAndFlush(whole).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE)
            return
        }
        val head = DefaultHttpRequest(HttpVersion.HTTP_1_1, method, request.path)
        head.headers().set(HttpHeaderNames.HOST, authority).set(HttpHeaderNames.CONTENT_LENGTH, request.bodyBytes)
        request.headers.forEach { (name, value) -> head.headers().add(name, value) }
        val body = HttpChunkedInput(ChunkedStream(ZeroStream(request.bodyBytes), CHUNK))
        if (pipeline.get(ChunkedWriteHandler::class.java) == null) pipeline.addBefore(EXCHANGE, null, ChunkedWriteHandler())
        channel.write(head).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE)
        channel.writeAndFlush(body).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE)
    }

    override fun close() {
        pool.close()
        group.shutdownGracefully(0, CLOSING_S, TimeUnit.SECONDS).await(CLOSING_S, TimeUnit.SECONDS)
    }
}

private const val CLOSING_S = 5L
private const val EXCHANGE = "exchange"
