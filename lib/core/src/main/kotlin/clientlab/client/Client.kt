package clientlab.client

import clientlab.ClientInfo
import java.io.Serializable

/**
 * The one seam a network client is plugged into.
 *
 * A client is serializable, so that one written in a notebook cell can be carried into a trial JVM; what it opens there is not.
 * The client holds settings only: connections, pools and threads belong to the [Session] that [open] returns.
 */
public fun interface Client : Serializable {
    /**
     * Opens a session for [conditions]. The caller closes it.
     *
     * Throws [IllegalArgumentException] with one sentence where the client cannot meet a condition, for instance a protocol.
     */
    public fun open(conditions: Conditions): Session
}

/**
 * A client opened for one burst: it owns its connections and threads until [close].
 *
 * [send] is called from many coroutines at once, so a session is safe for concurrent use.
 */
public interface Session : AutoCloseable {
    /**
     * Sends [request], reads the body of the answer to its end and returns the [Reply].
     *
     * Suspends until then. A client that blocks hands the call to threads of its own (see [BlockingSession]) and never blocks the
     * caller. Fails with the client's own exception where no answer came; a status other than 200 is a reply, not a failure.
     */
    public suspend fun send(request: Request): Reply

    /** Gives back all that the session holds, and returns when that is under way; what may outlive it stands in [ClientInfo.leaves]. */
    override fun close()
}
