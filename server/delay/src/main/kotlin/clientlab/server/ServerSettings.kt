package clientlab.server

import clientlab.server.request.*
import io.netty.channel.IoHandlerFactory
import io.netty.channel.ServerChannel
import io.netty.channel.epoll.Epoll
import io.netty.channel.epoll.EpollDatagramChannel
import io.netty.channel.epoll.EpollIoHandler
import io.netty.channel.epoll.EpollServerSocketChannel
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.DatagramChannel
import io.netty.channel.socket.nio.NioDatagramChannel
import io.netty.channel.socket.nio.NioServerSocketChannel
import java.io.IOException
import java.net.InetAddress
import java.security.SecureRandom
import java.util.HexFormat
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * The settings of a delay server.
 *
 * @property host address that all ports listen on; one that other machines can reach needs [isExposed].
 * @property hosts how many addresses of loopback the data port listens on, 127.0.0.1 first; see [Endpoints.hosts].
 * @property port data port, where the clients under test send; 0 takes a free one, as for the other ports.
 * @property maxInFlight most requests held at once; one more is answered 503.
 * @property maxConnections most connections to the data port at once; the first request of one more is answered 503. 0 means no limit.
 * @property maxRate most good requests per second; one more is answered 429. 0 means no limit.
 * @property maxBurst most of them at once, after a rest; null means as many as [maxRate].
 * @property headTimeout how long a new connection may take until the head of its first request is there; a body may take as long, and
 *   one second more for each 500 bytes.
 * @property idleTimeout how long a connection may lie unused, or leave an answer unread. A client that waits for an answer is not idle.
 * @property token what the control port asks for before it answers, or null for nothing; if [isExposed] and null, the server makes one.
 * @property delays what `delay=file(name)` draws from, each value in nanoseconds.
 * @property tlsPort port of HTTP/2 and HTTP/1.1 over TLS; null has none.
 * @property http3Port port of HTTP/3, for UDP; null has none.
 * @property maxStreams most streams at once on one connection of HTTP/2 or HTTP/3; null means 1,000 more than [maxInFlight], so that the answer 503
 *   tells a client that there are too many.
 * @property takesUpgrades whether a request of HTTP/1.1 that offers to upgrade is answered in HTTP/2; RFC 9113 has withdrawn that.
 */
public data class ServerSettings(
    val host: String = "127.0.0.1",
    val hosts: Int = 1,
    val port: Int = 0,
    val controlPort: Int = 0,
    override val maxDelay: Duration = 60.seconds,
    override val maxInFlight: Int = 20_000,
    val transport: Transport = Transport.AUTO,
    override val maxConnections: Int = 0,
    override val maxRate: Int = 0,
    override val maxBurst: Int? = null,
    override val headTimeout: Duration = 60.seconds,
    override val idleTimeout: Duration = 300.seconds,
    val isExposed: Boolean = false,
    val token: String? = null,
    val delays: Map<String, LongArray> = emptyMap(),
    val tlsPort: Int? = null,
    override val maxStreams: Int? = null,
    override val takesUpgrades: Boolean = false,
    val http3Port: Int? = null,
) : PortSettings

/** The server cannot be started with these settings; [message] is one sentence for the user. */
public class CannotStartException(message: String, cause: Throwable? = null) : IOException(message, cause)

/**
 * Where a started server listens.
 *
 * @property hosts how many addresses the data port listens on, from 127.0.0.1 on: fewer than asked for if the system has no more.
 * @property backlog length of the accept queues that the system grants: the server asks for 4096, and Linux caps that at `somaxconn`.
 * @property certificate what a client has to trust on the TLS port and in HTTP/3, in PEM, made anew at every start; or null.
 */
public data class Endpoints(
    val host: String,
    val port: Int,
    val controlPort: Int,
    val transport: String,
    val backlog: Int,
    val token: String? = null,
    val tlsPort: Int? = null,
    val certificate: String? = null,
    val hosts: Int = 1,
    val http3Port: Int? = null,
)

/** Which interface drives the server's sockets: Linux's epoll, Java's NIO, or epoll if this machine has it (auto). */
public enum class Transport {
    AUTO,
    EPOLL,
    NIO,
    ;

    /** Throws [CannotStartException] if epoll was asked for and this machine has none. */
    internal fun wiring(): Wiring {
        if (this != NIO && Epoll.isAvailable()) {
            val sockets = EpollServerSocketChannel::class.java
            return Wiring("epoll", EpollIoHandler.newFactory(), sockets, EpollDatagramChannel::class.java)
        }
        if (this != EPOLL) {
            val sockets = NioServerSocketChannel::class.java
            return Wiring("nio", NioIoHandler.newFactory(), sockets, NioDatagramChannel::class.java)
        }
        val why = Epoll.unavailabilityCause()?.message
        throw CannotStartException("This machine has no epoll for the server ($why): leave --transport out, or choose nio.")
    }
}

/** A transport's parts, which must come from the same family. */
internal class Wiring(
    val name: String,
    val handler: IoHandlerFactory,
    val serverChannel: Class<out ServerChannel>,
    val datagramChannel: Class<out DatagramChannel>,
)

/** The token of the control port; null on loopback, unless one was given. Throws if other machines come in and --expose is missing. */
internal fun tokenOf(settings: ServerSettings): String? {
    if (isLoopback(settings.host)) return settings.token
    if (!settings.isExposed) {
        val host = settings.host
        throw CannotStartException("$host lets other machines in: add --expose if that is meant, or leave --host out for 127.0.0.1.")
    }
    return settings.token ?: HexFormat.of().formatHex(ByteArray(16).also { SecureRandom().nextBytes(it) })
}

// Listening on an unknown host fails later, with its own sentence.
private fun isLoopback(host: String): Boolean = runCatching { InetAddress.getByName(host).isLoopbackAddress }.getOrDefault(true)
