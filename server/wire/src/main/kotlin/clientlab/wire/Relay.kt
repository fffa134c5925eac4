package clientlab.wire

import io.netty.bootstrap.Bootstrap
import io.netty.bootstrap.ServerBootstrap
import io.netty.channel.Channel
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelOption
import io.netty.channel.EventLoopGroup
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.epoll.Epoll
import io.netty.channel.epoll.EpollDatagramChannel
import io.netty.channel.epoll.EpollIoHandler
import io.netty.channel.epoll.EpollServerSocketChannel
import io.netty.channel.epoll.EpollSocketChannel
import io.netty.channel.group.ChannelGroup
import io.netty.channel.group.DefaultChannelGroup
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.DuplexChannel
import io.netty.channel.socket.nio.NioDatagramChannel
import io.netty.channel.socket.nio.NioServerSocketChannel
import io.netty.channel.socket.nio.NioSocketChannel
import io.netty.handler.codec.http.HttpObjectAggregator
import io.netty.handler.codec.http.HttpServerCodec
import io.netty.util.concurrent.DefaultThreadFactory
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.SplittableRandom
import java.util.concurrent.Callable
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/** The relay cannot be started like this; [message] is one sentence for the user. */
public class CannotStartException(message: String, cause: Throwable? = null) : IOException(message, cause)

/**
 * Where a started relay listens.
 *
 * @property port what a client connects to instead of the server.
 * @property controlPort where its [Wire] is changed.
 * @property deadPort a port that never answers; null if this system refuses instead.
 */
public data class WireEndpoints(val host: String, val port: Int, val controlPort: Int, val deadPort: Int?, val transport: String)

/**
 * A network in user space, between a client and the server [to]: it passes bytes on as its [Wire] says, and notes what it saw. One event
 * loop does all, so nothing can race. Of TCP it cannot lose or delay single packets: both ends see those as time alone. With [udp] it passes on
 * datagrams instead of connections, and can lose them.
 *
 * The caller closes it. [start] may be called once; all else may be called from any thread.
 */
