package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.apache.*
import clientlab.clients.kit.*
import org.apache.hc.client5.http.impl.classic.HttpClients
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder
import org.springframework.http.HttpMethod
import org.springframework.http.MediaType
import org.springframework.http.StreamingHttpOutputMessage
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory
import org.springframework.web.client.RestClient
import kotlin.time.Duration.Companion.minutes

/**
 * [Spring's RestClient](https://docs.spring.io/spring-framework/reference/integration/rest-clients.html) over Apache HttpClient 5, which
 * Spring takes if it is on the classpath. It blocks, so each call has a thread of its own.
 */
internal class SpringRestClient(private val configuration: Configuration, private val threads: CallerThreads) : Client {
    override fun open(conditions: Conditions): Session {
        requireHttp1(conditions, "Spring RestClient over Apache HttpClient 5")
        val factory = if (configuration == Configuration.Opened) opened(conditions) else HttpComponentsClientHttpRequestFactory()
        return SpringRestClientSession(conditions, factory, threads)
    }

    private fun opened(conditions: Conditions): HttpComponentsClientHttpRequestFactory {
        val connections =
            PoolingHttpClientConnectionManagerBuilder
                .create()
                // 25 and 5 by default.
                .setMaxConnTotal(conditions.inFlight)
                .setMaxConnPerRoute(conditions.inFlight)
                .setDefaultConnectionConfig(connectionConfig(conditions))
                .build()
        val http = HttpClients.custom().setConnectionManager(connections).setDefaultRequestConfig(requestConfig(conditions))
        return HttpComponentsClientHttpRequestFactory(http.build())
    }
}

internal object SpringRestClientListing : Listing {
    private const val OPENED =
        "over Apache HttpClient 5, which Spring takes if it is on the classpath: maxConnTotal and maxConnPerRoute at the requests in " +
            "flight, because by default they are 25 and 5; connect, socket, response and connection-request time-out as asked, because " +
            "by default they are 3 minutes or none"

    override val library = "org.springframework:spring-web"
    override val protocols = HTTP_1
    override val timeouts = mapOf(
        TimeoutKind.Pool to TimeoutSetting("connectionRequestTimeout", 3.minutes),
        TimeoutKind.Connect to TimeoutSetting("connectTimeout", 3.minutes),
        TimeoutKind.Read to TimeoutSetting("responseTimeout"),
    )
    override val entries = listOf(
        blockingEntry("spring-restclient", "Spring RestClient", OPENED, CallerThreads.Platform) {
            SpringRestClient(Configuration.Opened, it)
        },
        blockingEntry("spring-restclient-virtual", "Spring RestClient on virtual threads", OPENED, CallerThreads.Virtual) {
            SpringRestClient(Configuration.Opened, it)
        },
        blockingEntry("spring-restclient@default", "Spring RestClient by default", "", CallerThreads.Platform, limit = 5) {
            SpringRestClient(Configuration.Default, it)
        },
    )
}

private class SpringRestClientSession(
    private val conditions: Conditions,
    private val factory: HttpComponentsClientHttpRequestFactory,
    threads: CallerThreads,
) : BlockingSession(threads) {
    private val client: RestClient = RestClient.builder().requestFactory(factory).build()

    override fun call(request: Request): Reply {
        val asked = client.method(HttpMethod.valueOf(request.method)).uri(conditions.baseUrl.resolve(request.path))
        request.headers.forEach { (name, value) -> asked.header(name, value) }
        if (request.bodyBytes > 0) {
            asked
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .contentLength(request.bodyBytes)
                .body(StreamingHttpOutputMessage.Body { it.writeZeros(request.bodyBytes) })
        }
        return asked.exchangeForRequiredValue { _, response ->
            if (request.reading == Reading.InMemory) {
                val bytes = response.bodyTo(ByteArray::class.java)?.size ?: 0
                return@exchangeForRequiredValue Reply(response.statusCode.value(), bytes.toLong(), Protocol.Http1.label)
            }
            BodyTally(request).drain(response.body).reply(response.statusCode.value(), Protocol.Http1.label)
        }
    }

    override fun close() {
        factory.destroy()
        super.close()
    }
}
