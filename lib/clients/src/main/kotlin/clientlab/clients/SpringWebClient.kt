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
import io.netty.channel.ChannelOption
import kotlinx.coroutines.future.await
import org.springframework.core.io.buffer.DataBuffer
import org.springframework.core.io.buffer.DataBufferUtils
import org.springframework.core.io.buffer.DefaultDataBufferFactory
import org.springframework.http.HttpMethod
import org.springframework.http.client.reactive.ReactorClientHttpConnector
import org.springframework.web.reactive.function.BodyExtractors
import org.springframework.web.reactive.function.BodyInserters
import org.springframework.web.reactive.function.client.WebClient
import reactor.core.publisher.Mono
import reactor.netty.http.HttpProtocol
import reactor.netty.http.HttpResources
import reactor.netty.http.client.HttpClient
import reactor.netty.http.client.HttpClientRequest
import reactor.netty.resources.ConnectionProvider
import reactor.netty.resources.LoopResources
import java.time.Duration
import kotlin.time.toJavaDuration

/**
 * [Spring's WebClient](https://docs.spring.io/spring-framework/reference/web/webflux-webclient.html) over
 * [Reactor Netty](https://docs.spring.io/projectreactor/reactor-netty/docs/current/reference/http-client.html), which is what it takes
 * first: event loops, on epoll where the system has it.
 */
internal class SpringWebClient(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session =
        if (configuration == Configuration.Opened) opened(conditions) else asItComes(conditions)

    private fun opened(conditions: Conditions): Session {
        val timeout = conditions.timeout.toJavaDuration()
        val pool =
            ConnectionProvider
                .builder("client-lab")
                // 500 to a host as it comes.
                .maxConnections(conditions.inFlight)
                // Twice the connections as it comes; one more than may wait for one is refused.
                .pendingAcquireMaxCount(conditions.inFlight)
                // 45 s as it comes: the wait for a connection of the pool.
                .pendingAcquireTimeout(timeout)
                .build()
        // Of its own, so that it can be closed: as it comes all clients of the JVM share one.
        val loops = LoopResources.create("reactor-http")
        val http =
            HttpClient
                .create(pool)
                .runOn(loops)
                // 30 s as it comes.
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(timeout.toMillis()))
                // None as it comes.
                .responseTimeout(timeout)
                .protocol(httpProtocol(conditions.protocol))
        return SpringWebClientSession(conditions, http) {
            pool.disposeLater().then(loops.disposeLater(Duration.ZERO, CLOSING))
        }
    }

    private fun asItComes(conditions: Conditions): Session {
        // Spring asks Reactor Netty for compressed answers, and changes nothing else.
        val http = HttpClient.create().compress(true)
        val asked = if (configuration.setsProtocol(conditions)) http.protocol(httpProtocol(conditions.protocol)) else http
        // What all clients of the JVM share; the next one makes it anew.
        return SpringWebClientSession(conditions, asked) { HttpResources.disposeLoopsAndConnectionsLater(Duration.ZERO, CLOSING) }
    }

    private fun httpProtocol(protocol: Protocol): HttpProtocol =
        when (protocol) {
            Protocol.Http1, Protocol.Https1 -> HttpProtocol.HTTP11
            Protocol.H2c -> HttpProtocol.H2C
            Protocol.Http2 -> HttpProtocol.H2
        }

    private companion object {
        val CLOSING: Duration = Duration.ofSeconds(5)
    }
}

internal object SpringWebClientListing : Listing {
    private const val PER_HOST = 500

    /** Threads of Reactor's own clock; there are as many as processors at most. */
    private const val SCHEDULERS = 256

    private val owners =
        listOf(
            ThreadOwner("reactor-(http|tcp)-.*", "Reactor Netty event loop"),
            ThreadOwner("parallel-\\d+", "Reactor scheduler"),
        )
    private val expectedLeftovers =
        listOf(
            Leftover(
                "parallel-\\d+",
                "Reactor's scheduler, by which it waits for connections; all of the JVM shares it, and it stays",
                SCHEDULERS,
            ),
        )

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(
                info(
                    "spring-webclient",
                    "Spring WebClient",
                    "maxConnections and pendingAcquireMaxCount of the ConnectionProvider at the requests in flight, for they are 500 and " +
                        "twice that; pendingAcquireTimeout, connect and response time-out as asked, for they are 45 s, 30 s and none; " +
                        "event loops of its own, so that they can be closed; HTTP/1.1",
                ),
            ) { SpringWebClient(Configuration.Opened) },
            CatalogueEntry(info("spring-webclient@default", "Spring WebClient as it comes", "none", PER_HOST)) {
                SpringWebClient(Configuration.Default)
            },
        )

    private fun info(id: String, title: String, settings: String, limit: Int? = null): ClientInfo =
        ClientInfo(
            id,
            title,
            "org.springframework:spring-webflux",
            settings,
            limit,
            expectedLeftovers,
            owners,
            protocols = Protocol.entries,
        )
}

private class SpringWebClientSession(
    private val conditions: Conditions,
    http: HttpClient,
    private val dispose: () -> Mono<Void>,
) : Session {
    private val client: WebClient = WebClient.builder().clientConnector(ReactorClientHttpConnector(http)).build()

    override suspend fun send(request: Request): Reply {
        val tally = BodyTally(request)
        var spoken: String? = null
        val asked =
            client
                .method(HttpMethod.valueOf(request.method))
                .uri(conditions.baseUrl.resolve(request.path))
                // Spring's answer does not tell the version; Reactor Netty's request does, once it has its connection.
                .httpRequest { spoken = label(it.getNativeRequest<HttpClientRequest>()) }
        if (request.bodyBytes > 0) asked.contentLength(request.bodyBytes).body(BodyInserters.fromDataBuffers(zeros(request.bodyBytes)))
        // The body is taken as it comes: any other way Spring would hold it in memory, and no more than 256 KiB of it.
        val reply =
            asked.exchangeToMono { response ->
                response
                    .body(BodyExtractors.toDataBuffers())
                    .doOnNext { tally.count(it) }
                    .then(Mono.fromSupplier { tally.reply(response.statusCode().value(), spoken) })
            }
        return checkNotNull(reply.toFuture().await())
    }

    private fun BodyTally.count(buffer: DataBuffer) {
        buffer.readableByteBuffers().use { chunks -> chunks.forEach { add(it) } }
        DataBufferUtils.release(buffer)
    }

    private fun zeros(length: Long) =
        DataBufferUtils.readInputStream({ ZeroStream(length) }, DefaultDataBufferFactory.sharedInstance, CHUNK)

    private fun label(request: HttpClientRequest): String =
        if (request.version().majorVersion() >= 2) h2(conditions) else Protocol.Http1.label

    override fun close() {
        dispose().block()
    }
}
