package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import io.netty.channel.ChannelOption
import kotlinx.coroutines.future.await
import org.springframework.core.io.buffer.DataBuffer
import org.springframework.core.io.buffer.DataBufferUtils
import org.springframework.core.io.buffer.DefaultDataBufferFactory
import org.springframework.http.HttpMethod
import org.springframework.http.client.reactive.ReactorClientHttpConnector
import org.springframework.web.reactive.function.BodyExtractors
import org.springframework.web.reactive.function.BodyInserters
import org.springframework.web.reactive.function.client.ClientResponse
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.bodyToMono
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono
import reactor.netty.http.HttpProtocol
import reactor.netty.http.HttpResources
import reactor.netty.http.client.HttpClient
import reactor.netty.http.client.HttpClientRequest
import reactor.netty.resources.ConnectionProvider
import reactor.netty.resources.LoopResources
import java.time.Duration
import java.util.concurrent.RejectedExecutionException
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration

/**
 * [Spring's WebClient](https://docs.spring.io/spring-framework/reference/web/webflux-webclient.html) over
 * [Reactor Netty](https://docs.spring.io/projectreactor/reactor-netty/docs/current/reference/http-client.html), which is its first choice:
 * event loops, on epoll if the system has it.
 */
internal class SpringWebClient(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session =
        if (configuration == Configuration.Opened) opened(conditions) else byDefault(conditions)

    private fun opened(conditions: Conditions): Session {
        val timeout = conditions.timeout.toJavaDuration()
        val pool =
            ConnectionProvider
                .builder("client-lab")
                // 500 per host by default.
                .maxConnections(conditions.inFlight)
                // By default twice the connections. If as many requests wait for a connection, the next one is refused.
                .pendingAcquireMaxCount(conditions.inFlight)
                // 45 s by default: the wait for a connection of the pool.
                .pendingAcquireTimeout(timeout)
                .build()
        // Its own event loops, so that the session can close them: by default all clients of the JVM share them.
        val loops = LoopResources.create("reactor-http")
        val http =
            HttpClient
                .create(pool)
                .runOn(loops)
                // 30 s by default.
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, conditions.timeoutMs)
                // None by default.
                .responseTimeout(conditions.longestRead.toJavaDuration())
                .speak(conditions)
        return SpringWebClientSession(conditions, http) { pool.disposeLater().then(loops.disposeLater(Duration.ZERO, CLOSING)) }
    }

    private fun byDefault(conditions: Conditions): Session {
        // Spring's default: it asks Reactor Netty for compressed answers and changes nothing else.
        val http = HttpClient.create().compress(true)
        val asked = if (configuration.setsProtocol(conditions)) http.speak(conditions) else http
        // Closes what all clients of the JVM share; the next client makes it again.
        return SpringWebClientSession(conditions, asked) { HttpResources.disposeLoopsAndConnectionsLater(Duration.ZERO, CLOSING) }
    }

    /** In HTTP/3 the caller says how much may come at once, in every configuration: as much as the delay server takes. */
    private fun HttpClient.speak(conditions: Conditions): HttpClient {
        val speaking = protocol(httpProtocol(conditions.protocol))
        if (conditions.protocol != Protocol.Http3) return speaking
        return speaking.http3Settings { it.maxData(CONNECTION_BYTES).maxStreamDataBidirectionalLocal(STREAM_BYTES) }
    }

    private fun httpProtocol(protocol: Protocol): HttpProtocol = when (protocol) {
        Protocol.Http1, Protocol.Https1 -> HttpProtocol.HTTP11
        Protocol.H2c -> HttpProtocol.H2C
        Protocol.Http2 -> HttpProtocol.H2
        Protocol.Http3 -> HttpProtocol.HTTP3
    }

    private companion object {
        val CLOSING: Duration = Duration.ofSeconds(5)
        const val STREAM_BYTES = 1_048_576L
        const val CONNECTION_BYTES = 16_777_216L
    }
}

internal object SpringWebClientListing : Listing {
    private const val OPENED =
        "maxConnections and pendingAcquireMaxCount of the ConnectionProvider at the requests in flight, because by default they are 500 " +
            "and twice that; pendingAcquireTimeout, connect and response time-out as asked, because by default they are 45 s, 30 s and " +
            "none; event loops of its own, so that they can be closed; HTTP/1.1; in HTTP/3 windows of 1 MiB for a stream and 16 MiB for " +
            "a connection, which a caller has to set"
    private const val SCHEDULER = "Reactor's scheduler, with which it waits for connections; the whole JVM shares it, and it stays"

