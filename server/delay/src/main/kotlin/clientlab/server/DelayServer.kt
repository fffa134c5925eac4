package clientlab.server

import clientlab.server.control.*
import clientlab.server.evidence.*
import clientlab.server.http1.*
import clientlab.server.http2.*
import clientlab.server.http3.*
import clientlab.server.net.*
import clientlab.server.page.*
import clientlab.server.request.*
import io.netty.bootstrap.Bootstrap
import io.netty.bootstrap.ServerBootstrap
import io.netty.channel.AdaptiveRecvByteBufAllocator
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelHandler
import io.netty.channel.ChannelOption
import io.netty.channel.EventLoopGroup
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.ServerChannelRecvByteBufAllocator
import io.netty.channel.group.ChannelGroup
import io.netty.channel.group.DefaultChannelGroup
import io.netty.handler.codec.quic.Quic
import io.netty.util.concurrent.DefaultThreadFactory
import kotlinx.serialization.encodeToString
import java.net.InetSocketAddress
import java.net.UnknownHostException
import java.nio.channels.UnresolvedAddressException
import java.util.concurrent.Callable
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/**
 * An HTTP server that answers after the delay that a request asks for, and reports on a second port what it saw. One event loop does all.
 *
 * The caller closes it. [start] may be called once; [evidence] and [close] may be called from any thread. `warn` gets one sentence, on
 * the event loop, about each later problem that a person should know.
 */
