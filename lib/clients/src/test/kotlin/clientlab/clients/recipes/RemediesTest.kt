package clientlab.clients.recipes

import clientlab.*
import clientlab.client.*
import clientlab.clients.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import io.ktor.client.HttpClient
import io.ktor.client.HttpClientConfig
import io.ktor.client.engine.apache5.Apache5
import io.ktor.client.engine.cio.CIO
import io.ktor.client.engine.cio.CIOEngineConfig
import io.ktor.client.network.sockets.ConnectTimeoutException
import io.ktor.client.plugins.HttpRequestRetry
import io.ktor.client.plugins.HttpRequestRetryConfig
import io.ktor.client.plugins.HttpRequestTimeoutException
import io.ktor.client.plugins.HttpTimeout
import io.ktor.client.request.get
import io.ktor.client.request.prepareGet
import io.ktor.client.statement.bodyAsChannel
import io.ktor.utils.io.readByte
import io.ktor.utils.io.readRemaining
import io.vertx.core.Vertx
import io.vertx.core.http.HttpClientRequest
import io.vertx.core.http.RequestOptions
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.io.readByteArray
import okhttp3.Call
import okhttp3.Callback
import okhttp3.ConnectionPool
import okhttp3.Dns
import okhttp3.OkHttpClient
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.Response
import okhttp3.ResponseBody
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest
import org.apache.hc.client5.http.impl.async.HttpAsyncClients
import org.apache.hc.core5.util.TimeValue
import org.asynchttpclient.Dsl
import org.asynchttpclient.ListenableFuture
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder
import org.springframework.http.client.ClientHttpRequestFactory
import org.springframework.http.client.JdkClientHttpRequestFactory
import org.springframework.web.client.RestClient
import org.springframework.web.client.body
import reactor.netty.http.Http2SettingsSpec
import reactor.netty.http.Http2SslContextSpec
import reactor.netty.http.HttpProtocol
import reactor.netty.resources.ConnectionProvider
import retrofit2.Retrofit
import retrofit2.create
import retrofit2.http.GET
import retrofit2.http.Streaming
import retrofit2.http.Url
import java.io.IOException
import java.io.InterruptedIOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.URI
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration
import java.net.http.HttpClient as JdkHttpClient
import okhttp3.Request as OkHttpRequest
import reactor.netty.http.client.HttpClient as ReactorHttpClient

/** What `site/remedies.toml` recommends by name: what a client does without the setting, and with it. */
class RemediesTest {
    private val server = RealServer()

    @AfterEach
    fun close() = server.close()

    @Test
    fun `OkHttp sends a POST twice, and not without retryOnConnectionFailure`() {
        fact("idle.closed-on-post", okHttp {}) shouldStartWith "sends it again"
        fact("idle.closed-on-post", okHttp { retryOnConnectionFailure(false) }) shouldStartWith "sends it once"
        fact("retries.408-post", okHttp {}) shouldStartWith "sends it twice"
        fact("retries.408-post", okHttp { retryOnConnectionFailure(false) }) shouldStartWith "sends it once"
        // Its price.
        fact("idle.closed-on-get", okHttp {}) shouldStartWith "sends it again"
        fact("idle.closed-on-get", okHttp { retryOnConnectionFailure(false) }) shouldStartWith "sends it once"
    }

    @Test
    fun `OkHttp uses both addresses of a name if they are shuffled`() {
        fact("names.spread", okHttp {}) shouldBe "uses one of the addresses"
        // A seed, so that ten lookups never happen to agree.
        val order = Random(1)
        fact("names.spread", okHttp { dns { name -> Dns.SYSTEM.lookup(name).shuffled(order) } }) shouldNotContain "uses one"
    }

    @Test
    fun `OkHttp's limits hold back enqueue, and not execute`() {
        val http = OkHttpClient()
        atOnce { http.status(it) } shouldBe 5
        atOnce { url ->
            withContext(Dispatchers.IO) { http.newCall(OkHttpRequest.Builder().url(url.toURL()).build()).execute().use { it.code } }
        } shouldBe BURST
    }

