package clientlab.clients.recipes

import clientlab.clients.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.ktor.client.HttpClient
import io.ktor.client.engine.apache5.Apache5
import io.ktor.client.engine.cio.CIO
import io.ktor.client.engine.java.Java
import io.ktor.client.engine.okhttp.OkHttp
import io.ktor.client.engine.okhttp.OkHttpConfig
import io.ktor.client.plugins.HttpTimeout
import io.ktor.client.request.get
import io.ktor.client.request.prepareGet
import io.ktor.client.statement.bodyAsChannel
import io.ktor.client.statement.bodyAsText
import io.ktor.utils.io.discard
import io.ktor.utils.io.readByte
import io.vertx.core.Vertx
import io.vertx.core.http.HttpClientOptions
import io.vertx.core.http.RequestOptions
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import okhttp3.Call
import okhttp3.Callback
import okhttp3.Dispatcher
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.io.IOException
import java.net.SocketTimeoutException
import java.net.URI
import java.time.Duration
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import java.util.concurrent.atomic.AtomicInteger

/** What `18-streams` recommends: how many streams a client holds open, or reads, without the setting, and with it. */
class StreamRemediesTest {
    private val server = RealServer()

    @AfterEach
    fun close() = server.close()

    @Test
    fun `OkHttp holds five streams to a host, and more if its two limits are raised`() {
        heldBy(OkHttpClient()) shouldBe 5
        heldBy(OkHttpClient.Builder().dispatcher(raised()).build()) shouldBe ASKED
    }

    @Test
    fun `a hundred callers of Ktor's OkHttp engine get their first event if its dispatcher has twice as many threads`() {
        readByKtor {} shouldBeLessThan ASKED
        readByKtor { dispatcher = Dispatchers.IO.limitedParallelism(2 * ASKED) } shouldBe ASKED
    }

    @Test
    fun `a silent stream ends with a read time-out, and its caller opens another one`() {
        val okHttp = OkHttpClient.Builder().readTimeout(Duration.ofMillis(NOTICED_MS)).build()
        shouldThrow<SocketTimeoutException> { okHttp.read(SILENT) }
        okHttp.read(FED).lines().count { it.startsWith("data:") } shouldBe EVENTS

        for (engine in listOf(CIO, OkHttp, Apache5)) {
            HttpClient(engine) { install(HttpTimeout) { socketTimeoutMillis = NOTICED_MS } }.use { ktor ->
                shouldThrow<IOException> { ktor.read(SILENT) }
                ktor.read(FED).lines().count { it.startsWith("data:") } shouldBe EVENTS
            }
        }
        server.await(seconds = 5) { it.int("inFlight") == 0 }.int("inFlight") shouldBe 0
    }

    @Test
    fun `Ktor's Java engine has no read time-out`() {
        val ended = HttpClient(Java) { install(HttpTimeout) { socketTimeoutMillis = NOTICED_MS } }.use { ktor ->
            runBlocking {
                withTimeoutOrNull(
                    4 * NOTICED_MS,
                ) { runCatching { ktor.get(server.baseUrl.resolve(SILENT).toURL()).bodyAsText() } }
            }
        }
        ended.shouldBeNull()
    }

    @Test
    fun `in Vert x it is readIdleTimeout that ends a silent stream, and not the time-out of a request`() {
        val ofRequest = RequestOptions().setIdleTimeout(NOTICED_MS)
        vertx(HttpClientOptions(), ofRequest).shouldBeNull()
        val ofConnection = HttpClientOptions().setIdleTimeoutUnit(TimeUnit.MILLISECONDS).setReadIdleTimeout(NOTICED_MS.toInt())
        vertx(ofConnection, RequestOptions()).shouldNotBeNull()
    }

    /** How Vert.x ends a silent stream, or null if it does not within some time. */
    private fun vertx(options: HttpClientOptions, request: RequestOptions): Throwable? {
        val vertx = Vertx.vertx()
        try {
            val asked = request.setAbsoluteURI("${server.baseUrl.resolve(SILENT)}")
            val body = vertx.createHttpClient(options).request(asked).compose { it.send() }.compose { it.body() }
            return runCatching { body.toCompletionStage().toCompletableFuture().get(4 * NOTICED_MS, TimeUnit.MILLISECONDS) }
                .exceptionOrNull()
                .takeUnless { it is TimeoutException }
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(PATIENCE_S, TimeUnit.SECONDS)
        }
    }

    private fun OkHttpClient.read(path: String): String =
        newCall(Request.Builder().url(server.baseUrl.resolve(path).toURL()).build()).execute().use { it.body.string() }

    private fun HttpClient.read(path: String): String = runBlocking { get(server.baseUrl.resolve(path).toURL()).bodyAsText() }

    /** How many streams the server sees open. */
    private fun heldBy(http: OkHttpClient): Int {
        val held = settled({ server.evidence().int("inFlight") }) { url ->
            http.newCall(Request.Builder().url(url.toURL()).build()).enqueue(Reading)
        }
        http.dispatcher.cancelAll()
        http.dispatcher.executorService.shutdown()
        return held
    }

    /** How many callers of Ktor's OkHttp engine get the first byte of their stream. */
    private fun readByKtor(settings: OkHttpConfig.() -> Unit): Int {
        val read = AtomicInteger()
        return HttpClient(OkHttp) {
            engine {
                config { dispatcher(raised()) }
                settings()
            }
        }.use { http ->
            settled({ read.get() }) { url ->
                http.prepareGet("$url").execute { answer ->
                    val body = answer.bodyAsChannel()
                    body.readByte()
                    read.incrementAndGet()
                    body.discard()
                }
            }
        }
    }

    private fun raised() = Dispatcher().apply {
        maxRequests = ASKED
        maxRequestsPerHost = ASKED
    }

    /** [count] when it grows no more, while [ASKED] callers [open] a stream each. Who is cancelled makes place for others, so it counts before. */
    private fun settled(count: () -> Int, open: suspend (URI) -> Unit): Int {
        server.reset()
        val callers = CoroutineScope(SupervisorJob() + Dispatchers.Default)
        repeat(ASKED) { callers.launch { open(server.baseUrl.resolve("/events?every=30&events=2&a=$it")) } }
        var before = -1
        var now = 0
        while (now != before) {
            before = now
            Thread.sleep(LOOK_MS)
            now = count()
        }
        callers.cancel()
        return now
    }

    /** Reads an answer to its end on the thread that brings it. */
    private object Reading : Callback {
        override fun onFailure(call: Call, e: IOException) = Unit

        override fun onResponse(call: Call, response: Response) {
            response.use { runCatching { it.body.bytes() } }
        }
    }

    private companion object {
        const val ASKED = 100
        const val LOOK_MS = 2_000L
        const val NOTICED_MS = 500L
        const val PATIENCE_S = 5L
        const val EVENTS = 3
        const val SILENT = "/events?every=30&events=$EVENTS"
        const val FED = "/events?every=0.01&events=$EVENTS"
    }
}
