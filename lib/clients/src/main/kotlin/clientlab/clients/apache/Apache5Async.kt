package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import kotlinx.coroutines.suspendCancellableCoroutine
import org.apache.hc.client5.http.async.methods.AbstractBinResponseConsumer
import org.apache.hc.client5.http.config.ConnectionConfig
import org.apache.hc.client5.http.config.RequestConfig
import org.apache.hc.client5.http.config.TlsConfig
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder
import org.apache.hc.client5.http.impl.async.HttpAsyncClients
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder
import org.apache.hc.core5.concurrent.FutureCallback
import org.apache.hc.core5.http.ContentType
import org.apache.hc.core5.http.HttpResponse
import org.apache.hc.core5.http.message.BasicHttpRequest
import org.apache.hc.core5.http.nio.AsyncEntityProducer
import org.apache.hc.core5.http.nio.StreamChannel
import org.apache.hc.core5.http.nio.entity.AbstractBinAsyncEntityProducer
import org.apache.hc.core5.http.nio.support.BasicRequestProducer
import org.apache.hc.core5.http2.HttpVersionPolicy
import org.apache.hc.core5.io.CloseMode
import org.apache.hc.core5.util.Timeout
import java.nio.ByteBuffer
import java.util.concurrent.CancellationException
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException

/** The asynchronous client of [Apache HttpClient 5](https://hc.apache.org/httpcomponents-client-5.6.x/): an I/O reactor. */
internal class Apache5Async(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        val builder = HttpAsyncClients.custom()
        if (configuration == Configuration.Opened) builder.open(conditions)
        if (configuration == Configuration.Default && configuration.setsProtocol(conditions)) {
            builder.setConnectionManager(manager(conditions).build())
        }
        return Apache5Session(conditions, builder.build().also { it.start() })
    }

    private fun HttpAsyncClientBuilder.open(conditions: Conditions) {
        val timeout = Timeout.ofMilliseconds(conditions.timeout.inWholeMilliseconds)
        setConnectionManager(
            manager(conditions)
                // 25 and 5 by default.
                .setMaxConnTotal(conditions.inFlight)
                .setMaxConnPerRoute(conditions.inFlight)
                // By default 3 minutes to connect, and no limit to a read.
                .setDefaultConnectionConfig(
                    ConnectionConfig
                        .custom()
                        .setConnectTimeout(timeout)
                        .setSocketTimeout(timeout)
                        .build(),
                ).build(),
        )
        // By default 3 minutes to wait for a connection of the pool, and no limit to the wait for an answer.
        setDefaultRequestConfig(
            RequestConfig
                .custom()
                .setConnectionRequestTimeout(timeout)
                .setResponseTimeout(timeout)
                .build(),
        )
    }

    /** By default it speaks HTTP/1.1 in cleartext, and over TLS what the server prefers. */
    private fun manager(conditions: Conditions): PoolingAsyncClientConnectionManagerBuilder =
        PoolingAsyncClientConnectionManagerBuilder
            .create()
            .setDefaultTlsConfig(TlsConfig.custom().setVersionPolicy(versionPolicy(conditions.protocol)).build())
}

/** Apache's word for [protocol]. Apache HttpClient 5 speaks HTTP/2 in cleartext only if it is forced to. */
private fun versionPolicy(protocol: Protocol): HttpVersionPolicy =
    if (protocol.multiplexes) HttpVersionPolicy.FORCE_HTTP_2 else HttpVersionPolicy.FORCE_HTTP_1

internal object Apache5AsyncListing : Listing {
    private const val PER_ROUTE = 5

    private val owners =
        listOf(
            ThreadOwner("httpclient-dispatch-\\d+", "Apache I/O reactor"),
            ThreadOwner("httpclient-main-\\d+", "Apache client"),
        )

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(
                info(
                    "apache5-async",
                    "Apache HttpClient 5",
                    "maxConnTotal and maxConnPerRoute of the connection manager at the requests in flight, because by default they are " +
                        "25 and 5; connect, socket, response and connection-request time-out as asked, because by default they are 3 " +
                        "minutes or none; HTTP/1.1",
                ),
            ) { Apache5Async(Configuration.Opened) },
            CatalogueEntry(info("apache5-async@default", "Apache HttpClient 5 by default", "none", PER_ROUTE)) {
                Apache5Async(Configuration.Default)
            },
        )

    private fun info(id: String, title: String, settings: String, limit: Int? = null): ClientInfo =
        ClientInfo(
            id,
            title,
            "org.apache.httpcomponents.client5:httpclient5",
            settings,
            limit,
            owners = owners,
            protocols = Protocol.entries,
        )
}

private class Apache5Session(private val conditions: Conditions, private val client: CloseableHttpAsyncClient) : Session {
    override suspend fun send(request: Request): Reply {
        val message = BasicHttpRequest(request.method, conditions.baseUrl.resolve(request.path))
        val body: AsyncEntityProducer? = if (request.bodyBytes > 0) ZeroProducer(request.bodyBytes) else null
        return suspendCancellableCoroutine { continuation ->
            val callback =
                object : FutureCallback<Reply> {
                    override fun completed(result: Reply) = continuation.resume(result)

                    override fun failed(cause: Exception) = continuation.resumeWithException(cause)

                    override fun cancelled() {
                        continuation.cancel(CancellationException("Apache HttpClient cancelled the call."))
                    }
                }
            val future = client.execute(BasicRequestProducer(message, body), TallyingConsumer(request, conditions), null, null, callback)
            continuation.invokeOnCancellation { future.cancel(true) }
        }
    }

    /** Closes at once, because a graceful close waits for calls under way. */
    override fun close(): Unit = client.close(CloseMode.IMMEDIATE)
}

private class TallyingConsumer(request: Request, private val conditions: Conditions) : AbstractBinResponseConsumer<Reply>() {
    private val tally = BodyTally(request)
    private lateinit var response: HttpResponse

    override fun start(response: HttpResponse, contentType: ContentType?) {
        this.response = response
    }

    override fun capacityIncrement(): Int = Int.MAX_VALUE

    override fun data(src: ByteBuffer, endOfStream: Boolean): Unit = tally.add(src)

    override fun buildResult(): Reply =
        tally.reply(response.code, if ((response.version?.major ?: 1) >= 2) h2(conditions) else Protocol.Http1.label)

    override fun releaseResources() {}
}

private class ZeroProducer(private val length: Long) : AbstractBinAsyncEntityProducer(CHUNK, ContentType.APPLICATION_OCTET_STREAM) {
    private var left = length
    private val zeros = ByteBuffer.allocate(CHUNK)

    override fun getContentLength(): Long = length

    override fun isRepeatable(): Boolean = true

    override fun availableData(): Int = minOf(left, Int.MAX_VALUE.toLong()).toInt()

    override fun produceData(channel: StreamChannel<ByteBuffer>) {
        while (left > 0) {
            val written = channel.write(zeros.clear().limit(minOf(left, CHUNK.toLong()).toInt()))
            left -= written
            if (written == 0) return
        }
        channel.endStream()
    }

    override fun failed(cause: Exception) {}

    override fun releaseResources() {
        super.releaseResources()
        left = length
    }
}
