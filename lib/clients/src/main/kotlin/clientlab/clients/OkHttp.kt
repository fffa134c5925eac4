package clientlab.clients

import clientlab.ClientInfo
import clientlab.Datetime
import clientlab.LabJson
import clientlab.Leftover
import clientlab.Payload
import clientlab.Protocol
import clientlab.ThreadOwner
import clientlab.client.CatalogueEntry
import clientlab.client.Client
import clientlab.client.Conditions
import clientlab.client.LibraryNeeds
import clientlab.client.Reply
import clientlab.client.Request
import clientlab.client.Session
import kotlinx.coroutines.suspendCancellableCoroutine
import okhttp3.Call
import okhttp3.Callback
import okhttp3.Dispatcher
import okhttp3.MediaType
import okhttp3.OkHttpClient
import okhttp3.RequestBody
import okhttp3.Response
import okio.BufferedSink
import java.io.IOException
import java.util.concurrent.Executors
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.time.toJavaDuration
import okhttp3.Protocol as OkHttpProtocol

/**
 * [OkHttp](https://square.github.io/okhttp/), called through `enqueue`: one thread of its dispatcher a call.
 *
 * What is set, and why, stands at [okHttpClient].
 */
internal class OkHttp(
    private val configuration: Configuration,
    private val virtual: Boolean = false,
    private val attempt: OkHttpAttempt? = null,
) : Client {
    override fun open(conditions: Conditions): Session =
        OkHttpSession(conditions, okHttpClient(configuration, conditions, virtual, attempt), Addresses(conditions, attempt))
}

internal object OkHttpListing : Listing {
    private const val LIBRARY = "com.squareup.okhttp3:okhttp-jvm"

    /** What a dispatcher set for n requests consists of, in words. */
    const val OPENED: String =
        "Dispatcher with maxRequests and maxRequestsPerHost at the requests in flight, for the library stops at 64 and 5; " +
            "connect, read, write and call time-out as asked, for a read ends after 10 s as it comes; " +
            "HTTP/1.1"
    const val VIRTUAL: String = "; the dispatcher runs each call on a virtual thread of its own"

    /** The most calls that OkHttp runs at once against one host, as it comes. */
    const val PER_HOST: Int = 5

    /** The most that it runs at once in all, as it comes. */
    const val IN_ALL: Int = 64

    /** There were 7 to 18 after 100 calls and 21 to 36 after 1,000; nothing bounds them. */
    private const val TASK_RUNNERS = 1_000

    /** Threads of the library that outlive a client, because all clients of the JVM share them. */
    val expectedLeftovers: List<Leftover> =
        listOf(
            Leftover(
                "OkHttp (TaskRunner|ConnectionPool.*)",
                "OkHttp's housekeeping, shared by all clients of the JVM, up to one for each connection given back at once; " +
                    "ends after a minute without work",
                TASK_RUNNERS,
            ),
            Leftover("Okio Watchdog", "Okio's time-outs, shared by all of the JVM; ends after a minute or more without work"),
        )

    /** In HTTP/2 a call waits for its stream, and not in a read; the second is the name that OkHttp 3 has for it. */
    val callFrames: List<String> = listOf("okhttp3.internal.connection.RealCall", "okhttp3.RealCall")

    /** A thread of the dispatcher bears the address while it runs a call, and one of the task runner the task: the first match counts. */
    val owners: List<ThreadOwner> =
        listOf(
            ThreadOwner("OkHttp (Dispatcher.*|https?://.*)|pool-\\d+-thread-\\d+", "OkHttp dispatcher"),
            ThreadOwner("OkHttp .*", "OkHttp task runner"),
            ThreadOwner("Okio Watchdog", "Okio watchdog"),
        )

    override val needs: LibraryNeeds = LibraryNeeds(from = "4.0.0", former = "com.squareup.okhttp3:okhttp", renamedIn = "5.0.0")

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(info("okhttp", "OkHttp", OPENED)) { OkHttp(Configuration.Opened) },
            CatalogueEntry(info("okhttp-virtual", "OkHttp on virtual threads", OPENED + VIRTUAL)) {
                OkHttp(Configuration.Opened, virtual = true)
            },
            CatalogueEntry(info("okhttp@default", "OkHttp as it comes", "none", PER_HOST)) { OkHttp(Configuration.Default) },
        ) +
            OkHttpAttempt.entries.map { attempt ->
                val info = info("okhttp@${attempt.id}", "OkHttp ${attempt.title}", attempt.words, attempt.limit)
                CatalogueEntry(info.copy(protocols = attempt.protocols)) { OkHttp(Configuration.Default, attempt = attempt) }
            }

    private fun info(id: String, title: String, settings: String, limit: Int? = null): ClientInfo =
        ClientInfo(
            id,
            title,
            LIBRARY,
            settings,
            limit,
            expectedLeftovers,
            owners,
            callFrames,
            payloads = Payload.entries,
            protocols = Protocol.entries,
        )
}

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

private class OkHttpSession(
    private val conditions: Conditions,
    private val client: OkHttpClient,
    private val addresses: Addresses,
) : Session {
    override suspend fun send(request: Request): Reply {
        val body = if (request.bodyBytes > 0) ZeroRequestBody(request.bodyBytes) else null
        val url = addresses.of(request.path)
        val call = client.newCall(
            okhttp3.Request
                .Builder()
                .url(url)
                .method(request.method, body)
                .build(),
        )
        return suspendCancellableCoroutine { continuation ->
            continuation.invokeOnCancellation { call.cancel() }
            call.enqueue(
                object : Callback {
                    override fun onFailure(call: Call, e: IOException) = continuation.resumeWithException(e)

                    // The body is read here, on the dispatcher's thread, for it is this call's and blocks anyway.
                    override fun onResponse(call: Call, response: Response) {
                        val reply = runCatching { read(request, response) }
                        reply.fold(continuation::resume, continuation::resumeWithException)
                    }
                },
            )
        }
    }

    private fun read(request: Request, response: Response): Reply {
        val protocol = labelOf(response.protocol)
        if (conditions.payload == Payload.Text) return BodyTally(request).drain(response.body.byteStream()).reply(response.code, protocol)
        return response.use { Reply(it.code, protocol = protocol, decoded = LabJson.decodeFromString<Datetime>(it.body.string())) }
    }

    override fun close(): Unit = client.shutDown()
}
