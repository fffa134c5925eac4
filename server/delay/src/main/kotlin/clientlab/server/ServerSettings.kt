package clientlab.server

import java.io.IOException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * What a delay server is started with.
 *
 * @property host address both ports listen on; loopback unless told otherwise.
 * @property port data port, where the clients under test send; 0 takes a free one.
 * @property controlPort port of the evidence; 0 takes a free one.
 * @property maxDelay longest delay a request may ask for.
 * @property maxInFlight most requests held at once; one more is answered 503.
 * @property transport how sockets are driven.
 */
public data class ServerSettings(
    val host: String = "127.0.0.1",
    val port: Int = 0,
    val controlPort: Int = 0,
    val maxDelay: Duration = 60.seconds,
    val maxInFlight: Int = 20_000,
    val transport: Transport = Transport.AUTO,
)

/** The server cannot be started like this; [message] is one sentence for the person who asked. */
public class CannotStartException(message: String, cause: Throwable? = null) : IOException(message, cause)

/**
 * Where a started server listens.
 *
 * @property transport `epoll` or `nio`, whichever was taken.
 * @property backlog length of the accept queues that the system grants: 4096 are asked for, Linux caps that at `somaxconn`.
 */
public data class Endpoints(
    val host: String,
    val port: Int,
    val controlPort: Int,
    val transport: String,
    val backlog: Int,
)
