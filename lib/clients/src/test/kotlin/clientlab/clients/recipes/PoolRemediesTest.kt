package clientlab.clients.recipes

import clientlab.client.*
import clientlab.clients.*
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.ktor.client.HttpClient
import io.ktor.client.engine.java.Java
import io.ktor.client.request.request
import io.ktor.client.request.setBody
import io.ktor.http.ContentType
import io.ktor.http.HttpMethod
import io.ktor.http.content.OutputStreamContent
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withContext
import okhttp3.ConnectionPool
import okhttp3.OkHttpClient
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse
import org.apache.hc.client5.http.impl.async.HttpAsyncClients
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder
import org.apache.hc.core5.concurrent.FutureCallback
import org.apache.hc.core5.pool.PoolReusePolicy
import org.asynchttpclient.Dsl
import org.asynchttpclient.LoadBalance
import org.junit.jupiter.api.Test
import java.net.URL
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.TimeUnit
import java.util.logging.Handler
import java.util.logging.Level
import java.util.logging.LogRecord
import java.util.logging.Logger
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import okhttp3.Request as OkHttpRequest

/** What home says of pools with a slow connection, and of uploads: each setting changes what it promises to change. */
class PoolRemediesTest {
    @Test
    fun `a pool of five of OkHttp keeps the slow connections, and one for all of them does not`() {
        fact(AMONG, okHttp(OkHttpClient.Builder())) shouldBe "sends all twenty over a slow connection"
        val forAll = ConnectionPool(200, 15, TimeUnit.SECONDS)
        fact(AMONG, okHttp(OkHttpClient.Builder().connectionPool(forAll))) shouldBe "sends none of the twenty over a slow connection"
    }

    @Test
    fun `a pool of OkHttp that keeps nothing connects for each call`() {
        val none = ConnectionPool(0, 1, TimeUnit.SECONDS)
        fact(AMONG, okHttp(OkHttpClient.Builder().connectionPool(none))) shouldBe "opens a connection for each of the twenty"
    }

    @Test
    fun `Apache's client takes its connections in turn, if its pool is told to`() {
        fact(AMONG, apache(PoolReusePolicy.LIFO)) shouldBe "sends all twenty over a slow connection"
        fact(AMONG, apache(PoolReusePolicy.FIFO)) shouldBe "sends some of the twenty over a slow connection"
    }

    @Test
    fun `AsyncHttpClient uses all addresses of a name, if it is told to take turns`() {
        fact("names.spread", asyncHttpClient(LoadBalance.DEFAULT)) shouldBe "uses one of the addresses"
        fact("names.spread", asyncHttpClient(LoadBalance.ROUND_ROBIN)) shouldBe "uses both addresses"
    }

    @Test
    fun `uploads of Ktor that write to a stream leave threads of Dispatchers IO`() {
        fact("threads.uploads", WritingToStream) shouldBe "Dispatchers.IO has threads left"
    }

    @Test
    fun `OkHttp's logger at FINE names the line whose answer was never closed`() {
        RealServer().use { server ->
            val url = server.baseUrl.resolve("/delay?delay=0&a=left").toURL()
            leaks(Level.INFO, url).thrown shouldBe null
            leaks(Level.FINE, url).thrown.shouldNotBeNull().stackTraceToString() shouldContain "PoolRemediesTest.forget"
        }
    }

    /** What OkHttp says, at this level of its logger, of an answer that nobody closed. */
    private fun leaks(level: Level, url: URL): LogRecord {
        val heard = ConcurrentLinkedQueue<LogRecord>()
        val listener = object : Handler() {
            override fun publish(record: LogRecord) = heard.add(record).run { }

            override fun flush() = Unit

            override fun close() = Unit
        }
        val logger = Logger.getLogger(OkHttpClient::class.java.name)
        val before = logger.level
        logger.addHandler(listener)
        logger.level = level
        val http = OkHttpClient()
        try {
            forget(http, url)
            val end = TimeSource.Monotonic.markNow() + 20.seconds
            while (heard.none { "was leaked" in it.message } && end.hasNotPassedNow()) {
                System.gc()
                // When a call ends, the pool looks at its connections.
                http.newCall(OkHttpRequest.Builder().url(url).build()).execute().close()
                Thread.sleep(50)
            }
            return heard.first { "was leaked" in it.message }
        } finally {
            logger.removeHandler(listener)
            logger.level = before
            http.connectionPool.evictAll()
        }
    }

    private fun forget(http: OkHttpClient, url: URL) {
        http.newCall(OkHttpRequest.Builder().url(url).build()).execute()
    }

    private fun okHttp(builder: OkHttpClient.Builder) = Client { conditions ->
        val http = builder.build()
        session({ http.connectionPool.evictAll() }) { request ->
            val asked = OkHttpRequest.Builder().url(conditions.baseUrl.resolve(request.path).toURL()).build()
            withContext(Dispatchers.IO) { http.newCall(asked).execute().use { it.code } }
        }
    }

    private fun apache(policy: PoolReusePolicy) = Client { conditions ->
        val pool = PoolingAsyncClientConnectionManagerBuilder.create().setMaxConnPerRoute(200).setMaxConnTotal(200)
        pool.setConnPoolPolicy(policy)
        val http = HttpAsyncClients.custom().setConnectionManager(pool.build()).build().apply { start() }
        session(http::close) { request ->
            val answer = CompletableFuture<SimpleHttpResponse>()
            http.execute(SimpleHttpRequest.create("GET", conditions.baseUrl.resolve(request.path)), answer.callback())
            answer.await().code
        }
    }

    private fun asyncHttpClient(balance: LoadBalance) = Client { conditions ->
        val http = Dsl.asyncHttpClient(Dsl.config().setLoadBalance(balance))
        session(http::close) { request ->
            http.prepareGet("${conditions.baseUrl.resolve(request.path)}").execute().toCompletableFuture().await().statusCode
        }
    }

    private fun <T> CompletableFuture<T>.callback() = object : FutureCallback<T> {
        override fun completed(result: T) = complete(result).run { }

        override fun failed(because: Exception) = completeExceptionally(because).run { }

        override fun cancelled() = cancel(true).run { }
    }

    /** It goes to a process of its own, so it is no part of the test's own instance. */
    private object WritingToStream : Client {
        override fun open(conditions: Conditions): Session {
            val http = HttpClient(Java)
            return session(http::close) { asked ->
                val answer = http.request(conditions.baseUrl.resolve(asked.path).toString()) {
                    method = HttpMethod.parse(asked.method)
                    if (asked.bodyBytes > 0) setBody(zeros(asked.bodyBytes))
                }
                answer.status.value
            }
        }

        private fun zeros(bytes: Long) = OutputStreamContent(
            { repeat((bytes / CHUNK).toInt()) { write(ByteArray(CHUNK)) } },
            ContentType.Application.OctetStream,
            contentLength = bytes,
        )

        private const val CHUNK = 1 shl 16
    }

    private companion object {
        const val AMONG = "connections.slow-among"
    }
}
