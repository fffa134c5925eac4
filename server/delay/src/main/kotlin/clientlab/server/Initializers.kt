package clientlab.server

import clientlab.server.control.*
import clientlab.server.evidence.*
import clientlab.server.http1.*
import clientlab.server.http2.*
import clientlab.server.net.*
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelInitializer
import io.netty.channel.group.ChannelGroup
import io.netty.handler.codec.http.HttpObjectAggregator
import io.netty.handler.codec.http.HttpServerCodec
import io.netty.handler.codec.http2.Http2SecurityUtil
import io.netty.handler.ssl.ApplicationProtocolConfig
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol.ALPN
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE
import io.netty.handler.ssl.ApplicationProtocolNames
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler
import io.netty.handler.ssl.SslContext
import io.netty.handler.ssl.SslContextBuilder
import io.netty.handler.ssl.SslProvider
import io.netty.handler.ssl.SupportedCipherSuiteFilter

/** Makes the pipeline of a new connection on the data port, which speaks HTTP/1 unless its first bytes are the preface of HTTP/2. */
internal class DataInitializer(private val port: DataPort, private val http1: Http1Pipeline) : ChannelInitializer<Channel>() {
    override fun initChannel(channel: Channel) {
        val wire = DataConnection(port)
        channel.pipeline().addLast(DataConnection.NAME, wire)
        http1.addTo(channel.pipeline(), wire)
    }
}

/** Makes the pipeline of a new connection on the TLS port: HTTP/2 where the client offers it by ALPN (RFC 7301), else HTTP/1. */
internal class TlsInitializer(
    private val port: DataPort,
    private val http1: Http1Pipeline,
    private val http2: Http2Pipeline,
    own: SelfSignedCertificate,
) : ChannelInitializer<Channel>() {
    private val tls: SslContext = SslContextBuilder
        .forServer(own.key, own.certificate)
        // The JDK's TLS: most clients under test use it too, and no native library has to be shipped for every system.
        .sslProvider(SslProvider.JDK)
        .protocols("TLSv1.3", "TLSv1.2")
        .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
        // The server asks no client for a certificate; without this line the JDK would first read all its own authorities.
        .trustManager(own.certificate)
        .applicationProtocolConfig(
            ApplicationProtocolConfig(ALPN, NO_ADVERTISE, ACCEPT, ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1),
        ).build()

    override fun initChannel(channel: Channel) {
        val wire = DataConnection(port)
        channel.pipeline().addLast(tls.newHandler(channel.alloc()), Negotiation(wire))
        channel.pipeline().addLast(DataConnection.NAME, wire)
    }

    /** Adds the handlers of the protocol that was agreed upon, and removes itself; a client that offers nothing speaks HTTP/1. */
    private inner class Negotiation(private val wire: DataConnection) :
        ApplicationProtocolNegotiationHandler(ApplicationProtocolNames.HTTP_1_1) {
        override fun configurePipeline(ctx: ChannelHandlerContext, protocol: String) {
            port.evidence.counts.tlsHandshakes++
            val isHttp2 = protocol == ApplicationProtocolNames.HTTP_2
            if (isHttp2) http2.addTo(ctx.pipeline(), wire, Protocol.H2) else http1.addTo(ctx.pipeline(), wire)
        }

        override fun handshakeFailure(ctx: ChannelHandlerContext, cause: Throwable) {
            ctx.close() // the client does not trust the certificate, or does not speak TLS; the log stays silent
        }
    }
}

internal class ControlInitializer(private val open: ChannelGroup, private val connection: () -> ControlConnection) :
    ChannelInitializer<Channel>() {
    override fun initChannel(channel: Channel) {
        open.add(channel)
        channel.pipeline().addLast(HttpServerCodec(), HttpObjectAggregator(65_536), connection())
    }
}

/** Counts how often the system has no file descriptor for a connection. Netty's acceptor, the next handler, then waits for one second. */
internal class AcceptFailureHandler(private val evidence: ServerEvidence, private val warn: (String) -> Unit) :
    ChannelInboundHandlerAdapter() {
    private var hasWarned = false

    @Deprecated("Netty's interface declares it so")
    override fun exceptionCaught(ctx: ChannelHandlerContext, cause: Throwable) {
        evidence.counts.acceptsFailed++
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