    @Test
    fun `OkHttp uses a dead connection of HTTP2 again, and not with pings`() {
        fact("http2.half-open", okHttp {}) shouldContain "and so do"
        // A ping ends the connection while the second request waits, and OkHttp sends that again on another one.
        fact("http2.half-open", okHttp { pingInterval(PING, TimeUnit.MILLISECONDS) }) shouldNotContain "and so do"
    }

    @Test
    fun `OkHttp's call goes on without its coroutine, and not if a cancellation is passed on`() {
        fact("cancellation.waiting", okHttp {}) shouldContain "the connection stays open"
        fact("cancellation.waiting", okHttp(onCancellation = { it.cancel() }) {}) shouldContain "the connection is closed"
    }

    @Test
    fun `AsyncHttpClient closes the connection of a call if its own future is cancelled`() {
        fun client(onCancellation: (ListenableFuture<*>) -> Unit) = Client { conditions ->
            val http = Dsl.asyncHttpClient()
            session(http::close) { request ->
                val answer = http.prepareGet("${conditions.baseUrl.resolve(request.path)}").execute()
                suspendCancellableCoroutine { caller ->
                    caller.invokeOnCancellation { onCancellation(answer) }
                    answer.toCompletableFuture().whenComplete { response, failure ->
                        if (failure == null) caller.resume(response.statusCode) else caller.resumeWithException(failure)
                    }
                }
            }
        }
        fact("cancellation.waiting", client {}) shouldContain "the connection stays open"
        fact("cancellation.waiting", client { it.cancel(true) }) shouldContain "the connection is closed"
        fact("cancellation.reading", client { it.cancel(true) }) shouldContain "the connection is closed"
    }

    @Test
    fun `Vertx closes the connection of a call if its request is reset`() {
        fun client(onCancellation: (HttpClientRequest) -> Unit) = Client { conditions ->
            val vertx = Vertx.vertx()
            val http = vertx.createHttpClient()
            session({ vertx.close().toCompletionStage().toCompletableFuture().join() }) { request ->
                val url = "${conditions.baseUrl.resolve(request.path)}"
                val asked = http.request(RequestOptions().setAbsoluteURI(url)).toCompletionStage().await()
                suspendCancellableCoroutine { caller ->
                    caller.invokeOnCancellation { onCancellation(asked) }
                    asked.send().compose { answer -> answer.body().map(answer.statusCode()) }.onComplete { ended ->
                        if (ended.succeeded()) caller.resume(ended.result()) else caller.resumeWithException(ended.cause())
                    }
                }
            }
        }
        fact("cancellation.waiting", client {}) shouldContain "the connection stays open"
        fact("cancellation.waiting", client { it.reset() }) shouldContain "the connection is closed"
        fact("cancellation.reading", client { it.reset() }) shouldContain "the connection is closed"
    }

    @Test
    fun `the plugin's time-out counts instead of that of Ktor CIO itself`() {
        suspend fun status(http: HttpClient) = http.use { it.get("${server.baseUrl.resolve("/delay?delay=1&a=long")}").status.value }
        val brief: HttpClientConfig<CIOEngineConfig>.() -> Unit = { engine { requestTimeout = 300 } }
        runBlocking {
            shouldThrow<HttpRequestTimeoutException> { status(HttpClient(CIO, brief)) }
            status(
                HttpClient(CIO) {
                    brief()
                    install(HttpTimeout) { requestTimeoutMillis = 60_000 }
                },
            ) shouldBe 200
        }
    }

    @Test
    fun `without IPv6 the good address of a name is left`() {
        fun addresses(vararg options: String) =
            ChildJvm("clientlab.clients.recipes.TwoAddressesRunKt", emptyList(), options.asList()).use { it.line() }
        addresses() shouldBe "IPv4 IPv6"
        addresses("-Djava.net.preferIPv4Stack=true") shouldBe "IPv4"
    }

