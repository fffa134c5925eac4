package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import io.netty.handler.codec.http.HttpHeaders
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.future.await
import kotlinx.coroutines.suspendCancellableCoroutine
import org.asynchttpclient.AsyncHandler
import org.asynchttpclient.DefaultAsyncHttpClientConfig
import org.asynchttpclient.Dsl
import org.asynchttpclient.HttpResponseBodyPart
import org.asynchttpclient.HttpResponseStatus
import org.asynchttpclient.request.body.generator.InputStreamBodyGenerator
import java.time.Duration
import java.util.concurrent.CancellationException
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration
import org.asynchttpclient.AsyncHttpClient as AsyncHttpClientLibrary

/** [AsyncHttpClient](https://github.com/AsyncHttpClient/async-http-client): Netty's event loops, by default on NIO. */
internal class AsyncHttpClient(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        val config = Dsl.config()
        if (configuration == Configuration.Opened) config.open(conditions)
        if (configuration.setsProtocol(conditions)) {
            // By default it speaks HTTP/1.1 in cleartext, and over TLS what the server prefers.
            config.setHttp2Enabled(conditions.protocol.multiplexes)
            config.setHttp2CleartextEnabled(conditions.protocol == Protocol.H2c)
        }
        return AsyncHttpClientSession(conditions, Dsl.asyncHttpClient(config))
    }

    private fun DefaultAsyncHttpClientConfig.Builder.open(conditions: Conditions) {
        val timeout = conditions.timeout.toJavaDuration()
        // No limit by default. Both are set all the same, so that a new version does not bring a limit unnoticed.
        setMaxConnections(conditions.inFlight)
        setMaxConnectionsPerHost(conditions.inFlight)
        // 5 s by default.
        setConnectTimeout(timeout)
        // 10 s by default.
        setHandshakeTimeout(conditions.timeoutMs)
        // Both a minute by default.
        setReadTimeout(conditions.longestRead.toJavaDuration())
        setRequestTimeout(timeout)
        // 2 s by default, in which a closed client keeps its threads.
        setShutdownQuietPeriod(Duration.ZERO)
    }
}

internal object AsyncHttpClientListing : Listing {
    private const val NETTYS = "globalEventExecutor-.*"
    private const val OPENED =
        "maxConnections and maxConnectionsPerHost at the requests in flight, though by default there is no limit; connect, TLS, read and " +
            "request time-out as asked, because by default they are 5 s, 10 s, a minute and a minute; shutdownQuietPeriod 0, because by " +
            "default a closed client keeps its threads for 2 s; HTTP/1.1"

    override val library = "org.asynchttpclient:async-http-client"
    override val protocols = Protocol.overTcp
    override val timeouts = mapOf(
        TimeoutKind.Connect to TimeoutSetting("connectTimeout", 5.seconds),
        TimeoutKind.Read to TimeoutSetting("readTimeout", 60.seconds),
        TimeoutKind.Call to TimeoutSetting("requestTimeout", 60.seconds),
    )
    override val owners = listOf(
        ThreadOwner("AsyncHttpClient-timer-.*", "AsyncHttpClient timer"),
        ThreadOwner("AsyncHttpClient-.*", "AsyncHttpClient event loop"),
        ThreadOwner(NETTYS, "Netty's global executor"),
    )
    override val expectedLeftovers =
        listOf(Leftover(NETTYS, "Netty's global executor, which reports that everything is closed; ends a second after its last task"))
    override val entries = listOf(
        entry("async-http-client", "AsyncHttpClient", OPENED) { AsyncHttpClient(Configuration.Opened) },
        entry("async-http-client@default", "AsyncHttpClient by default", "none") { AsyncHttpClient(Configuration.Default) },
    )
}

private class AsyncHttpClientSession(private val conditions: Conditions, private val client: AsyncHttpClientLibrary) : Session {
    override suspend fun send(request: Request): Reply {
        if (request.reading == Reading.Slowly) {
            throw UnsupportedRequest("AsyncHttpClient hands over each piece at once, so a caller cannot read slowly.")
        }
        val asked = client.prepare(request.method, conditions.baseUrl.resolve(request.path).toString())
        request.headers.forEach { (name, value) -> asked.addHeader(name, value) }
        if (request.bodyBytes > 0) asked.setBody(InputStreamBodyGenerator(ZeroStream(request.bodyBytes), request.bodyBytes))
        if (request.reading == Reading.InMemory) {
            val held = asked.execute().toCompletableFuture().await()
            return Reply(held.statusCode, held.responseBodyAsBytes.size.toLong(), conditions.label(http2 = conditions.protocol.multiplexes))
        }
        return suspendCancellableCoroutine { continuation ->
            val call = asked.execute(TallyingHandler(BodyTally(request), conditions, continuation))
            continuation.invokeOnCancellation { call.abort(it ?: CancellationException("The call was cancelled.")) }
        }
    }

    override fun close(): Unit = client.close()
}

private class TallyingHandler(
    private val tally: BodyTally,
    private val conditions: Conditions,
    private val continuation: CancellableContinuation<Reply>,
) : AsyncHandler<Unit> {
    private lateinit var status: HttpResponseStatus

    override fun onStatusReceived(responseStatus: HttpResponseStatus): AsyncHandler.State {
        status = responseStatus
        return AsyncHandler.State.CONTINUE
    }

    override fun onHeadersReceived(headers: HttpHeaders): AsyncHandler.State = state()

    override fun onBodyPartReceived(bodyPart: HttpResponseBodyPart): AsyncHandler.State {
        tally.add(bodyPart.bodyByteBuffer)
        return state()
    }

    private fun state() = if (tally.enough) AsyncHandler.State.ABORT else AsyncHandler.State.CONTINUE

    override fun onThrowable(t: Throwable): Unit = continuation.end(Result.failure(t))

    override fun onCompleted(): Unit =
        continuation.end(Result.success(tally.reply(status.statusCode, conditions.label(http2 = status.protocolMajorVersion >= 2))))
}
