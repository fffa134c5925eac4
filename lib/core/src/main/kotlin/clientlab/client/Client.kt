package clientlab.client

import clientlab.*
import java.io.Serializable

/**
 * The interface through which the lab uses a network client.
 *
 * A client is serializable, so that a client from a notebook cell can run in a trial JVM. What it opens there is not. The client holds
 * settings only: connections, pools and threads belong to the [Session] that [open] returns.
 */
public fun interface Client : Serializable {
    /**
     * Opens a session for [conditions]. The caller closes it.
     *
     * Throws [IllegalArgumentException] with one sentence if the client cannot meet a condition, for example a protocol.
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
     * Suspends until then. A blocking client runs the call on other threads (see [BlockingSession]) and never blocks the caller. Fails with
     * the client's own exception if no answer comes; a status other than 200 is a reply, not a failure.
     */
    public suspend fun send(request: Request): Reply

    /**
     * Releases everything that the session holds, and may return before all of it has ended; [ClientInfo.leaves] says what may outlive it.
     */
    override fun close()
}