    @Test
    fun `the recipe of java net http ends a cancelled request`() {
        val client = Client { conditions ->
            val http = jdk(2.seconds)
            session(http::shutdownNow) { request -> http.get(conditions.baseUrl.resolve(request.path), 2.seconds).statusCode() }
        }
        fact("cancellation.waiting", client) shouldContain "the connection is closed"
        fact("cancellation.reading", client) shouldContain "the connection is closed"
        fact("http2.cancelled", client) shouldNotContain "not told"
    }

    @Test
    fun `a cancelled download of java net http ends if its stream is closed or its subscription is cancelled`() {
        fun client(end: (Download) -> Unit, body: (JdkHttpClient, HttpRequest) -> CompletableFuture<Download>) = Client { conditions ->
            val http = JdkHttpClient.newHttpClient()
            session(http::shutdownNow) { request ->
                val download = body(http, HttpRequest.newBuilder(conditions.baseUrl.resolve(request.path)).build()).await()
                suspendCancellableCoroutine { caller ->
                    caller.invokeOnCancellation { end(download) }
                    download.whenRead { failure -> if (failure == null) caller.resume(200) else caller.resumeWithException(failure) }
                }
            }
        }

        fun stream(end: (Download) -> Unit) = client(end) { http, asked ->
            http.sendAsync(asked, BodyHandlers.ofInputStream()).thenApply { OfStream(it.body()) }
        }

        fun publisher(end: (Download) -> Unit) = client(end) { http, asked ->
            http.sendAsync(asked, BodyHandlers.ofPublisher()).thenApply { OfPublisher(it.body()) }
        }
        for (download in listOf(::stream, ::publisher)) {
            fact("cancellation.reading", download {}) shouldContain "the connection stays open"
            fact("cancellation.reading", download(Download::close)) shouldContain "the connection is closed"
        }
    }

    @Test
    fun `a blocking call of java net http ends with its coroutine in runInterruptible`() {
        val client = Client { conditions ->
            val http = JdkHttpClient.newHttpClient()
            session(http::shutdownNow) { request ->
                val asked = HttpRequest.newBuilder(conditions.baseUrl.resolve(request.path)).build()
                runInterruptible(Dispatchers.IO) { http.send(asked, BodyHandlers.ofString()).statusCode() }
            }
        }
        fact("cancellation.waiting", client) shouldContain "the connection is closed"
    }

    @Test
    fun `RestClient over java net http has workers of its own, and none if that has virtual threads`() {
        JdkHttpClient.newHttpClient().use { workers(JdkClientHttpRequestFactory(it)) shouldBeGreaterThan 0 }
        newVirtualThreadPerTaskExecutor().use { virtual ->
            JdkHttpClient.newBuilder().executor(virtual).build().use { workers(JdkClientHttpRequestFactory(it)) shouldBe 0 }
        }
    }

    @Test
    fun `the builder of Spring Boot gives java net http's client an executor`() {
        workers(ClientHttpRequestFactoryBuilder.jdk().build()) shouldBeGreaterThan 0
        newVirtualThreadPerTaskExecutor().use { virtual ->
            workers(ClientHttpRequestFactoryBuilder.jdk().withHttpClientCustomizer { it.executor(virtual) }.build()) shouldBe 0
        }
    }

    @Test
    fun `pinned virtual threads wait for each other unless there are more platform threads`() {
        fun atOnce(parallelism: Int) = ChildJvm(
            "clientlab.clients.recipes.PinnedRunKt",
            emptyList(),
            listOf("-Djdk.virtualThreadScheduler.parallelism=$parallelism"),
        ).use { it.line() }
        atOnce(1) shouldBe "1"
        atOnce(64) shouldBe "3"
    }

