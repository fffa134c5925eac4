package clientlab.server

import clientlab.server.request.PortSettings
import java.io.IOException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * What a delay server is started with.
 *
 * @property host address all ports listen on; loopback unless told otherwise.
 * @property hosts how many addresses of loopback the data port listens on, 127.0.0.1 first; see [Endpoints.hosts].
 * @property port data port, where the clients under test send; 0 takes a free one.
 * @property controlPort port of the evidence; 0 takes a free one.
 * @property transport how sockets are driven.
 * @property isExposed whether an address other than loopback was meant.
 * @property token what the control port wants to be told before it answers, or null for nothing; where [isExposed], one is made if it is
 *   null.
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

/** The server cannot be started like this; [message] is one sentence for the person who asked. */
public class CannotStartException(message: String, cause: Throwable? = null) : IOException(message, cause)

/**
 * Where a started server listens.
 *
 * @property hosts how many addresses the data port is at, 127.0.0.1 first and each of the next in its last number: fewer than were asked
 *   for where the system has no more.
 * @property token what the control port wants to be told, or null for nothing.
 * @property transport `epoll` or `nio`, whichever was taken.
 * @property backlog length of the accept queues that the system grants: 4096 are asked for, Linux caps that at `somaxconn`.
 * @property tlsPort where HTTP/2 and HTTP/1.1 are spoken over TLS, or null.
 * @property certificate what a client has to trust there, in PEM, made anew at every start; or null.
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
