package clientlab.clients

import clientlab.ClientInfo
import clientlab.Leftover
import clientlab.Protocol
import clientlab.ThreadOwner
import clientlab.client.CatalogueEntry
import clientlab.client.Client
import clientlab.client.Conditions
import clientlab.client.Reply
import clientlab.client.Request
import clientlab.client.Session
import io.netty.handler.codec.http.HttpHeaders
import kotlinx.coroutines.suspendCancellableCoroutine
import org.asynchttpclient.AsyncHandler
import org.asynchttpclient.DefaultAsyncHttpClientConfig
import org.asynchttpclient.Dsl
import org.asynchttpclient.HttpResponseBodyPart
import org.asynchttpclient.HttpResponseStatus
import org.asynchttpclient.request.body.generator.InputStreamBodyGenerator
import java.time.Duration
import java.util.concurrent.CancellationException
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.time.toJavaDuration
import org.asynchttpclient.AsyncHttpClient as AsyncHttpClientLibrary

/** [AsyncHttpClient](https://github.com/AsyncHttpClient/async-http-client): event loops of Netty's, on NIO as it comes. */
internal class AsyncHttpClient(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        val config = Dsl.config()
        if (configuration == Configuration.Opened) config.open(conditions)
        if (configuration.setsProtocol(conditions)) {
            // As it comes it speaks HTTP/1.1 in cleartext, and over TLS what the server prefers.
            config.setHttp2Enabled(conditions.protocol.multiplexes)
            config.setHttp2CleartextEnabled(conditions.protocol == Protocol.H2c)
        }
        return AsyncHttpClientSession(conditions, Dsl.asyncHttpClient(config))
    }

    private fun DefaultAsyncHttpClientConfig.Builder.open(conditions: Conditions) {
        val timeout = conditions.timeout.toJavaDuration()
        // Without a limit as it comes; said all the same, so that another version does not bring one unseen.
        setMaxConnections(conditions.inFlight)
        setMaxConnectionsPerHost(conditions.inFlight)
        // 5 s as it comes.
        setConnectTimeout(timeout)
        // 10 s as it comes.
        setHandshakeTimeout(Math.toIntExact(timeout.toMillis()))
        // A minute as they come.
        setReadTimeout(timeout)
        setRequestTimeout(timeout)
        // 2 s as it comes, in which a closed client keeps its threads.
        setShutdownQuietPeriod(Duration.ZERO)
    }
}

internal object AsyncHttpClientListing : Listing {
    private const val NETTYS = "globalEventExecutor-.*"

    private val owners =
        listOf(
            ThreadOwner("AsyncHttpClient-timer-.*", "AsyncHttpClient timer"),
            ThreadOwner("AsyncHttpClient-.*", "AsyncHttpClient event loop"),
            ThreadOwner(NETTYS, "Netty's global executor"),
        )
    private val expectedLeftovers =
        listOf(Leftover(NETTYS, "Netty's global executor, which tells that all is closed; ends a second after its last task"))

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(
                info(
                    "async-http-client",
                    "AsyncHttpClient",
                    "maxConnections and maxConnectionsPerHost at the requests in flight, which is no less than none as it comes; " +
                        "connect, TLS, read and request time-out as asked, for they are 5 s, 10 s, a minute and a minute; " +
                        "shutdownQuietPeriod 0, for a closed client keeps its threads for 2 s; HTTP/1.1",
                ),
            ) { AsyncHttpClient(Configuration.Opened) },
            CatalogueEntry(info("async-http-client@default", "AsyncHttpClient as it comes", "none")) {
                AsyncHttpClient(Configuration.Default)
            },
        )

    private fun info(id: String, title: String, settings: String): ClientInfo =
        ClientInfo(
            id,
            title,
            "org.asynchttpclient:async-http-client",
            settings,
            expectedLeftovers = expectedLeftovers,
            owners = owners,
            protocols = Protocol.entries,
        )
}

private class AsyncHttpClientSession(
    private val conditions: Conditions,
    private val client: AsyncHttpClientLibrary,
) : Session {
    override suspend fun send(request: Request): Reply {
        val asked = client.prepare(request.method, conditions.baseUrl.resolve(request.path).toString())
        if (request.bodyBytes > 0) asked.setBody(InputStreamBodyGenerator(ZeroStream(request.bodyBytes), request.bodyBytes))
        return suspendCancellableCoroutine { continuation ->
            val call =
                asked.execute(
                    TallyingHandler(request, conditions) { reply ->
                        if (continuation.isActive) reply.fold(continuation::resume, continuation::resumeWithException)
                    },
                )
            continuation.invokeOnCancellation { call.abort(it ?: CancellationException("The call was cancelled.")) }
        }
    }

    override fun close(): Unit = client.close()
}

private class TallyingHandler(
    request: Request,
    private val conditions: Conditions,
    private val end: (Result<Reply>) -> Unit,
) : AsyncHandler<Unit> {
    private val tally = BodyTally(request)
    private lateinit var status: HttpResponseStatus

    override fun onStatusReceived(responseStatus: HttpResponseStatus): AsyncHandler.State {
        status = responseStatus
        return AsyncHandler.State.CONTINUE
    }

    override fun onHeadersReceived(headers: HttpHeaders): AsyncHandler.State = AsyncHandler.State.CONTINUE

    override fun onBodyPartReceived(bodyPart: HttpResponseBodyPart): AsyncHandler.State {
        tally.add(bodyPart.bodyByteBuffer)
        return AsyncHandler.State.CONTINUE
    }

    override fun onThrowable(t: Throwable): Unit = end(Result.failure(t))

    override fun onCompleted() {
        val label = if (status.protocolMajorVersion >= 2) h2(conditions) else Protocol.Http1.label
        end(Result.success(tally.reply(status.statusCode, label)))
    }
}
