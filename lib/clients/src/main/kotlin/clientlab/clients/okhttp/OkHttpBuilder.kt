package clientlab.clients.okhttp

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import okhttp3.ConnectionPool
import okhttp3.Dispatcher
import okhttp3.MediaType
import okhttp3.OkHttpClient
import okhttp3.RequestBody
import okio.BufferedSink
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import kotlin.time.toJavaDuration
import okhttp3.Protocol as OkHttpProtocol

/** Builds the client of the OkHttp and Retrofit adapters; the caller ends it with [shutDown]. */
internal fun okHttpClient(
    configuration: Configuration,
    conditions: Conditions,
    virtual: Boolean = false,
    attempt: OkHttpAttempt? = null,
): OkHttpClient {
    val builder = OkHttpClient.Builder()
    if (configuration == Configuration.Opened) builder.open(conditions, virtual)
    // Time-outs stay at their defaults: 10 s to connect, to read and to write, none for the call.
    if (configuration == Configuration.Article) builder.dispatcher(dispatcher(conditions))
    builder.set(attempt, conditions)
    if (configuration.setsProtocol(conditions)) builder.protocol(conditions.protocol)
    return builder.build()
}

/** Sets every limit and every time-out to what [conditions] ask for. */
internal fun OkHttpClient.Builder.open(conditions: Conditions, virtual: Boolean = false) {
    val timeout = conditions.timeout.toJavaDuration()
    dispatcher(dispatcher(conditions, if (virtual) Dispatcher(Executors.newThreadPerTaskExecutor(virtualThreads())) else Dispatcher()))
    connectTimeout(timeout)
    readTimeout(conditions.longestRead.toJavaDuration())
    writeTimeout(timeout)
    callTimeout(timeout)
    connectionPool(poolOf(conditions))
}

/** By default a pool keeps 5 idle connections, so a client with more in flight closes the others and connects again. */
private fun poolOf(conditions: Conditions) = ConnectionPool(conditions.inFlight, 5, TimeUnit.MINUTES)

private fun virtualThreads() = Thread.ofVirtual().name("OkHttp Dispatcher ", 0).factory()

/** By default a dispatcher runs 64 calls at once, and 5 of them to one host. */
private fun dispatcher(conditions: Conditions, opened: Dispatcher = Dispatcher()): Dispatcher {
    opened.maxRequests = conditions.inFlight
    opened.maxRequestsPerHost = conditions.inFlight
    return opened
}

/** Applies [attempt], whose reasons [OkHttpAttempt.words] gives, and reports events if [conditions] ask for them. */
internal fun OkHttpClient.Builder.set(attempt: OkHttpAttempt?, conditions: Conditions) {
    conditions.events?.let { events -> eventListener(OkHttpEvents(events)) }
    if (attempt == OkHttpAttempt.Pool || attempt == OkHttpAttempt.Requests) connectionPool(poolOf(conditions))
    if (attempt == OkHttpAttempt.PoolOfFive) connectionPool(ConnectionPool())
    if (attempt == OkHttpAttempt.Executor) dispatcher(Dispatcher(Executors.newCachedThreadPool()))
    if (attempt == OkHttpAttempt.Requests) dispatcher(dispatcher(conditions, Dispatcher(Executors.newCachedThreadPool())))
    if (attempt == OkHttpAttempt.Hosts) dns(SameHost(conditions.baseUrl.host))
}

/** OkHttp speaks HTTP/2 in cleartext only if no other protocol is allowed. Over TLS it chooses HTTP/2 by default. */
internal fun OkHttpClient.Builder.protocol(protocol: Protocol): OkHttpClient.Builder = protocols(
    when (protocol) {
        Protocol.Http1, Protocol.Https1 -> listOf(OkHttpProtocol.HTTP_1_1)
        Protocol.H2c -> listOf(OkHttpProtocol.H2_PRIOR_KNOWLEDGE)
        Protocol.Http2 -> listOf(OkHttpProtocol.HTTP_2, OkHttpProtocol.HTTP_1_1)
        Protocol.Http3 -> throw IllegalArgumentException("OkHttp does not speak HTTP/3.")
    },
)

/** Ends the client's threads and closes its idle connections; OkHttp has no method for that. */
internal fun OkHttpClient.shutDown() {
    dispatcher.cancelAll()
    dispatcher.executorService.shutdown()
    connectionPool.evictAll()
    cache?.close()
}

/** The [Protocol.label] of OkHttp's [protocol]. */
internal fun labelOf(protocol: OkHttpProtocol): String =
    if (protocol == OkHttpProtocol.H2_PRIOR_KNOWLEDGE) Protocol.H2c.label else protocol.toString()

/** A request body of [length] zero bytes. */
internal class ZeroRequestBody(private val length: Long) : RequestBody() {
    override fun contentType(): MediaType? = null

    override fun contentLength(): Long = length

    override fun writeTo(sink: BufferedSink): Unit = sink.outputStream().writeZeros(length)
}
