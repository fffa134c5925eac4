package clientlab.clients.apache

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.suspendCancellableCoroutine
import org.apache.hc.client5.http.async.methods.AbstractBinResponseConsumer
import org.apache.hc.client5.http.async.methods.SimpleResponseConsumer
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient
import org.apache.hc.client5.http.impl.async.HttpAsyncClients
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder
import org.apache.hc.core5.concurrent.FutureCallback
import org.apache.hc.core5.http.ContentType
import org.apache.hc.core5.http.HttpResponse
import org.apache.hc.core5.http.message.BasicHttpRequest
import org.apache.hc.core5.http.nio.AsyncResponseConsumer
import org.apache.hc.core5.http.nio.StreamChannel
import org.apache.hc.core5.http.nio.entity.AbstractBinAsyncEntityProducer
import org.apache.hc.core5.http.nio.support.BasicRequestProducer
import org.apache.hc.core5.http.nio.support.classic.ClassicToAsyncResponseConsumer
import org.apache.hc.core5.io.CloseMode
import org.apache.hc.core5.util.Timeout
import java.nio.ByteBuffer
import java.util.concurrent.CancellationException
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration.Companion.minutes
import kotlin.time.toJavaDuration

/** The asynchronous client of [Apache HttpClient 5](https://hc.apache.org/httpcomponents-client-5.6.x/): an I/O reactor. */
internal class Apache5Async(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        val builder = HttpAsyncClients.custom()
        if (configuration.setsProtocol(conditions)) builder.setConnectionManager(manager(conditions).build())
        if (configuration == Configuration.Opened) builder.setDefaultRequestConfig(requestConfig(conditions))
        return Apache5Session(conditions, builder.build().also { it.start() })
    }

    private fun manager(conditions: Conditions): PoolingAsyncClientConnectionManagerBuilder {
        val manager = PoolingAsyncClientConnectionManagerBuilder.create().setDefaultTlsConfig(tlsConfig(conditions.protocol))
        if (configuration == Configuration.Opened) {
            manager.setDefaultConnectionConfig(connectionConfig(conditions))
            // 25 and 5 by default.
            manager.setMaxConnTotal(conditions.inFlight).setMaxConnPerRoute(conditions.inFlight)
        }
        return manager
    }
}

internal object Apache5AsyncListing : Listing {
    private const val OPENED =
        "maxConnTotal and maxConnPerRoute of the connection manager at the requests in flight, because by default they are 25 and 5; " +
            "connect, socket, response and connection-request time-out as asked, because by default they are 3 minutes or none; HTTP/1.1"

    override val library = "org.apache.httpcomponents.client5:httpclient5"
    override val protocols = Protocol.overTcp
    override val recipe = "Apache5Recipe.kt"
    override val timeouts = mapOf(
        TimeoutKind.Pool to TimeoutSetting("connectionRequestTimeout", 3.minutes),
        TimeoutKind.Connect to TimeoutSetting("connectTimeout", 3.minutes),
        TimeoutKind.Read to TimeoutSetting("responseTimeout"),
    )
    override val owners = listOf(
        ThreadOwner("httpclient-dispatch-\\d+", "Apache I/O reactor"),
        ThreadOwner("httpclient-main-\\d+", "Apache client"),
    )
    override val entries = listOf(
        entry("apache5-async", "Apache HttpClient 5", OPENED) { Apache5Async(Configuration.Opened) },
        entry("apache5-async@default", "Apache HttpClient 5 by default", "none", limit = 5) { Apache5Async(Configuration.Default) },
    )
}

private class Apache5Session(private val conditions: Conditions, private val client: CloseableHttpAsyncClient) : Session {
    override suspend fun send(request: Request): Reply {
        val message = BasicHttpRequest(request.method, conditions.baseUrl.resolve(request.path))
        request.headers.forEach { (name, value) -> message.addHeader(name, value) }
        val body = if (request.bodyBytes > 0) ZeroProducer(request.bodyBytes) else null
        if (request.reading == Reading.InMemory) {
            val held = read(BasicRequestProducer(message, body), SimpleResponseConsumer.create())
            return Reply(held.code, held.bodyBytes?.size?.toLong() ?: 0, conditions.spoken(held))
        }
        if (request.reading != Reading.Whole) return readFromStream(request, BasicRequestProducer(message, body))
        return read(BasicRequestProducer(message, body), TallyingConsumer(request, conditions))
    }

    /** What [consumer] makes of the answer to [asked]. */
    private suspend fun <T> read(asked: BasicRequestProducer, consumer: AsyncResponseConsumer<T>): T =
        suspendCancellableCoroutine { continuation ->
            val callback =
                object : FutureCallback<T> {
                    override fun completed(result: T) = continuation.resume(result)

                    override fun failed(cause: Exception) = continuation.resumeWithException(cause)

                    override fun cancelled() {
                        continuation.cancel(CancellationException("Apache HttpClient cancelled the call."))
                    }
                }
            val future = client.execute(asked, consumer, null, null, callback)
            continuation.invokeOnCancellation { future.cancel(true) }
        }

    private suspend fun readFromStream(request: Request, asked: BasicRequestProducer): Reply {
        val answer = ClassicToAsyncResponseConsumer(Timeout.of(conditions.timeout.toJavaDuration()))
        client.execute(asked, answer, null, null, null)
        return runInterruptible(Dispatchers.IO) {
            val response = answer.blockWaiting()
            BodyTally(request).drain(response.entity.content).reply(response)
        }
    }

    private fun BodyTally.reply(response: HttpResponse) = reply(response.code, conditions.spoken(response))

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

    override fun buildResult(): Reply = tally.reply(response.code, conditions.spoken(response))

    override fun releaseResources() {}
}

private fun Conditions.spoken(response: HttpResponse) = label(http2 = (response.version?.major ?: 1) >= 2)

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