    /** How many worker threads java.net.http has after a burst of calls through a RestClient, each made on a virtual thread. */
    private fun workers(requests: ClientHttpRequestFactory): Int {
        val client = RestClient.builder().requestFactory(requests).build()

        fun now() = Thread.getAllStackTraces().keys.filter { it.name.matches(Regex("HttpClient-\\d+-Worker-\\d+")) }.toSet()
        val before = now()
        newVirtualThreadPerTaskExecutor().use { callers ->
            List(BURST) { i ->
                callers.submit<String?> { client.get().uri(server.baseUrl.resolve("/delay?delay=0.2&a=virtual$i")).retrieve().body() }
            }.forEach { it.get() }
        }
        return (now() - before).size
    }

    @Test
    fun `Reactor Netty refuses the calls beyond pendingAcquireMaxCount`() {
        val pool = ConnectionProvider.builder("full").maxConnections(1).pendingAcquireMaxCount(2).build()
        val http = webClient(pool)
        val answered = runBlocking {
            List(BURST) { async { runCatching { http.status(server.baseUrl.resolve("/delay?delay=0.5&a=pending$it")) } } }
                .awaitAll()
                .count { it.isSuccess }
        }
        answered shouldBe 1 + 2
        pool.dispose()
    }

    @Test
    fun `Reactor Netty uses a dead connection of HTTP2 again, and not with pings`() {
        fun client(idle: Duration? = null, settings: Http2SettingsSpec.Builder.() -> Unit = {}) = Client { conditions ->
            val pool = ConnectionProvider.builder("pings").apply { idle?.let(::maxIdleTime) }.build()
            val spoken = if (conditions.protocol == Protocol.Http2) HttpProtocol.H2 else HttpProtocol.HTTP11
            val http = ReactorHttpClient.create(pool).protocol(spoken).responseTimeout(conditions.timeout.toJavaDuration())
            val client = webClient(http.secure { it.sslContext(Http2SslContextSpec.forClient()) }.http2Settings(settings))
            session(pool::dispose) { client.status(conditions.baseUrl.resolve(it.path)) }
        }
        fact("http2.half-open", client()) shouldContain "and so do the next ones"
        // Its pings are sent only where an idle time-out is set, which alone helps after a pause.
        fact("http2.half-open", client(IDLE)) shouldContain "a later one has a new connection"
        val idle = Duration.ofMillis(PING)
        fact("http2.half-open", client(idle) { pingAckTimeout(idle).pingAckDropThreshold(1) }) shouldContain
            "the next one has a new connection"
    }

    @Test
    fun `Ktor repeats a connect that timed out if its retries are told to, and not before`() {
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { full ->
            // Nobody accepts. When its queue is full, a connection is not answered any more.
            val waiting = List(FEW) { Socket().apply { runCatching { connect(full.localSocketAddress, PING.toInt()) } } }
            connects(full.localPort) { retryOnException(FEW) } shouldBe 1
            connects(full.localPort) { retryOnExceptionIf(FEW) { _, cause -> cause is ConnectTimeoutException } } shouldBe 1 + FEW
            waiting.forEach { it.close() }
        }
    }

    /** How often a call asks for a connection to [port], which is never had in time. */
    private fun connects(port: Int, retries: HttpRequestRetryConfig.() -> Unit): Int {
        val tries = AtomicInteger(1)
        val http = HttpClient(CIO) {
            install(HttpTimeout) { connectTimeoutMillis = PING }
            install(HttpRequestRetry) {
                retries()
                constantDelay(1)
                modifyRequest { tries.incrementAndGet() }
            }
        }
        shouldThrow<ConnectTimeoutException> { runBlocking { http.use { it.get("http://127.0.0.1:$port") } } }
        return tries.get()
    }

    @Test
    fun `one slow host stops the other unless its limit is below that in all`() {
        assumeTrue(server.hosts > 1, "this system has one loopback address only")
        answersBesideSlowHost(perHost = 2) shouldBe false
        answersBesideSlowHost(perHost = 1) shouldBe true
    }

