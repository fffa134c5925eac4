package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.suspendCancellableCoroutine
import org.eclipse.jetty.client.CompletableResponseListener
import org.eclipse.jetty.client.HttpClient
import org.eclipse.jetty.client.HttpClientTransport
import org.eclipse.jetty.client.InputStreamRequestContent
import org.eclipse.jetty.client.InputStreamResponseListener
import org.eclipse.jetty.client.Response
import org.eclipse.jetty.client.Result
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP
import org.eclipse.jetty.http.HttpVersion
import org.eclipse.jetty.http2.client.HTTP2Client
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2
import java.nio.ByteBuffer
import java.util.concurrent.TimeUnit
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import org.eclipse.jetty.client.Request as JettyRequest

/**
 * [Jetty's HttpClient](https://jetty.org/docs/jetty/12.1/programming-guide/client/http.html): selectors and a pool of at most 200 threads.
 * A waiting request holds no thread of the pool.
 */
internal class Jetty(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        val client = HttpClient(transport(conditions.protocol))
        if (configuration == Configuration.Opened) client.open(conditions)
        client.start()
        return JettySession(conditions, client, conditions.timeout.takeIf { configuration == Configuration.Opened })
    }

    private fun HttpClient.open(conditions: Conditions) {
        val timeout = conditions.timeout.inWholeMilliseconds
        // 64 by default.
        maxConnectionsPerDestination = conditions.inFlight
        // 1,024 by default; Jetty refuses the next request.
        maxRequestsQueuedPerDestination = conditions.inFlight
        // 5 s by default.
        connectTimeout = timeout
        // 15 s by default.
        addressResolutionTimeout = timeout
        // 30 s by default, and it closes kept connections, too. So it stays where nobody asks for another one.
        conditions.readTimeout?.let { idleTimeout = it.inWholeMilliseconds }
    }

    /** The transport of HTTP/2 begins in HTTP/2: in cleartext without an upgrade, over TLS if the server chooses it. */
    private fun transport(protocol: Protocol): HttpClientTransport =
        if (protocol.multiplexes) HttpClientTransportOverHTTP2(HTTP2Client()) else HttpClientTransportOverHTTP()
}

internal object JettyListing : Listing {
    private const val OPENED =
        "maxConnectionsPerDestination and maxRequestsQueuedPerDestination at the requests in flight, because by default they are 64 and " +
            "1,024; connect, address and request time-out as asked, because by default they are 5 s, 15 s and none; HTTP/1.1"

    override val library = "org.eclipse.jetty:jetty-client"
    override val protocols = Protocol.overTcp
    override val timeouts = mapOf(
        TimeoutKind.Connect to TimeoutSetting("connectTimeout", 5.seconds),
        TimeoutKind.Read to TimeoutSetting("idleTimeout", 30.seconds),
        TimeoutKind.Call to TimeoutSetting("Request.timeout"),
    )
    override val owners = listOf(
        ThreadOwner("HttpClient@[0-9a-f]+-scheduler-.*", "Jetty scheduler"),
        ThreadOwner("HttpClient@[0-9a-f]+-.*", "Jetty"),
    )
    override val entries = listOf(
        entry("jetty", "Jetty HttpClient", OPENED) { Jetty(Configuration.Opened) },
        entry("jetty@default", "Jetty HttpClient by default", "none", limit = 64) { Jetty(Configuration.Default) },
    )
}

private class JettySession(private val conditions: Conditions, private val client: HttpClient, private val timeout: Duration?) : Session {
    override suspend fun send(request: Request): Reply {
        val asked = client.newRequest(conditions.baseUrl.resolve(request.path)).method(request.method)
        asked.headers { fields -> request.headers.forEach { (name, value) -> fields.add(name, value) } }
        // None by default.
        if (timeout != null) asked.timeout(timeout.inWholeMilliseconds, TimeUnit.MILLISECONDS)
        if (request.bodyBytes > 0) asked.body(ZeroRequestContent(request.bodyBytes))
        if (request.reading == Reading.InMemory) {
            return CompletableResponseListener(asked).send().await().let { Reply(it.status, it.content.size.toLong(), label(it)) }
        }
        val tally = BodyTally(request)
        if (request.reading != Reading.Whole) return readFromStream(asked, tally)
        return suspendCancellableCoroutine { continuation ->
            continuation.invokeOnCancellation { asked.abort(it ?: InterruptedException()) }
            asked.send(
                object : Response.Listener {
                    override fun onContent(response: Response, content: ByteBuffer) = tally.add(content)

                    override fun onComplete(result: Result) {
                        val failure = result.failure ?: return continuation.resume(reply(tally, result.response))
                        continuation.resumeWithException(failure)
                    }
                },
            )
        }
    }

    private suspend fun readFromStream(asked: JettyRequest, tally: BodyTally): Reply {
        val answer = InputStreamResponseListener()
        asked.send(answer)
        return runInterruptible(Dispatchers.IO) {
            val response = answer.get(conditions.timeout.inWholeMilliseconds, TimeUnit.MILLISECONDS)
            reply(tally.drain(answer.inputStream), response)
        }
    }

    private fun reply(tally: BodyTally, response: Response): Reply =
        tally.reply(response.status, label(response))

    private fun label(response: Response) = conditions.label(http2 = response.version == HttpVersion.HTTP_2)

    override fun close(): Unit = client.stop()
}

/** A body with a known length; Jetty sends a stream of unknown length in chunks. */
private class ZeroRequestContent(private val bytes: Long) : InputStreamRequestContent(ZeroStream(bytes)) {
    override fun getLength(): Long = bytes
}
