package clientlab.server

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
 * @property maxDelay longest delay a request may ask for.
 * @property maxInFlight most requests held at once; one more is answered 503.
 * @property transport how sockets are driven.
 * @property maxConnections most connections to the data port at once; the first request of one more is answered 503. 0 for no such limit.
 * @property maxRate most good requests a second; one more is answered 429. 0 for no such limit.
 * @property headTimeout how long a new connection may take until the head of its first request is there; a body may take as long, and
 *   longer by a second for each 500 bytes.
 * @property idleTimeout how long a connection may lie unused between requests, or leave an answer unread. Whoever waits for an answer
 *   is not idle.
 * @property isExposed whether an address other than loopback was meant.
 * @property token what the control port wants to be told before it answers, or null for nothing; where [isExposed], one is made if it is
 *   null.
 * @property delays what `delay=file(name)` draws from, each value in nanoseconds.
 * @property tlsPort port of HTTP/2 and HTTP/1.1 over TLS; 0 takes a free one, and null has none.
 * @property maxStreams most streams at once on one HTTP/2 connection; null for a thousand more than [maxInFlight], so that it is the
 *   answer of 503 that says when there are too many.
 * @property takesUpgrades whether a request of HTTP/1.1 that offers to go on in HTTP/2 is answered in that. Where it is not, a client that
 *   offers by habit is measured in HTTP/1.1, as most servers would have it: RFC 9113 has withdrawn that upgrade.
 */
public data class ServerSettings(
    val host: String = "127.0.0.1",
    val hosts: Int = 1,
    val port: Int = 0,
    val controlPort: Int = 0,
    val maxDelay: Duration = 60.seconds,
    val maxInFlight: Int = 20_000,
    val transport: Transport = Transport.AUTO,
    val maxConnections: Int = 0,
    val maxRate: Int = 0,
    val headTimeout: Duration = 60.seconds,
    val idleTimeout: Duration = 300.seconds,
    val isExposed: Boolean = false,
    val token: String? = null,
    val delays: Map<String, LongArray> = emptyMap(),
    val tlsPort: Int? = null,
    val maxStreams: Int? = null,
    val takesUpgrades: Boolean = false,
)

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