    /** Whether a client with two connections in all answers a quick call to one host within a second, while calls to another wait. */
    private fun answersBesideSlowHost(perHost: Int): Boolean = HttpClient(Apache5) {
        engine {
            configureConnectionManager {
                setMaxConnTotal(2)
                setMaxConnPerRoute(perHost)
            }
        }
    }.use { http ->
        runBlocking {
            val slow = List(2) { async { http.get("${server.baseUrl.resolve("/delay?delay=3&a=slow$it")}") } }
            delay(500.milliseconds)
            val other = "${server.baseUrl.resolve("/delay?delay=0&a=quick")}".replace("127.0.0.1", "127.0.0.2")
            val quick = withTimeoutOrNull(1.seconds) { http.get(other) }
            slow.awaitAll()
            quick != null
        }
    }

    @Test
    fun `OkHttp with an idle time-out has a new connection after a pause`() {
        kept(OkHttpClient())
        renewed {
            OkHttpClient.Builder().connectionPool(ConnectionPool(5, IDLE.toMillis(), TimeUnit.MILLISECONDS)).build().let { http ->
                { url -> http.status(url) }
            }
        }
    }

    @Test
    fun `Apache's client with an idle time-out has a new connection after a pause`() {
        HttpAsyncClients.custom().evictIdleConnections(TimeValue.ofMilliseconds(IDLE.toMillis())).build().use { http ->
            http.start()
            renewed { { url -> http.execute(SimpleHttpRequest.create("GET", url), null).get().code } }
        }
    }

    @Test
    fun `Reactor Netty with an idle time-out has a new connection after a pause`() {
        val pool = ConnectionProvider.builder("idle").maxConnections(5).maxIdleTime(IDLE).build()
        val http = webClient(pool)
        renewed { { url -> http.status(url) } }
        pool.dispose()
    }

    @Test
    fun `AsyncHttpClient with an idle time-out has a new connection after a pause`() {
        Dsl.asyncHttpClient(Dsl.config().setPooledConnectionIdleTimeout(IDLE)).use { http ->
            renewed { { url -> http.prepareGet("$url").execute().toCompletableFuture().await().statusCode } }
        }
    }

    @Test
    fun `java net http with an idle time-out has a new connection after a pause`() {
        val address = "${server.baseUrl.resolve("/delay?delay=0&a=jdk")}"
        for ((options, opened) in mapOf(emptyList<String>() to 1, listOf("-Djdk.httpclient.keepalive.timeout=1") to 2)) {
            server.reset()
            ChildJvm("clientlab.clients.recipes.IdleJdkRunKt", listOf(address, "${JDK_PAUSE.inWholeMilliseconds}"), options).use {
                it.line() shouldBe
                    "200 200"
            }
            withClue("connections with $options") { server.evidence().int("connectionsOpened") shouldBe opened }
        }
    }

    @Test
    fun `a name's new address is asked where the JVM remembers none`() {
        for ((seconds, asked) in mapOf("30" to "asks the old address", "0" to "asks the new address")) {
            ChildJvm("clientlab.clients.recipes.MovedNameRunKt", listOf(seconds), emptyList()).use {
                withClue("networkaddress.cache.ttl = $seconds") { it.line() shouldBe asked }
            }
        }
    }