public class Relay(
    private val to: InetSocketAddress,
    private val host: String = "127.0.0.1",
    seed: Long = 1,
    private val udp: Boolean = false,
) :
    AutoCloseable {
    private val startedAt = System.nanoTime()
    private val random = SplittableRandom(seed)
    private val closed = CountDownLatch(1)
    private val links = LinkedHashSet<Way>()
    private val past = ArrayDeque<LinkSeen>()
    private var connections = 0
    private var group: EventLoopGroup? = null
    private var open: ChannelGroup? = null
    private var dead: DeadPort? = null

    @Volatile private var now = Wire()

    /** What the network does. It changes at once. */
    public var wire: Wire
        get() = now
        set(value) = onLoop {
            now = value
            links.toList().forEach { it.move() }
        }

    /** The connections seen, those that ended first. */
    public val seen: List<LinkSeen> get() = onLoop { past + links.map { it.seen } }

    /** Resets every open connection. */
    public fun reset(): Unit = onLoop { links.toList().forEach { it.reset() } }

    /** Listens on its ports, [port] and [controlPort], or free ones for 0; throws [CannotStartException] if it cannot. */
    public fun start(port: Int = 0, controlPort: Int = 0): WireEndpoints {
        check(group == null) { "This relay has been started already: make another one." }
        val epoll = Epoll.isAvailable()
        val handler = if (epoll) EpollIoHandler.newFactory() else NioIoHandler.newFactory()
        val loop = MultiThreadIoEventLoopGroup(1, DefaultThreadFactory("wire", true), handler)
        group = loop
        try {
            open = DefaultChannelGroup(loop.next())
            val data = if (udp) datagrams(loop, epoll, port) else listen(loop, epoll, port, "--port", Accepted(loop, epoll))
            val control = listen(loop, epoll, controlPort, "--control-port", Controlled())
            dead = DeadPort(InetAddress.getByName(host)).let { found -> if (found.isDead) found else found.close().let { null } }
            return WireEndpoints(host, data, control, dead?.port, if (epoll) "epoll" else "nio")
        } catch (refused: CannotStartException) {
            close()
            throw refused
        }
    }

    internal fun awaitClose() = closed.await()

    /** Closes every connection and all ports, and waits for the loop's end. May be called again. */
    override fun close() {
        val group = group
        if (group != null && !group.isShuttingDown) runCatching { group.submit(Runnable { open?.close() }).await(CLOSE_WITHIN_MS) }
        group?.shutdownGracefully(0, CLOSE_WITHIN_MS, TimeUnit.MILLISECONDS)?.await(2 * CLOSE_WITHIN_MS)
        dead?.close()
        closed.countDown()
    }

    private fun <T> onLoop(action: () -> T): T {
        val loop = checkNotNull(group) { "This relay has not been started: call start() first." }.next()
        return if (loop.inEventLoop()) action() else loop.submit(Callable { action() }).get()
    }

    private fun listen(loop: EventLoopGroup, epoll: Boolean, port: Int, option: String, handler: ChannelInitializer<Channel>): Int {
        val bound = ServerBootstrap()
            .group(loop, loop)
            .channel(if (epoll) EpollServerSocketChannel::class.java else NioServerSocketChannel::class.java)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(handler)
            .bind(host, port)
            .awaitUninterruptibly()
        return portOf(bound, port, option)
    }

    private fun portOf(bound: ChannelFuture, port: Int, option: String): Int {
        if (!bound.isSuccess) {
            throw CannotStartException(
                "$host:$port cannot be listened on (${bound.cause().message}): choose another with $option, or leave it out for a free one.",
                bound.cause(),
            )
        }
        open?.add(bound.channel())
        return (bound.channel().localAddress() as InetSocketAddress).port
    }

    /** Listens for datagrams. Each client's go to the server from a socket of its own, so that the answers find their way back. */
    private fun datagrams(loop: EventLoopGroup, epoll: Boolean, port: Int): Int {
        val sockets = Bootstrap()
            .group(loop)
            .channel(if (epoll) EpollDatagramChannel::class.java else NioDatagramChannel::class.java)
            .option(ChannelOption.SO_RCVBUF, DATAGRAM_BYTES)
            .option(ChannelOption.SO_SNDBUF, DATAGRAM_BYTES)
        val flows = HashMap<InetSocketAddress, Flow>()
        val front = sockets.clone().handler(
            DatagramsOf { front, packet ->
                val flow = flows.getOrPut(packet.sender()) { flow(sockets, front, packet.sender()).also { forgetQuiet(flows) } }
                flow.fromClient(packet.content().retain())
            },
        )
        return portOf(front.bind(host, port).awaitUninterruptibly(), port, "--port")
    }

    private fun flow(sockets: Bootstrap, front: Channel, client: InetSocketAddress): Flow {
        val flow = Flow(front, client, to, { now }, random.split(), LinkSeen(++connections, (System.nanoTime() - startedAt) / NANOS_PER_MS))
        flow.back = sockets.clone().handler(DatagramsOf { _, packet -> flow.fromServer(packet.content().retain()) }).bind(host, 0)
        open?.add(flow.back.channel())
        links += flow
        return flow
    }

    /** A client of UDP does not say that it has gone. */
    private fun forgetQuiet(flows: MutableMap<InetSocketAddress, Flow>) {
        val quiet = flows.filterValues { System.nanoTime() - it.movedAt > QUIET_NANOS }
        quiet.forEach { (client, flow) ->
            flows.remove(client)
            flow.close()
            forget(flow)
        }
    }

    /** A connection of a client: it gets one of its own to the server, and nothing is read before that is there. */
    private inner class Accepted(private val loop: EventLoopGroup, private val epoll: Boolean) : ChannelInitializer<Channel>() {
        override fun initChannel(client: Channel) {
            open?.add(client)
            val openedAt = System.nanoTime()
            val link = LinkSeen(++connections, (openedAt - startedAt) / NANOS_PER_MS)
            toServer().addListener { connected ->
                val server = (connected as ChannelFuture).channel()
                if (connected.isSuccess) join(client, server, openedAt, link) else refuse(client, link)
            }
        }

        private fun toServer(): ChannelFuture = Bootstrap()
            .group(loop)
            .channel(if (epoll) EpollSocketChannel::class.java else NioSocketChannel::class.java)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .option(ChannelOption.AUTO_READ, false)
            .handler(ChannelInboundHandlerAdapter())
            .connect(to)
    }

    private fun join(client: Channel, server: Channel, openedAt: Long, seen: LinkSeen) {
        open?.add(server)
        val link = Link(client as DuplexChannel, server as DuplexChannel, openedAt, { now }, random.split(), seen)
        links += link
        // A client may leave a dead connection, and the server is not told. It stays known, so that a reset ends it.
        listOf(client, server).forEach { end -> end.closeFuture().addListener { if (!client.isOpen && !server.isOpen) forget(link) } }
        link.begin()
    }

    private fun refuse(client: Channel, seen: LinkSeen) {
        remember(seen.copy(end = "server"))
        client.config().setOption(ChannelOption.SO_LINGER, 0)
        client.close()
    }

    private fun forget(link: Way) {
        if (links.remove(link)) remember(link.seen)
    }

    private fun remember(link: LinkSeen) {
        past += link
        if (past.size > MOST_PAST) past.removeFirst()
    }

    private inner class Controlled : ChannelInitializer<Channel>() {
        override fun initChannel(channel: Channel) {
            open?.add(channel)
            channel.config().isAutoRead = true
            channel.pipeline().addLast(HttpServerCodec(), HttpObjectAggregator(MOST_BODY))
            // The loop cannot wait for its own end, so another thread closes.
            channel.pipeline().addLast(WireControl(this@Relay) { thread(name = "wire-close", isDaemon = true) { close() } })
        }
    }

    private companion object {
        const val BACKLOG = 4_096
        const val CLOSE_WITHIN_MS = 1_000L
        const val NANOS_PER_MS = 1e6
        const val MOST_PAST = 10_000
        const val MOST_BODY = 65_536
        const val DATAGRAM_BYTES = 4_194_304
        const val QUIET_NANOS = 120_000_000_000
    }
}
