package clientlab.clients.recipes

import clientlab.client.*
import clientlab.clients.*
import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.netty.resolver.dns.DnsAddressResolverGroup
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest
import org.apache.hc.client5.http.config.ConnectionConfig
import org.apache.hc.client5.http.impl.async.HttpAsyncClients
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder
import org.apache.hc.core5.util.TimeValue
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import reactor.netty.resources.ConnectionProvider
import reactor.netty.transport.NameResolverProvider.NameResolverSpec
import java.net.URI
import java.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import reactor.netty.http.client.HttpClient as ReactorHttpClient

/** What home says of names that are slow or move: each setting changes what it promises to change. */
class NameRemediesTest {
    private val server = RealServer()

    @AfterEach
    fun close() = server.close()

    @Test
    fun `a busy connection of Reactor Netty ends by its age, and not without one`() {
        fun opened(pool: ConnectionProvider): Int {
            val http = webClient(pool)
            return opened { url -> http.status(url) }
        }
        opened(ConnectionProvider.builder("kept").maxConnections(1).build()) shouldBe 1
        opened(ConnectionProvider.builder("aged").maxConnections(1).maxLifeTime(AGE).build()) shouldBeGreaterThan 2
    }

    @Test
    fun `a busy connection of Apache's client ends by its age, and not without one`() {
        fun opened(connections: ConnectionConfig): Int {
            val pool = PoolingAsyncClientConnectionManagerBuilder
                .create()
                .setMaxConnPerRoute(
                    1,
                ).setDefaultConnectionConfig(connections)
                .build()
            return HttpAsyncClients.custom().setConnectionManager(pool).build().use { http ->
                http.start()
                opened { url -> http.execute(SimpleHttpRequest.create("GET", url), null).get().code }
            }
        }
        opened(ConnectionConfig.DEFAULT) shouldBe 1
        opened(ConnectionConfig.custom().setTimeToLive(TimeValue.ofMilliseconds(AGE.toMillis())).build()) shouldBeGreaterThan 2
    }

    @Test
    fun `Reactor Netty keeps an address for as long as its name server says, or for less if it is told to`() {
        lookups(ttlSeconds = 1) {} shouldBe 2
        lookups(ttlSeconds = 60) {} shouldBe 1
        lookups(ttlSeconds = 60) { cacheMaxTimeToLive(Duration.ofSeconds(1)) } shouldBe 2
    }

    /** How often a name is asked for by two calls that are a second and a half apart, each on a connection of its own. */
    private fun lookups(ttlSeconds: Byte, settings: NameResolverSpec.() -> Unit): Int = NameServer(ttlSeconds).use { names ->
        val http = ReactorHttpClient.create().keepAlive(false).resolver { spec ->
            spec.dnsAddressResolverGroupProvider {
                DnsAddressResolverGroup(it.nameServerProvider(SingletonDnsServerAddressStreamProvider(names.address)))
            }
            spec.settings()
        }
        val url = URI("http://moving.example:${server.baseUrl.port}/delay?delay=0&a=named")
        runBlocking {
            webClient(http).status(url) shouldBe 200
            delay(1_500.milliseconds)
            webClient(http).status(url) shouldBe 200
        }
        names.questions
    }

    @Test
    fun `a client's own time-out counts no slow lookup, and withTimeout does`() {
        val inTime = listOf("okhttp", "retrofit", "ktor-okhttp", "ktor-cio", "ktor-java", "ktor-apache", "ktor-apache5", "jdk", "jetty")
        for (id in inTime) withClue(id) { fact("names.slow", deadline(id)) shouldBe "fails (TimeoutCancellationException) in time" }
        // These block the caller while they look up.
        for (id in listOf("apache5-async", "async-http-client", "fuel")) {
            withClue(id) { fact("names.slow", deadline(id)) shouldBe "fails (TimeoutCancellationException) late" }
        }
    }

    /** The client within `withTimeout`, with time-outs of its own that are long. */
    private fun deadline(id: String): Client {
        val client = Catalogue().entries.single { it.info.id == id }.create()
        return Client { conditions ->
            val within = client.open(conditions.copy(timeout = 20.seconds, deadline = null))
            session(within::close) { request -> withTimeout(conditions.timeout) { within.send(request).status } }
        }
    }

    /** How many connections calls open that follow one another for a second. */
    private fun opened(call: suspend (URI) -> Int): Int {
        server.reset()
        val begun = TimeSource.Monotonic.markNow()
        var calls = 0
        runBlocking {
            while (begun.elapsedNow() < 1.seconds) call(server.baseUrl.resolve("/delay?delay=0.01&a=${calls++}")) shouldBe 200
        }
        return server.evidence().int("connectionsOpened").also { withClue("calls") { calls shouldBeGreaterThan it } }
    }

    private companion object {
        val AGE: Duration = Duration.ofMillis(200)
    }
}
