package clientlab.clients.okhttp

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import kotlinx.coroutines.suspendCancellableCoroutine
import okhttp3.Call
import okhttp3.Callback
import okhttp3.OkHttpClient
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.Response
import java.io.IOException
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration.Companion.seconds
import okhttp3.Request as OkHttpRequest

/**
 * [OkHttp](https://square.github.io/okhttp/), called through `enqueue`: one thread of its dispatcher per call.
 *
 * [okHttpClient] sets what is not the default, and says why.
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
    /** The settings of an opened client, in words. */
    const val OPENED: String =
        "Dispatcher with maxRequests and maxRequestsPerHost at the requests in flight, because by default it stops at 64 and 5; " +
            "the connection pool at the requests in flight, because by default it keeps 5 idle connections; " +
            "connect, read, write and call time-out as asked, because by default a read ends after 10 s; " +
            "HTTP/1.1"
    const val VIRTUAL: String = "; the dispatcher runs each call on a virtual thread of its own"

    /** The most calls that OkHttp by default runs at once to one host, and to all hosts together. */
    const val PER_HOST: Int = 5
    const val IN_ALL: Int = 64
    private const val HOUSEKEEPING =
        "OkHttp's housekeeping, shared by all clients of the JVM: up to one thread per connection that is given back at the same time; " +
            "they end after a minute without work"

    /** Measured: 7 to 18 after 100 calls, 21 to 36 after 1,000. OkHttp sets no bound. */
    private const val TASK_RUNNERS = 1_000

    override val library = "com.squareup.okhttp3:okhttp-jvm"
    override val protocols = Protocol.overTcp
    override val recipe = "OkHttpRecipe.kt"
    override val timeouts = mapOf(
        TimeoutKind.Connect to TimeoutSetting("connectTimeout", 10.seconds),
        TimeoutKind.Read to TimeoutSetting("readTimeout", 10.seconds),
        TimeoutKind.Call to TimeoutSetting("callTimeout"),
    )
    override val payloads = Payload.entries
    override val webSockets = true

    /** Threads of the library that outlive a client because all clients of the JVM share them. */
    override val expectedLeftovers = listOf(
        Leftover("OkHttp (TaskRunner|ConnectionPool.*)", HOUSEKEEPING, TASK_RUNNERS),
        Leftover("Okio Watchdog", "Okio's time-outs, shared by the whole JVM; ends after a minute or more without work"),
    )

    /** In HTTP/2 a call waits for its stream and not in a read. The second name is that of OkHttp 3. */
    override val callFrames = listOf("okhttp3.internal.connection.RealCall", "okhttp3.RealCall")

    /** A thread of the dispatcher has the address as its name while it runs a call; a thread of the task runner has its task's name. */
    override val owners = listOf(
        ThreadOwner("OkHttp (Dispatcher.*|https?://.*)|pool-\\d+-thread-\\d+", "OkHttp dispatcher"),
        ThreadOwner("OkHttp .*", "OkHttp task runner"),
        ThreadOwner("Okio Watchdog", "Okio watchdog"),
    )
    override val needs = LibraryNeeds(from = "4.0.0", former = "com.squareup.okhttp3:okhttp", renamedIn = "5.0.0")
    override val entries = listOf(
        entry("okhttp", "OkHttp", OPENED, threadPerRequest = true) { OkHttp(Configuration.Opened) },
        entry("okhttp-virtual", "OkHttp on virtual threads", OPENED + VIRTUAL) { OkHttp(Configuration.Opened, virtual = true) },
        entry("okhttp@default", "OkHttp by default", "none", PER_HOST, threadPerRequest = true) { OkHttp(Configuration.Default) },
    ) + attempts("okhttp", "OkHttp") { OkHttp(it.configuration, attempt = it) }
}

private class OkHttpSession(
    private val conditions: Conditions,
    private val client: OkHttpClient,
    private val addresses: Addresses,
) : Session {
    override suspend fun send(request: Request): Reply {
        val body = when {
            request.text.isNotEmpty() -> request.text.toRequestBody()
            request.bodyBytes > 0 -> ZeroRequestBody(request.bodyBytes)
            else -> null
        }
        val asked = OkHttpRequest.Builder().url(addresses.of(request.path)).method(request.method, body)
        request.headers.forEach { (name, value) -> asked.header(name, value) }
        if (request.webSocket) return OkHttpWebSocket(request).open(client, asked.build())
        val call = client.newCall(asked.build())
        return suspendCancellableCoroutine { continuation ->
            continuation.invokeOnCancellation { call.cancel() }
            call.enqueue(
                object : Callback {
                    override fun onFailure(call: Call, e: IOException) = continuation.resumeWithException(e)

                    // Reads the body here, on the dispatcher's thread: the thread belongs to this call and blocks anyway.
                    override fun onResponse(call: Call, response: Response) =
                        continuation.resumeWith(runCatching { read(request, response) })
                },
            )
        }
    }

    private fun read(request: Request, response: Response): Reply {
        val protocol = labelOf(response.protocol)
        if (request.reading == Reading.InMemory) return response.use { Reply(it.code, it.body.bytes().size.toLong(), protocol) }
        if (conditions.payload == Payload.Text) return BodyTally(request).drain(response.body.byteStream()).reply(response.code, protocol)
        return response.use { Reply(it.code, protocol = protocol, decoded = LabJson.decodeFromString<Datetime>(it.body.string())) }
    }

    override fun close(): Unit = client.shutDown()
}
