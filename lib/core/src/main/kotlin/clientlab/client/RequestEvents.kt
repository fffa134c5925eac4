package clientlab.client

/** The events that a client can report between sending a request and reading its answer, in this order. */
public enum class RequestEvent {
    /** The request left the client's own queue: it got a thread or a slot. */
    LeftQueue,

    /** The request has a connection, new or reused, and can be written. */
    ConnectionReady,
}

/**
 * Receives the events of requests from a client that has them.
 *
 * A request is named by its path and query, because every client keeps those. Several threads of the client call it at once, so it must be
 * quick and thread-safe; [atNanos] is `System.nanoTime()`.
 */
public fun interface RequestEvents {
    public fun happened(path: String, event: RequestEvent, atNanos: Long)
}
