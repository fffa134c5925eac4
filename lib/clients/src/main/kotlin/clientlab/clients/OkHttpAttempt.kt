package clientlab.clients

import clientlab.Protocol

/**
 * The settings that source 004 tried on OkHttp one after another, and one that it did not; all else stays as it comes.
 *
 * It names no class of a library, so that listing clients loads none; [set] does what it says.
 *
 * @property id the configuration in a client's id.
 * @property title the same in a client's title.
 * @property words what is set and why, for the reader.
 * @property limit the most in flight that it leaves.
 */
internal enum class OkHttpAttempt(
    val id: String,
    val title: String,
    val words: String,
    val limit: Int?,
) {
    /** The journal's first guess. */
    Pool(
        "pool",
        "with a larger pool",
        "ConnectionPool of as many idle connections as requests in flight, for 5 minutes, for it is 5 as it comes; " +
            "a pool keeps connections for later and limits none",
        OkHttpListing.PER_HOST,
    ),

    /** A dispatcher built around an executor still has its limits. */
    Executor(
        "executor",
        "with an executor of its own",
        "Dispatcher with Executors.newCachedThreadPool(), for threads without a limit; its limits of 64 and 5 stay",
        OkHttpListing.PER_HOST,
    ),

    /** The journal's repair, as its last listing has it. */
    Requests(
        "requests",
        "as the journal repairs it",
        "maxRequests and maxRequestsPerHost at the requests in flight, for they are 64 and 5 as they come; with it, as in the journal, " +
            "ConnectionPool of as many idle connections, for 5 minutes, and Dispatcher with Executors.newCachedThreadPool()",
        null,
    ),

    /** Nothing raised: the limit of 5 is one of the host name, so more names let more through, up to the 64 in all. */
    Hosts(
        "hosts",
        "under many names",
        "the same server under $HOSTS names, in turn, by a Dns of its own, for the limit of 5 is one of the name; the limit of 64 in all stays",
        OkHttpListing.IN_ALL,
    ),
    ;

    /** What it speaks; the certificate of a delay server is for none of the [HOSTS] names. */
    val protocols: List<Protocol> get() = Protocol.entries.filter { this != Hosts || !it.tls }
}

/** The names of [OkHttpAttempt.Hosts]. */
internal const val HOSTS: Int = 20
