package clientlab.clients.okhttp

import clientlab.client.Conditions
import clientlab.client.Protocol
import clientlab.clients.kit.Configuration
import clientlab.clients.kit.writeZeros
import okhttp3.Dispatcher
import okhttp3.MediaType
import okhttp3.OkHttpClient
import okhttp3.RequestBody
import okio.BufferedSink
import java.util.concurrent.Executors
import kotlin.time.toJavaDuration
import okhttp3.Protocol as OkHttpProtocol

/** The client that the OkHttp and Retrofit adapters share; the caller shuts it down with [shutDown]. */
internal fun okHttpClient(
    configuration: Configuration,
    conditions: Conditions,
    virtual: Boolean = false,
    attempt: OkHttpAttempt? = null,
): OkHttpClient {
    val builder = OkHttpClient.Builder()
    when (configuration) {
        Configuration.Opened -> builder.open(conditions, virtual)

        // Time-outs stay as they come: 10 s to connect, read and write, none for the call.
        Configuration.Article -> builder.dispatcher(dispatcher(conditions.inFlight, virtual))

        Configuration.Default -> Unit
    }
    builder.set(attempt, conditions)
    if (configuration.setsProtocol(conditions)) builder.protocol(conditions.protocol)
    return builder.build()
}

/** Sets every limit and time-out of the builder to [conditions]. */
internal fun OkHttpClient.Builder.open(conditions: Conditions, virtual: Boolean = false) {
    val timeout = conditions.timeout.toJavaDuration()
    dispatcher(dispatcher(conditions.inFlight, virtual))
    connectTimeout(timeout)
    readTimeout(timeout)
    writeTimeout(timeout)
    callTimeout(timeout)
}

/** A dispatcher that lets [inFlight] calls run at once: as it comes it lets 64 run, and 5 of them against one host. */
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

/** OkHttp speaks HTTP/2 in cleartext only where nothing else is allowed, and over TLS it would choose HTTP/2 unasked. */
internal fun OkHttpClient.Builder.protocol(protocol: Protocol): OkHttpClient.Builder =
    protocols(
        when (protocol) {
            Protocol.Http1, Protocol.Https1 -> listOf(OkHttpProtocol.HTTP_1_1)
            Protocol.H2c -> listOf(OkHttpProtocol.H2_PRIOR_KNOWLEDGE)
            Protocol.Http2 -> listOf(OkHttpProtocol.HTTP_2, OkHttpProtocol.HTTP_1_1)
        },
    )

/** Ends the client's threads and closes its idle connections; OkHttp itself has no close. */
internal fun OkHttpClient.shutDown() {
    dispatcher.cancelAll()
    dispatcher.executorService.shutdown()
    connectionPool.evictAll()
    cache?.close()
}

/** OkHttp's name of a protocol in the words of [Protocol.label]. */
internal fun labelOf(protocol: OkHttpProtocol): String =
    if (protocol == OkHttpProtocol.H2_PRIOR_KNOWLEDGE) Protocol.H2c.label else protocol.toString()

/** A request body of [length] zero bytes. */
internal class ZeroRequestBody(private val length: Long) : RequestBody() {
    override fun contentType(): MediaType? = null

    override fun contentLength(): Long = length

    override fun writeTo(sink: BufferedSink): Unit = sink.outputStream().writeZeros(length)
}