    @Test
    fun `a stream has the first byte before the last one is sent`() {
        val http = OkHttpClient()
        streams { url, read ->
            http.newCall(OkHttpRequest.Builder().url(url.toURL()).build()).execute().use { read(it.body.byteStream()::read) }
        }
        streams { url, read ->
            JdkHttpClient.newHttpClient().use { jdk ->
                jdk.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofInputStream()).body().use { read(it::read) }
            }
        }
        streams { url, read ->
            HttpClient(CIO).use { ktor ->
                runBlocking {
                    ktor.prepareGet("$url").execute { answer ->
                        val body = answer.bodyAsChannel()
                        read { runBlocking { body.readByte().toInt() } }
                    }
                }
            }
        }
        val retrofit = Retrofit.Builder().baseUrl("http://127.0.0.1").callFactory(http.newBuilder().callTimeout(SHORT).build()).build()
        streams { url, read -> retrofit.create<Files>().stream("$url").execute().body()!!.use { read(it.byteStream()::read) } }
        // Without @Streaming it reads the whole answer first.
        HalfAnswer().use { half ->
            shouldThrow<InterruptedIOException> { retrofit.create<Files>().whole("${half.url}").execute() }
        }
    }

    @Test
    fun `readRemaining of Ktor holds one piece of a large answer at a time`() {
        HalfAnswer().use { half ->
            HttpClient(CIO).use { ktor ->
                runBlocking {
                    ktor.prepareGet("${half.url}").execute { answer ->
                        half.sendRest()
                        val body = answer.bodyAsChannel()
                        List(2) { body.readRemaining(1).readByteArray().map { it.toInt() } } shouldBe
                            listOf(listOf(HalfAnswer.FIRST), listOf(HalfAnswer.SECOND))
                    }
                }
            }
        }
    }

    /** Sees that [get] hands over the first byte of an answer whose second one is sent after that. */
    private fun streams(get: (url: URI, read: (next: () -> Int) -> Unit) -> Unit) = HalfAnswer().use { half ->
        get(half.url) { next ->
            next() shouldBe HalfAnswer.FIRST
            half.sendRest()
            next() shouldBe HalfAnswer.SECOND
        }
    }

    @Test
    fun `a semaphore bounds a client that has no limit`() {
        http1().use { http ->
            suspend fun status(url: URI) = http.sendAsync(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString()).await().statusCode()
            val places = Semaphore(FEW)
            atOnce(::status) shouldBe BURST
            atOnce { url -> places.withPermit { status(url) } } shouldBe FEW
        }
    }

    @Test
    fun `OkHttp's callTimeout does not count the wait for a place, and withTimeout does`() {
        val http = OkHttpClient()
        val limited = http.newBuilder().callTimeout(SHORT).build()
        beyondLimit(http) { limited.status(it) } shouldBe 200
        beyondLimit(http) { url -> withTimeoutOrNull(SHORT.toKotlinDuration()) { http.status(url) } } shouldBe null
    }

    /** What a call gets that waits for a place for a second, because five others hold all of its host. */
    private fun beyondLimit(http: OkHttpClient, call: suspend (URI) -> Int?): Int? = runBlocking {
        val slow = List(5) { async { http.status(server.baseUrl.resolve("/delay?delay=1&a=slow$it")) } }
        while (http.dispatcher.runningCallsCount() < 5) delay(10.milliseconds)
        call(server.baseUrl.resolve("/delay?delay=0&a=sixth")).also { slow.awaitAll() }
    }

    @Test
    fun `close of java net http waits for a call under way, and shutdownNow ends it`() {
        underWay { it.close() } shouldBe 200
        underWay { it.shutdownNow() } shouldBe null
    }

    /** The status of a call that is under way when [end] ends its client, or null if it fails. */
    private fun underWay(end: (JdkHttpClient) -> Unit): Int? {
        server.reset()
        val http = http1()
        val answer = http.sendAsync(
            HttpRequest.newBuilder(server.baseUrl.resolve("/delay?delay=1&a=ending")).build(),
            BodyHandlers.ofString(),
        )
        while (server.evidence().int("inFlight") == 0) Thread.sleep(10)
        end(http)
        return runCatching { answer.get(3, TimeUnit.SECONDS).statusCode() }.getOrNull()
    }

    @Test
    fun `calls within runBlocking end on threads beside the 64 of the IO dispatcher`() {
        HttpClient(CIO).use { http ->
            answered(http, Dispatchers.IO) shouldBeLessThan CALLS
            answered(http, Dispatchers.IO.limitedParallelism(CALLS)) shouldBe CALLS
        }
    }

    /** How many of 64 calls, each within `runBlocking` on a thread of [on], are answered within three seconds. */
    private fun answered(http: HttpClient, on: CoroutineDispatcher): Int = runBlocking {
        val answers = AtomicInteger()
        val calls = List(CALLS) {
            // The calls of a deadlock end with their own time-out, long after this test has looked.
            kotlinx.coroutines.CoroutineScope(on).launch {
                runBlocking {
                    withTimeoutOrNull(4.seconds) { http.get("${server.baseUrl.resolve("/delay?delay=0.2&a=nested$it")}") }
                }?.let { answers.incrementAndGet() }
            }
        }
        withTimeoutOrNull(3.seconds) { calls.forEach { it.join() } }
        answers.get().also { calls.forEach { call -> call.join() } }
    }

    /** The most that the server has under way of a burst of calls. */
    private fun atOnce(call: suspend (URI) -> Int): Int {
        server.reset()
        runBlocking {
            List(BURST) { async { call(server.baseUrl.resolve("/delay?delay=1&a=burst$it")) } }.awaitAll().distinct() shouldBe listOf(200)
        }
        return server.evidence().int("peakInFlight")
    }

    private fun http1(): JdkHttpClient = JdkHttpClient.newBuilder().version(JdkHttpClient.Version.HTTP_1_1).build()

    private fun kept(http: OkHttpClient) {
        connections { http.status(it) } shouldBe 1
    }

    private fun renewed(made: () -> suspend (URI) -> Int) {
        connections(made()) shouldBe 2
    }

    /** How many connections two calls with a pause between them open. */
    private fun connections(call: suspend (URI) -> Int): Int {
        server.reset()
        runBlocking {
            call(server.baseUrl.resolve("/delay?delay=0&a=first")) shouldBe 200
            delay(PAUSE)
            call(server.baseUrl.resolve("/delay?delay=0&a=second")) shouldBe 200
        }
        return server.evidence().int("connectionsOpened")
    }

    private fun okHttp(onCancellation: (Call) -> Unit = {}, settings: OkHttpClient.Builder.() -> Unit) = Client { conditions ->
        val time = Duration.ofMillis(conditions.timeout.inWholeMilliseconds)
        val http = OkHttpClient.Builder().connectTimeout(time).readTimeout(time).writeTimeout(time).apply(settings).build()
        session({
            http.dispatcher.executorService.shutdown()
            http.connectionPool.evictAll()
        }) { request ->
            val body = if (request.method == "POST") ByteArray(request.bodyBytes.toInt()).toRequestBody() else null
            http.status(conditions.baseUrl.resolve(request.path), request.method, body, onCancellation)
        }
    }

    private suspend fun OkHttpClient.status(
        url: URI,
        method: String = "GET",
        body: okhttp3.RequestBody? = null,
        onCancellation: (Call) -> Unit = {},
    ): Int =
        suspendCancellableCoroutine { caller ->
            val asked = newCall(OkHttpRequest.Builder().url(url.toURL()).method(method, body).build())
            caller.invokeOnCancellation { onCancellation(asked) }
            asked.enqueue(
                object : Callback {
                    override fun onFailure(call: Call, e: IOException) = caller.resumeWithException(e)

                    override fun onResponse(call: Call, response: Response) = response.use {
                        it.body.bytes()
                        caller.resume(it.code)
                    }
                },
            )
        }

    private interface Files {
        @GET
        @Streaming
        fun stream(
            @Url url: String,
        ): retrofit2.Call<ResponseBody>

        @GET
        fun whole(
            @Url url: String,
        ): retrofit2.Call<ResponseBody>
    }

    private companion object {
        val SHORT: Duration = Duration.ofMillis(500)
        val IDLE: Duration = Duration.ofMillis(300)

        /** AsyncHttpClient looks at its idle connections once a second. */
        val PAUSE = 2_500.milliseconds

        /** The JDK's client looks at them every three seconds. */
        val JDK_PAUSE = 5.seconds
        const val PING = 150L
        const val CALLS = 64
        const val BURST = 12
        const val FEW = 3
    }
}
