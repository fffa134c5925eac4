package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import com.linecorp.armeria.client.ClientFactory
import com.linecorp.armeria.client.Clients
import com.linecorp.armeria.client.WebClient
import com.linecorp.armeria.common.HttpData
import com.linecorp.armeria.common.HttpMethod
import com.linecorp.armeria.common.HttpObject
import com.linecorp.armeria.common.HttpRequest
import com.linecorp.armeria.common.RequestHeaders
import com.linecorp.armeria.common.ResponseHeaders
import com.linecorp.armeria.common.stream.StreamMessage
import com.linecorp.armeria.common.stream.SubscriptionOption
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.future.await
import kotlinx.coroutines.suspendCancellableCoroutine
import org.reactivestreams.Subscriber
import org.reactivestreams.Subscription
import java.util.concurrent.ScheduledExecutorService
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration

/**
 * [Armeria's WebClient](https://armeria.dev/docs/client/http): Netty's event loops, on epoll if the system has it.
 *
 * The protocol is part of the address, so the adapter always names one. By default Armeria begins in HTTP/2.
 */
internal class Armeria(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        // Its own factory, so that the session can close it; by default all clients of the JVM share one with the same settings.
        val factory = ClientFactory.builder()
        val timeout = conditions.timeout.toJavaDuration()
        // 3.2 s by default.
        if (configuration == Configuration.Opened) factory.connectTimeout(timeout)
        val made = factory.build()
        val base = conditions.baseUrl
        val client = WebClient.builder("${scheme(conditions.protocol)}://${base.host}:${base.port}").factory(made)
        if (configuration == Configuration.Opened) {
            client
                // 15 s by default.
                .responseTimeout(timeout)
                // 1 s by default.
                .writeTimeout(timeout)
                // 10 MiB by default; 0 is no limit.
                .maxResponseLength(0)
        }
        return ArmeriaSession(conditions, client.build(), made)
    }

    private fun scheme(protocol: Protocol): String = when (protocol) {
        Protocol.Http1 -> "h1c"
        Protocol.Https1 -> "h1"
        Protocol.H2c -> "h2c"
        Protocol.Http2 -> "h2"
        Protocol.Http3 -> throw IllegalArgumentException("Armeria does not speak HTTP/3.")
    }
}

internal object ArmeriaListing : Listing {
    private const val OPENED =
        "connect, write and response time-out as asked, because by default they are 3.2 s, 1 s and 15 s; maxResponseLength without a " +
            "limit, because by default it is 10 MiB; "
    private const val ALWAYS = "a ClientFactory of its own, so that it can be closed; HTTP/1.1"
    private const val COMMON_POOL = "ForkJoinPool\\.commonPool-worker-\\d+"

    /** A bound above one or two threads per processor and a few for files and streams. */
    private const val COMMON_THREADS = 512

    override val library = "com.linecorp.armeria:armeria"
    override val protocols = Protocol.overTcp
    override val timeouts = mapOf(
        TimeoutKind.Connect to TimeoutSetting("connectTimeout", 3.2.seconds),
        TimeoutKind.Call to TimeoutSetting("responseTimeout", 15.seconds),
    )
    override val owners = listOf(
        ThreadOwner("armeria-common-worker-.*", "Armeria event loop"),
        ThreadOwner("armeria-.*", "Armeria"),
        ThreadOwner(COMMON_POOL, "common pool"),
    )
    override val expectedLeftovers = listOf(
        "armeria-common-.*" to "Armeria's event loops and its threads for streams, which the whole JVM shares; they stay",
        COMMON_POOL to
            "the JVM's common pool, where Armeria prepares what it needs later; its threads end after a minute without work",
    ).map { (thread, why) -> Leftover(thread, why, COMMON_THREADS) }
    override val entries = listOf(
        entry("armeria", "Armeria", OPENED + ALWAYS) { Armeria(Configuration.Opened) },
        entry("armeria@default", "Armeria by default", ALWAYS) { Armeria(Configuration.Default) },
    )
}

private class ArmeriaSession(
    private val conditions: Conditions,
    private val client: WebClient,
    private val factory: ClientFactory,
) : Session {
    override suspend fun send(request: Request): Reply {
        requireOneHost(request, "Armeria")
        val headers = RequestHeaders.builder(HttpMethod.valueOf(request.method), request.path)
        request.headers.forEach { (name, value) -> headers.add(name, value) }
        val asked =
            if (request.bodyBytes > 0) {
                headers.contentLength(request.bodyBytes)
                HttpRequest.of(headers.build(), StreamMessage.of(ZeroStream(request.bodyBytes)))
            } else {
                HttpRequest.of(headers.build())
            }
        if (request.reading == Reading.InMemory) {
            val held = client.execute(asked).aggregate().await()
            val label = conditions.label(http2 = conditions.protocol.multiplexes)
            return Reply(held.status().code(), held.content().length().toLong(), label)
        }
        return suspendCancellableCoroutine { continuation ->
            val (answer, context) = Clients.newContextCaptor().use { captor -> client.execute(asked) to captor.get() }
            continuation.invokeOnCancellation { answer.abort() }
            val spoken = { context.log().partial().let { conditions.label(http2 = it.sessionProtocol().isExplicitHttp2) } }
            // Without this option every part of the body is copied.
            val option = SubscriptionOption.WITH_POOLED_OBJECTS
            answer.subscribe(TallyingSubscriber(BodyTally(request), spoken, context.eventLoop(), continuation), context.eventLoop(), option)
        }
    }

    override fun close(): Unit = factory.close()
}

private class TallyingSubscriber(
    private val tally: BodyTally,
    private val spoken: () -> String,
    private val timer: ScheduledExecutorService,
    private val continuation: CancellableContinuation<Reply>,
) : Subscriber<HttpObject> {
    private lateinit var subscription: Subscription
    private var status = 0

    override fun onSubscribe(subscription: Subscription) {
        this.subscription = subscription
        subscription.request(if (tally.reading == Reading.Whole) Long.MAX_VALUE else 1)
    }

    override fun onNext(part: HttpObject) {
        when (part) {
            is ResponseHeaders -> status = part.status().code()
            is HttpData -> part.use { tally.add(it.byteBuf()) }
        }
        when {
            tally.reading == Reading.Whole -> {}

            tally.enough -> {
                subscription.cancel()
                onComplete()
            }

            part is HttpData && tally.reading == Reading.Slowly -> {
                timer.schedule({ subscription.request(1) }, SLOW_MS, TimeUnit.MILLISECONDS)
            }

            else -> {
                subscription.request(1)
            }
        }
    }

    override fun onError(failure: Throwable): Unit = continuation.end(Result.failure(failure))

    override fun onComplete(): Unit = continuation.end(runCatching { tally.reply(status, spoken()) })
}