public class DelayServer(private val settings: ServerSettings = ServerSettings(), private val warn: (String) -> Unit = {}) :
    AutoCloseable {
    private val counts = ServerEvidence()
    private val closed = CountDownLatch(1)
    private var group: EventLoopGroup? = null
    private var data: DataPort? = null
    private var others: ChannelGroup? = null // the ports, and the connections of the control port

    @Volatile
    private lateinit var ready: Ready // what the control port says; set before anyone knows that port

    /** Listens on its ports; throws [CannotStartException] if it cannot, and then leaves nothing behind. */
    public fun start(): Endpoints {
        check(group == null) { "This server has been started already: make another one." }
        val token = tokenOf(settings)
        val wiring = settings.transport.wiring()
        val loop = MultiThreadIoEventLoopGroup(1, DefaultThreadFactory("delay-server", true), wiring.handler)
        group = loop
        try {
            val recorded = settings.delays.mapValues { (_, nanos) -> RecordedDelays(nanos) }
            val others = DefaultChannelGroup(loop.next()).also { this.others = it }
            val routes = DataRoutes(settings.maxDelay, recorded, ::ServerDescription)
            val data = DataPort(Admission(routes, counts, settings), settings).also { this.data = it }
            val http2 = Http2Pipeline(data)
            val http1 = Http1Pipeline(data, http2)
            val own = (settings.tlsPort ?: settings.http3Port)?.let { SelfSignedCertificate.forHost(settings.host) }
            val dataPort = listen(loop, wiring, settings.port, "--port", DataInitializer(data, http1))
            val hosts = 1 + listenOnMore(loop, wiring, dataPort, DataInitializer(data, http1))
            val tlsPort = settings.tlsPort?.let {
                listen(loop, wiring, it, "--tls-port", TlsInitializer(data, http1, http2, checkNotNull(own)))
            }
            val http3Port = settings.http3Port?.let { listenForHttp3(loop, wiring, it, Http3Pipeline(data), checkNotNull(own)) }
            // The loop cannot wait for its own end, so another thread closes.
            val rights = ControlRights(token) { thread(name = "delay-server-close", isDaemon = true) { close() } }
            val control =
                ControlInitializer(others) { ControlConnection(counts, rights, own?.pem, routes) { EVIDENCE_JSON.encodeToString(ready) } }
            val controlPort = listen(loop, wiring, settings.controlPort, "--control-port", control)
            data.connections.begin(loop.next())
            val backlog = grantedBacklog()
            val endpoints =
                Endpoints(settings.host, dataPort, controlPort, wiring.name, backlog, token, tlsPort, own?.pem, hosts, http3Port)
            ready = Ready(endpoints, settings).copy(token = null)
            loop.submit(::loadWhatEvidenceNeeds).sync()
            return endpoints
        } catch (refused: CannotStartException) {
            close()
            throw refused
        }
    }

    /** The evidence so far, read on the event loop. */
    public fun evidence(): Evidence {
        val group = checkNotNull(group) { "This server has not been started: call start() first." }
        return group.submit(Callable { counts.snapshot() }).get()
    }

    /** Closes every connection and all ports, and waits for the loop's end. May be called again. */
    override fun close() {
        closeConnections()
        // No quiet period: no new task will come, and a trial waits for the port.
        group?.shutdownGracefully(0, CLOSE_WITHIN_MS, TimeUnit.MILLISECONDS)?.await(2 * CLOSE_WITHIN_MS)
        closed.countDown()
    }

    /** Closes them on the loop before it is shut down: a loop that is told to end during its tasks ends with their sockets open. */
    private fun closeConnections() {
        val group = group?.takeUnless { it.isShuttingDown } ?: return
        val closing = {
            // A connection of HTTP/3 says goodbye through its port.
            data?.connections?.closeAll()
            others?.close()
        }
        // Another thread may shut the loop down meanwhile.
        runCatching { group.submit(closing).await(CLOSE_WITHIN_MS) }
    }

    internal fun awaitClose() = closed.await()

    /** Writes evidence once, so that its classes are loaded before requests wait on the event loop. */
    private fun loadWhatEvidenceNeeds() {
        EVIDENCE_JSON.encodeToString(counts.snapshot())
        SHORT_JSON.encodeToString(counts.notReached())
        counts.requests.json()
        counts.connections.json()
        EVIDENCE_JSON.encodeToString(counts.live(System.nanoTime()))
        EVIDENCE_JSON.encodeToString(ready)
        check(LIVE_PAGE.isNotEmpty())
    }

    /** Listens on [port] of the further hosts that the system has, and returns how many those are. */
    private fun listenOnMore(loop: EventLoopGroup, wiring: Wiring, port: Int, handler: ChannelHandler): Int {
        val network = settings.host.substringBeforeLast('.')
        return (2..settings.hosts).takeWhile { bind(loop, wiring, "$network.$it", port, handler).isSuccess }.size
    }

    private fun listen(loop: EventLoopGroup, wiring: Wiring, port: Int, option: String, handler: ChannelHandler): Int {
        val bound = bind(loop, wiring, settings.host, port, handler)
        if (!bound.isSuccess) throw cannotListen(port, option, bound.cause())
        return (bound.channel().localAddress() as InetSocketAddress).port.also { counts.listenSockets.ports += it }
    }

    /** Listens for the datagrams of QUIC; throws [CannotStartException] also where this machine has no QUIC. */
    private fun listenForHttp3(
        loop: EventLoopGroup,
        wiring: Wiring,
        port: Int,
        http3: Http3Pipeline,
        own: SelfSignedCertificate,
    ): Int {
        if (!Quic.isAvailable()) {
            val why = Quic.unavailabilityCause()?.message
            throw CannotStartException("This machine has no QUIC for HTTP/3 ($why): leave --http3-port out.")
        }
        val bound = Bootstrap()
            .group(loop)
            .channel(wiring.datagramChannel)
            .option(ChannelOption.SO_RCVBUF, DATAGRAM_BYTES)
            .option(ChannelOption.SO_SNDBUF, DATAGRAM_BYTES)
            .handler(http3.codec(own.key, own.certificate))
            .bind(settings.host, port)
            .awaitUninterruptibly()
        if (!bound.isSuccess) throw cannotListen(port, "--http3-port", bound.cause())
        others?.add(bound.channel())
        return (bound.channel().localAddress() as InetSocketAddress).port
    }

    private fun bind(loop: EventLoopGroup, wiring: Wiring, host: String, port: Int, handler: ChannelHandler): ChannelFuture {
        val reads = AdaptiveRecvByteBufAllocator(READ_BYTES, READ_BYTES, MAX_READ_BYTES)
        val bound = ServerBootstrap()
            .group(loop, loop)
            .channel(wiring.serverChannel)
            .handler(AcceptFailureHandler(counts, warn))
            .option(ChannelOption.SO_BACKLOG, BACKLOG_ASKED)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.RECVBUF_ALLOCATOR, ServerChannelRecvByteBufAllocator().maxMessagesPerRead(ACCEPTS_AT_ONCE))
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, reads)
            .childHandler(handler)
            .bind(host, port)
            .awaitUninterruptibly()
        if (bound.isSuccess) others?.add(bound.channel())
        return bound
    }

    private fun cannotListen(port: Int, option: String, cause: Throwable): CannotStartException {
        val reason = cause.message.orEmpty()
        val isElsewhere = cause is UnknownHostException || cause is UnresolvedAddressException || "assign" in reason
        val host = settings.host
        val sentence = when {
            "in use" in reason -> "Port $port is taken: choose another with $option, or leave it out for a free one."
            "denied" in reason -> "Port $port may not be listened on by this user: choose one above 1023 with $option."
            isElsewhere -> "$host is not an address of this machine: choose another with --host, or leave it out for 127.0.0.1."
            else -> "$host:$port cannot be listened on ($reason): choose another with --host and $option."
        }
        return CannotStartException(sentence, cause)
    }

    private companion object {
        const val CLOSE_WITHIN_MS = 1_000L
        const val ACCEPTS_AT_ONCE = 1_024 // empties the accept queue in one turn while thousands connect at once
        const val DATAGRAM_BYTES = 4_194_304 // a burst of a thousand requests comes in as many datagrams
        const val READ_BYTES = 2_048 // 10,000 such buffers may exist; only a connection that fills one reads more at once
    }
}
