package clientlab.clients

import clientlab.client.*
import com.github.kittinunf.fuel.core.FuelManager
import com.linecorp.armeria.common.Flags
import io.helidon.webclient.http1.Http1Client
import io.kotest.matchers.maps.shouldContainExactly
import io.ktor.client.engine.apache.ApacheEngineConfig
import io.ktor.client.engine.apache5.Apache5EngineConfig
import io.ktor.client.engine.cio.CIOEngineConfig
import io.netty.channel.embedded.EmbeddedChannel
import io.vertx.core.http.HttpClientOptions
import io.vertx.core.http.RequestOptions
import okhttp3.OkHttpClient
import org.apache.hc.client5.http.config.ConnectionConfig
import org.apache.hc.client5.http.config.RequestConfig
import org.apache.hc.core5.util.Timeout
import org.asynchttpclient.DefaultAsyncHttpClientConfig
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory
import reactor.netty.http.client.HttpClient
import reactor.netty.resources.ConnectionProvider
import java.net.URI
import java.net.http.HttpRequest
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.toKotlinDuration
import java.net.http.HttpClient as JdkClient
import org.eclipse.jetty.client.HttpClient as JettyClient

/** What each adapter declares about its library's time-outs, against the library itself. */
class TimeoutsTest {
    private val okHttp = OkHttpClient().let {
        mapOf(
            TimeoutKind.Connect to ms(it.connectTimeoutMillis),
            TimeoutKind.Read to ms(it.readTimeoutMillis),
            TimeoutKind.Call to ms(it.callTimeoutMillis),
        )
    }
    private val apache = mapOf(
        TimeoutKind.Pool to ms(RequestConfig.DEFAULT.connectionRequestTimeout),
        // If it is not set, that of the request counts, which is deprecated.
        @Suppress("DEPRECATION")
        TimeoutKind.Connect to ms(ConnectionConfig.DEFAULT.connectTimeout ?: RequestConfig.DEFAULT.connectTimeout),
        TimeoutKind.Read to ms(RequestConfig.DEFAULT.responseTimeout),
    )
    private val url = URI("http://localhost:1/")

    /** By the artifact of each library: how long each time-out is by default, as the library says. */
    private val own: Map<String, Map<TimeoutKind, Duration?>> = mapOf(
        "retrofit" to okHttp,
        "okhttp-jvm" to okHttp,
        "ktor-client-okhttp-jvm" to okHttp,
        "ktor-client-apache-jvm" to
            ApacheEngineConfig().let { ktorApache(it.connectionRequestTimeout, it.connectTimeout, it.socketTimeout) },
        "ktor-client-apache5-jvm" to
            Apache5EngineConfig().let { ktorApache(it.connectionRequestTimeout, it.connectTimeout, it.socketTimeout) },
        "ktor-client-java-jvm" to mapOf(TimeoutKind.Connect to jdkConnect(), TimeoutKind.Call to null),
        "ktor-client-cio-jvm" to CIOEngineConfig().let {
            mapOf(
                TimeoutKind.Pool to ms(it.endpoint.connectTimeout),
                TimeoutKind.Connect to ms(it.endpoint.connectTimeout),
                TimeoutKind.Read to ms(it.endpoint.socketTimeout),
                TimeoutKind.Call to ms(it.requestTimeout),
            )
        },
        "fuel" to FuelManager().let {
            mapOf(TimeoutKind.Connect to ms(it.timeoutInMillisecond), TimeoutKind.Read to ms(it.timeoutReadInMillisecond))
        },
        "java.net.http" to mapOf(
            TimeoutKind.Connect to jdkConnect(),
            TimeoutKind.Answer to HttpRequest.newBuilder(url).build().timeout().orElse(null)?.toKotlinDuration(),
        ),
        "java.base" to url.toURL().openConnection().let {
            mapOf(TimeoutKind.Connect to ms(it.connectTimeout), TimeoutKind.Read to ms(it.readTimeout))
        },
        "httpclient5" to apache,
        "spring-web" to apache,
        "spring-webflux" to mapOf(
            TimeoutKind.Pool to ms(ConnectionProvider.DEFAULT_POOL_ACQUIRE_TIMEOUT),
            TimeoutKind.Connect to nettyConnect(),
            TimeoutKind.Read to HttpClient.create().configuration().responseTimeout()?.toKotlinDuration(),
        ),
        "vertx-core" to mapOf(
            TimeoutKind.Connect to ms(HttpClientOptions().connectTimeout),
            TimeoutKind.Answer to ms(RequestOptions().timeout),
            TimeoutKind.Read to ms(HttpClientOptions().readIdleTimeout),
        ),
        "jetty-client" to JettyClient().let {
            mapOf(
                TimeoutKind.Connect to ms(it.connectTimeout),
                TimeoutKind.Read to ms(it.idleTimeout),
                TimeoutKind.Call to ms(it.newRequest(url).timeout),
            )
        },
        "netty-codec-http" to mapOf(TimeoutKind.Connect to nettyConnect()),
        "helidon-webclient" to Http1Client.builder().buildPrototype().let {
            mapOf(
                TimeoutKind.Connect to it.socketOptions().connectTimeout().toKotlinDuration(),
                TimeoutKind.Read to it.socketOptions().readTimeout().toKotlinDuration(),
            )
        },
        "async-http-client" to DefaultAsyncHttpClientConfig.Builder().build().let {
            mapOf(
                TimeoutKind.Connect to it.connectTimeout.toKotlinDuration(),
                TimeoutKind.Read to it.readTimeout.toKotlinDuration(),
                TimeoutKind.Call to it.requestTimeout.toKotlinDuration(),
            )
        },
        "armeria" to mapOf(
            TimeoutKind.Connect to ms(Flags.defaultConnectTimeoutMillis()),
            TimeoutKind.Call to ms(Flags.defaultResponseTimeoutMillis()),
        ),
    )

    @TestFactory
    fun `an adapter declares the time-outs of its library, each as long as the library has it by default`(): List<DynamicTest> =
        Catalogue().timeouts.map { (library, offered) ->
            dynamicTest(library) {
                offered.mapValues { it.value.byDefault } shouldContainExactly own.getValue(library.substringAfter(':'))
            }
        }

    private fun ktorApache(pool: Number, connect: Number, read: Number) =
        mapOf(TimeoutKind.Pool to ms(pool), TimeoutKind.Connect to ms(connect), TimeoutKind.Read to ms(read), TimeoutKind.Call to null)

    /** Nothing, zero, less than zero and the largest number all stand for none. */
    private fun ms(length: Number?): Duration? =
        length?.toLong()?.takeIf { it in 1 until Long.MAX_VALUE }?.milliseconds

    private fun ms(length: Timeout?): Duration? = ms(length?.toMilliseconds())

    private fun jdkConnect(): Duration? = JdkClient.newHttpClient().use { it.connectTimeout().orElse(null)?.toKotlinDuration() }

    private fun nettyConnect(): Duration? = ms(EmbeddedChannel().config().connectTimeoutMillis)
}
