package clientlab.clients.okhttp

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*

/**
 * Other settings of OkHttp, one after another: those that source 004 tried and [Hosts], with all else at its default, and the lab's own
 * former settings.
 *
 * It names no class of a library, so that a list of clients loads none. [set] applies it.
 *
 * @property words what is set and why, for the reader.
 * @property limit the most requests in flight with this setting; null if as many as asked.
 * @property configuration what it is set on.
 */
internal enum class OkHttpAttempt(
    val id: String,
    val title: String,
    val words: String,
    val limit: Int?,
    val configuration: Configuration = Configuration.Default,
) {
    Pool("pool", "with a larger pool", POOL, OkHttpListing.PER_HOST),

    /** A dispatcher with another executor keeps its limits. */
    Executor("executor", "with an executor of its own", EXECUTOR, OkHttpListing.PER_HOST),

    /** The journal's repair, from its last listing. */
    Requests("requests", "as the journal repairs it", REQUESTS, limit = null),

    /** No limit is raised. The limit of 5 applies per host name, so several names let more requests through, up to 64 in all. */
    Hosts("hosts", "under many names", NAMES, OkHttpListing.IN_ALL),

    /** As the lab opened OkHttp in the runs of 2026-11. */
    PoolOfFive("pool-of-five", "with its pool of five", OF_FIVE, limit = null, Configuration.Opened),
    ;

    /** The protocols it speaks; [Hosts] has no TLS, because the delay server's certificate has none of the [HOSTS] names. */
    val protocols: List<Protocol> get() = Protocol.overTcp.filter { this != Hosts || !it.tls }
}

/** How many names [OkHttpAttempt.Hosts] has. */
internal const val HOSTS: Int = 20
private const val POOL =
    "ConnectionPool of as many idle connections as requests in flight, kept for 5 minutes, because by default it keeps 5; " +
        "a pool keeps connections for later and does not limit them"
private const val EXECUTOR =
    "Dispatcher with Executors.newCachedThreadPool(), so that threads have no limit; the dispatcher's limits of 64 and 5 stay"
private const val REQUESTS =
    "maxRequests and maxRequestsPerHost at the requests in flight, because by default they are 64 and 5; also, as in the journal, " +
        "ConnectionPool of as many idle connections, kept for 5 minutes, and Dispatcher with Executors.newCachedThreadPool()"
private const val NAMES =
    "the same server under $HOSTS names in turn, through its own Dns, because the limit of 5 applies per name; the limit of 64 in all stays"
private const val OF_FIVE =
    "all as opened, but the connection pool at its default of 5 idle connections, kept for 5 minutes: the next request after a burst " +
        "of more has to connect again"

/** The client [id] with each attempt in turn. */
internal fun Listing.attempts(id: String, title: String, create: (OkHttpAttempt) -> Client): List<CatalogueEntry> =
    OkHttpAttempt.entries.map {
        entry("$id@${it.id}", "$title ${it.title}", it.words, it.limit, threadPerRequest = true, speaks = it.protocols) { create(it) }
    }
