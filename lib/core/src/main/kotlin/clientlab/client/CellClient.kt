package clientlab.client

import clientlab.*
import java.io.Serializable
import java.net.URI

/** One blocking call: sends a GET to `url`, reads the body to its end and returns the status. */
public fun interface BlockingCall : Serializable {
    public fun get(url: URI): Int
}

/** A client from a suspending call. */
public fun interface SuspendingCall : Serializable {
    public suspend fun get(url: URI): Int
}

/** A reader's own client, written in a notebook cell; [client] is serialized for the fork. */
public class CellClient(override val info: ClientInfo, override val client: Client) :
    Client,
    OwnClient {
    override fun open(conditions: Conditions): Session = client.open(conditions)

    override fun toString(): String = "client ${info.id}"
}

/**
 * A client of your own that blocks. Each call runs on a thread of its own, a platform thread unless [threads] says otherwise.
 *
 * ```kotlin
 * val mine = blockingClient("mine") { url -> url.toURL().openStream().use { it.readAllBytes() }; 200 }
 * ```
 */
public fun blockingClient(name: String, threads: CallerThreads = CallerThreads.Platform, call: BlockingCall): CellClient =
    ownClient(name, BlockingCellClient(threads, call))

/** Your own suspending client that opens nothing that must be closed; otherwise use [ownClient]. */
public fun suspendingClient(name: String, call: SuspendingCall): CellClient = ownClient(name, SuspendingCellClient(call))

/** Your own client with a session: [client] opens what the calls share, and the session closes it. It speaks HTTP/1.1. */
public fun ownClient(name: String, client: Client): CellClient = ownClient(name, listOf(Protocol.Http1), client)

/** A client that speaks each of [protocols] if the conditions and their address ask for it. */
public fun ownClient(name: String, protocols: List<Protocol>, client: Client): CellClient = CellClient(
    ClientInfo(
        id = name.lowercase().replace(Regex("[^a-z0-9]+"), "-").trim('-'),
        title = name,
        library = "a notebook cell",
        settings = "as written in the cell",
        expectedLeftovers = listOf(Leftover(".*", UNDECLARED, MANY, MANY)),
        protocols = protocols,
    ),
    client,
)

private const val UNDECLARED = "a client of a cell declares nothing, so what stays is shown and not held against it"
private const val MANY = 1_000_000

/** A class with a fixed serialization number instead of a lambda, because later versions of this file must read published clients. */
private class BlockingCellClient(private val threads: CallerThreads, private val call: BlockingCall) : Client {
    override fun open(conditions: Conditions): Session = object : BlockingSession(threads) {
        override fun call(request: Request) = Reply(call.get(conditions.addressOf(request)))
    }

    private companion object {
        private const val serialVersionUID = 1L
    }
}

private class SuspendingCellClient(private val call: SuspendingCall) : Client {
    override fun open(conditions: Conditions): Session = object : Session {
        override suspend fun send(request: Request) = Reply(call.get(conditions.addressOf(request)))

        override fun close() {}
    }

    private companion object {
        private const val serialVersionUID = 1L
    }
}

/** The address of [request]: all that a function of an address can send. */
private fun Conditions.addressOf(request: Request): URI {
    if (request.method != "GET" || request.bodyBytes > 0 || request.headers.isNotEmpty()) {
        throw UnsupportedRequest("This client takes an address and sends a plain GET: write a Session to send anything else.")
    }
    return baseUrl.resolve(request.path)
}
