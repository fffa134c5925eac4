package clientlab.clients.okhttp

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import okhttp3.Dispatcher
import okhttp3.MediaType
import okhttp3.OkHttpClient
import okhttp3.RequestBody
import okio.BufferedSink
import java.util.concurrent.Executors
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
    when (configuration) {
        Configuration.Opened -> builder.open(conditions, virtual)

        // Time-outs stay at their defaults: 10 s to connect, to read and to write, none for the call.
        Configuration.Article -> builder.dispatcher(dispatcher(conditions.inFlight, virtual))

        Configuration.Default -> Unit
    }
    builder.set(attempt, conditions)
    if (configuration.setsProtocol(conditions)) builder.protocol(conditions.protocol)
    return builder.build()
}

/** Sets every limit and every time-out to what [conditions] ask for. */
internal fun OkHttpClient.Builder.open(conditions: Conditions, virtual: Boolean = false) {
    val timeout = conditions.timeout.toJavaDuration()
    dispatcher(dispatcher(conditions.inFlight, virtual))
    connectTimeout(timeout)
    readTimeout(timeout)
    writeTimeout(timeout)
    callTimeout(timeout)
}

/** A dispatcher that runs [inFlight] calls at once; by default it runs 64, and 5 of them to one host. */
internal fun dispatcher(inFlight: Int, virtual: Boolean = false): Dispatcher {
    val dispatcher =
        if (virtual) {
            Dispatcher(Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("OkHttp Dispatcher ", 0).factory()))
        } else {
            Dispatcher()
        }
    dispatcher.maxRequests = inFlight
    dispatcher.maxRequestsPerHost = inFlight
    return dispatcher
}

/** OkHttp speaks HTTP/2 in cleartext only if no other protocol is allowed. Over TLS it chooses HTTP/2 by default. */
internal fun OkHttpClient.Builder.protocol(protocol: Protocol): OkHttpClient.Builder =
    protocols(
        when (protocol) {
            Protocol.Http1, Protocol.Https1 -> listOf(OkHttpProtocol.HTTP_1_1)
            Protocol.H2c -> listOf(OkHttpProtocol.H2_PRIOR_KNOWLEDGE)
            Protocol.Http2 -> listOf(OkHttpProtocol.HTTP_2, OkHttpProtocol.HTTP_1_1)
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
