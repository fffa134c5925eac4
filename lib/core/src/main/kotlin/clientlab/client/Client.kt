package clientlab.client

import clientlab.*
import java.io.Serializable

/**
 * The interface through which the lab uses a network client. It is serializable, so that one from a notebook cell can run in a trial JVM.
 * It holds settings only: connections, pools and threads belong to the [Session] that [open] returns.
 */
public fun interface Client : Serializable {
    /**
     * Opens a session for [conditions], which the caller closes. Throws [IllegalArgumentException] with one sentence if the client cannot
     * meet a condition, for example a protocol.
     */
    public fun open(conditions: Conditions): Session
}

/** A client opened for one burst: it owns its connections and threads until [close]. Many coroutines use it at once. */
public interface Session : AutoCloseable {
    /**
     * Sends [request], reads the body of the answer to its end and returns the [Reply], whatever its status. Fails with the client's own
     * exception if no answer comes. A blocking client runs the call on other threads (see [BlockingSession]) and never blocks the caller.
     */
    public suspend fun send(request: Request): Reply

    /** Releases everything that the session holds. It may return before all has ended; [ClientInfo.expectedLeftovers] may outlive it. */
    override fun close()
}

/** The clients that a trial JVM can open, found by [java.util.ServiceLoader] on its classpath. `lib/clients` provides the only one. */
public interface ClientCatalogue {
    /** All entries, in the order in which tables and legends show them; ids are unique. */
    public val entries: List<CatalogueEntry>
}

/** A client and its description. [create] is called in the trial JVM only, so listing clients loads none of them. */
public class CatalogueEntry(public val info: ClientInfo, public val create: () -> Client)
