package clientlab.server

import clientlab.server.request.*
import java.io.IOException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * The settings of a delay server.
 *
 * @property host address that all ports listen on; loopback by default.
 * @property hosts how many addresses of loopback the data port listens on, 127.0.0.1 first; see [Endpoints.hosts].
 * @property port data port, where the clients under test send; 0 takes a free one.
 * @property controlPort port of the evidence; 0 takes a free one.
 * @property transport which of the system's interfaces drives the sockets.
 * @property isExposed whether [host] may be an address that other machines can reach.
 * @property token what the control port asks for before it answers, or null for nothing; if [isExposed] and null, the server makes one.
 * @property delays what `delay=file(name)` draws from, each value in nanoseconds.
 * @property tlsPort port of HTTP/2 and HTTP/1.1 over TLS; 0 takes a free one, and null has none.
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
    override val headTimeout: Duration = 60.seconds,
    override val idleTimeout: Duration = 300.seconds,
    val isExposed: Boolean = false,
    val token: String? = null,
    val delays: Map<String, LongArray> = emptyMap(),
    val tlsPort: Int? = null,
    override val maxStreams: Int? = null,
    override val takesUpgrades: Boolean = false,
) : PortSettings

/** The server cannot be started with these settings; [message] is one sentence for the user. */
public class CannotStartException(message: String, cause: Throwable? = null) : IOException(message, cause)

/**
 * Where a started server listens.
 *
 * @property hosts how many addresses the data port listens on, from 127.0.0.1 on with the last number counted up: fewer than asked for
 *   if the system has no more.
 * @property token what the control port asks for, or null for nothing.
 * @property transport `epoll` or `nio`.
 * @property backlog length of the accept queues that the system grants: the server asks for 4096, and Linux caps that at `somaxconn`.
 * @property tlsPort port of HTTP/2 and HTTP/1.1 over TLS, or null.
 * @property certificate what a client has to trust on that port, in PEM, made anew at every start; or null.
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
)
