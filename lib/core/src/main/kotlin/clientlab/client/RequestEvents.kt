package clientlab.client

/** What a client can tell of a request between the moment it is asked and the moment its answer is read, in this order. */
public enum class RequestEvent {
    /** It left the client's own queue: a thread or a slot was given to it. */
    LeftQueue,

    /** It has a connection, new or used before, and can be written. */
    ConnectionReady,
}

/**
 * Is told what happens to requests on their way, by a client that knows.
 *
 * A request is named by its path and query, which are all that every client keeps of it. Called from the client's threads, several at
 * once, so it has to be quick and safe; [atNanos] is `System.nanoTime()`.
 */
public fun interface RequestEvents {
    public fun happened(path: String, event: RequestEvent, atNanos: Long)
}
