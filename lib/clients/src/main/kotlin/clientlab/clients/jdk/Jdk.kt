package clientlab.clients.jdk

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runInterruptible
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandler
import java.net.http.HttpResponse.BodyHandlers
import java.nio.ByteBuffer
import java.time.Duration
import java.util.concurrent.Flow
import kotlin.time.toJavaDuration

/**
 * [java.net.http](https://openjdk.org/groups/net/httpclient/), the JDK's own client, called through `sendAsync`, or through `send` with one
 * platform thread per call.
 *
 * [blocking] is the negative control: the thread is blocked in a request and is also parked. A count of threads that are not parked misses
 * it.
 */
internal class Jdk(private val configuration: Configuration, private val blocking: Boolean = false) : Client {
    override fun open(conditions: Conditions): Session {
        val calls = JdkCalls(configuration, conditions)
        return if (blocking) JdkBlockingSession(calls) else JdkSession(calls)
    }
}

internal object JdkListing : Listing {
    private const val COMMON_POOL = "ForkJoinPool\\.commonPool-worker-\\d+"
    private const val STAYS =
        "the JVM's common pool, on which the JDK's client completes its futures; its threads end after a minute without work"
    private const val OPENED =
        "HTTP/1.1, because by default it asks for an upgrade to HTTP/2; connect and request time-out as asked, because by default it has " +
            "none"
    private const val BLOCKING = "$OPENED; send on a platform thread per call"

    /** The thread that holds a client's idle connections until the client is closed or collected. */
    const val SELECTOR: String = "HttpClient-\\d+-SelectorManager"

    /** The threads that an asynchronous call leaves in the JVM: one fewer than the machine has processors. */
    val commonPool: Leftover = Leftover(COMMON_POOL, STAYS, atMost = 255)

    override val library = "jdk:java.net.http"
    override val protocols = Protocol.overTcp
    override val recipe = "JdkRecipe.kt"
    override val timeouts = mapOf(
        TimeoutKind.Connect to TimeoutSetting("connectTimeout"),
        TimeoutKind.Answer to TimeoutSetting("HttpRequest.timeout"),
    )
    override val owners = listOf(
        ThreadOwner(SELECTOR, "java.net.http selector"),
        ThreadOwner("HttpClient-\\d+-Worker-\\d+", "java.net.http worker"),
        ThreadOwner(COMMON_POOL, "common pool"),
    )
    override val expectedLeftovers = listOf(commonPool)
    override val webSockets = true
    override val entries = listOf(
        entry("jdk", "java.net.http", OPENED) { Jdk(Configuration.Opened) },
        // Its WebSockets call back alone, so none of them blocks.
        entry("jdk-blocking", "java.net.http, blocking", BLOCKING, threadPerRequest = true, webSockets = false) {
            Jdk(Configuration.Opened, blocking = true)
        },
        entry("jdk@default", "java.net.http by default", "none") { Jdk(Configuration.Default) },
    )
}

/** What the two sessions share: the client, its requests and its replies. */
private class JdkCalls(configuration: Configuration, private val conditions: Conditions) {
    private val timeout: Duration? = conditions.timeout.toJavaDuration().takeIf { configuration == Configuration.Opened }
    val client: HttpClient = HttpClient.newBuilder().run {
        // By default it asks for HTTP/2: with an Upgrade header in cleartext, with ALPN over TLS.
        if (configuration.setsProtocol(conditions)) version(jdkVersion(conditions.protocol))
        timeout?.let { connectTimeout(it) }
        build()
    }

    fun prepare(request: Request): HttpRequest {
        val body = when {
            request.text.isNotEmpty() -> {
                BodyPublishers.ofString(request.text)
            }

            request.bodyBytes > 0 -> {
                BodyPublishers.fromPublisher(BodyPublishers.ofInputStream { ZeroStream(request.bodyBytes) }, request.bodyBytes)
            }

            else -> {
                BodyPublishers.noBody()
            }
        }
        val builder = HttpRequest.newBuilder(conditions.baseUrl.resolve(request.path)).method(request.method, body)
        request.headers.forEach { (name, value) -> builder.setHeader(name, value) }
        timeout?.let(builder::timeout)
        return builder.build()
    }

    fun tallying(tally: BodyTally): BodyHandler<Void> = BodyHandlers.fromSubscriber(ChunkCounter(tally))

    fun reply(tally: BodyTally, response: HttpResponse<*>): Reply =
        tally.reply(response.statusCode(), conditions.label(http2 = response.version() == HttpClient.Version.HTTP_2))

    fun replyOf(held: HttpResponse<ByteArray>): Reply =
        Reply(held.statusCode(), held.body().size.toLong(), conditions.label(http2 = held.version() == HttpClient.Version.HTTP_2))

    suspend fun open(request: Request): Reply = JdkWebSocket(request).open(client, conditions.baseUrl.resolve(request.path))

    /** Ends the calls under way and waits for the threads; a plain close would wait for the calls. */
    fun close() {
        client.shutdownNow()
        client.awaitTermination(Duration.ofSeconds(5))
    }
}

/** Counts the client's own buffers. A consumer of arrays would make the client copy every byte. */
private class ChunkCounter(private val counted: BodyTally) : Flow.Subscriber<List<ByteBuffer>> {
    override fun onSubscribe(subscription: Flow.Subscription): Unit = subscription.request(Long.MAX_VALUE)

    override fun onNext(chunks: List<ByteBuffer>): Unit = chunks.forEach { counted.add(it) }

    // The call itself fails with the same cause.
    override fun onError(throwable: Throwable) {}

    override fun onComplete() {}
}

/** The JDK's name of [protocol]. It asks for HTTP/2 in cleartext with an Upgrade header. */
internal fun jdkVersion(protocol: Protocol): HttpClient.Version =
    if (protocol.multiplexes) HttpClient.Version.HTTP_2 else HttpClient.Version.HTTP_1_1

private class JdkSession(private val calls: JdkCalls) : Session {
    override suspend fun send(request: Request): Reply {
        if (request.webSocket) return calls.open(request)
        if (request.reading == Reading.InMemory) {
            return calls.replyOf(calls.client.sendAsync(calls.prepare(request), BodyHandlers.ofByteArray()).await())
        }
        val tally = BodyTally(request)
        if (request.reading != Reading.Whole) {
            val response = calls.client.sendAsync(calls.prepare(request), BodyHandlers.ofInputStream()).await()
            runInterruptible(Dispatchers.IO) { tally.drain(response.body()) }
            return calls.reply(tally, response)
        }
        return calls.reply(tally, calls.client.sendAsync(calls.prepare(request), calls.tallying(tally)).await())
    }

    override fun close(): Unit = calls.close()
}

private class JdkBlockingSession(private val calls: JdkCalls) : BlockingSession(CallerThreads.Platform) {
    override fun call(request: Request): Reply {
        if (request.reading == Reading.InMemory) {
            return calls.replyOf(calls.client.send(calls.prepare(request), BodyHandlers.ofByteArray()))
        }
        val tally = BodyTally(request)
        if (request.reading != Reading.Whole) {
            val response = calls.client.send(calls.prepare(request), BodyHandlers.ofInputStream())
            return calls.reply(tally.drain(response.body()), response)
        }
        return calls.reply(tally, calls.client.send(calls.prepare(request), calls.tallying(tally)))
    }

    override fun close() {
        calls.close()
        super.close()
    }
}