    override val library = "org.springframework:spring-webflux"
    override val protocols = Protocol.entries
    override val recipe = "SpringWebClientRecipe.kt"
    override val timeouts = mapOf(
        TimeoutKind.Pool to TimeoutSetting("pendingAcquireTimeout", 45.seconds),
        TimeoutKind.Connect to TimeoutSetting("CONNECT_TIMEOUT_MILLIS", 30.seconds),
        TimeoutKind.Read to TimeoutSetting("responseTimeout"),
    )
    override val owners =
        listOf(ThreadOwner("reactor-(http|tcp)-.*", "Reactor Netty event loop"), ThreadOwner("parallel-\\d+", "Reactor scheduler"))

    /** At most as many threads of the scheduler as the machine has processors. */
    override val expectedLeftovers = listOf(Leftover("parallel-\\d+", SCHEDULER, atMost = 256))
    override val entries = listOf(
        entry("spring-webclient", "Spring WebClient", OPENED) { SpringWebClient(Configuration.Opened) },
        entry("spring-webclient@default", "Spring WebClient by default", "none", limit = 500) {
            SpringWebClient(Configuration.Default)
        },
    )
}

private class SpringWebClientSession(
    private val conditions: Conditions,
    http: HttpClient,
    private val dispose: () -> Mono<Void>,
) : Session {
    private val client: WebClient = WebClient.builder().clientConnector(ReactorClientHttpConnector(http)).build()

    override suspend fun send(request: Request): Reply {
        var spoken: String? = null
        val asked =
            client
                .method(HttpMethod.valueOf(request.method))
                .uri(conditions.baseUrl.resolve(request.path))
                // Spring's answer does not tell the version. Reactor Netty's request does, when it has its connection.
                .httpRequest { spoken = conditions.label(it.getNativeRequest<HttpClientRequest>().version().majorVersion()) }
        request.headers.forEach { (name, value) -> asked.header(name, value) }
        if (request.bodyBytes > 0) asked.contentLength(request.bodyBytes).body(BodyInserters.fromDataBuffers(zeros(request.bodyBytes)))
        if (request.reading == Reading.InMemory) {
            val held = asked.exchangeToMono { response ->
                response.bodyToMono<ByteArray>().map { Reply(response.statusCode().value(), it.size.toLong(), spoken) }
            }
            return checkNotNull(held.toFuture().await())
        }
        val tally = BodyTally(request)
        // Takes the buffers one by one: otherwise Spring would hold the body in memory, and at most 256 KiB of it.
        val reply =
            asked.exchangeToMono { response ->
                response
                    .read(request.reading)
                    .doOnNext { tally.count(it) }
                    .then(Mono.fromSupplier { tally.reply(response.statusCode().value(), spoken) })
            }
        return checkNotNull(reply.toFuture().await())
    }

    private fun ClientResponse.read(reading: Reading): Flux<DataBuffer> {
        val buffers = body(BodyExtractors.toDataBuffers())
        return when (reading) {
            Reading.Whole -> buffers
            Reading.Slowly -> buffers.concatMap({ Mono.just(it).delayElement(Duration.ofMillis(SLOW_MS)) }, 1)
            Reading.Part -> buffers.take(1)
            Reading.Unread -> releaseBody().thenMany(Flux.empty())
            Reading.InMemory -> error("It is read as one array.")
        }
    }

    private fun BodyTally.count(buffer: DataBuffer) {
        buffer.readableByteBuffers().use { chunks -> chunks.forEach { add(it) } }
        DataBufferUtils.release(buffer)
    }

    private fun zeros(length: Long) =
        DataBufferUtils.readInputStream({ ZeroStream(length) }, DefaultDataBufferFactory.sharedInstance, CHUNK)

    override fun close() {
        try {
            dispose().block(PATIENCE)
        } catch (_: IllegalStateException) {
            // Reactor Netty 1.3.7 has once never said that its loops were closed, although their threads had ended.
        } catch (_: RejectedExecutionException) {
            // Its loops had ended before its pool closed their connections, which had ended with them.
        }
    }

    private companion object {
        /** Twice as long as the loops are given to close. */
        val PATIENCE: Duration = Duration.ofSeconds(10)
    }
}
