package clientlab.clients

import clientlab.ClientInfo
import clientlab.Protocol
import clientlab.client.BlockingSession
import clientlab.client.CallerThreads
import clientlab.client.CatalogueEntry
import clientlab.client.Client
import clientlab.client.Conditions
import clientlab.client.Reply
import clientlab.client.Request
import clientlab.client.Session
import org.apache.hc.client5.http.config.ConnectionConfig
import org.apache.hc.client5.http.config.RequestConfig
import org.apache.hc.client5.http.impl.classic.HttpClients
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder
import org.apache.hc.core5.util.Timeout
import org.springframework.http.HttpMethod
import org.springframework.http.MediaType
import org.springframework.http.StreamingHttpOutputMessage
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory
import org.springframework.web.client.RestClient

/**
 * [Spring's RestClient](https://docs.spring.io/spring-framework/reference/integration/rest-clients.html) over Apache HttpClient 5, which is
 * what it takes where that is on the classpath: it blocks, so that each call has a thread of its own.
 */
internal class SpringRestClient(
    private val configuration: Configuration,
    private val threads: CallerThreads,
) : Client {
    override fun open(conditions: Conditions): Session {
        requireHttp1(conditions, "Spring RestClient over Apache HttpClient 5")
        val factory =
            if (configuration == Configuration.Opened) opened(conditions) else HttpComponentsClientHttpRequestFactory()
        return SpringRestClientSession(conditions, factory, threads)
    }

    private fun opened(conditions: Conditions): HttpComponentsClientHttpRequestFactory {
        val timeout = Timeout.ofMilliseconds(conditions.timeout.inWholeMilliseconds)
        val connections =
            PoolingHttpClientConnectionManagerBuilder
                .create()
                // 25 and 5 as it comes.
                .setMaxConnTotal(conditions.inFlight)
                .setMaxConnPerRoute(conditions.inFlight)
                // 3 minutes to connect, and no limit to a read, as it comes.
                .setDefaultConnectionConfig(
                    ConnectionConfig
                        .custom()
                        .setConnectTimeout(timeout)
                        .setSocketTimeout(timeout)
                        .build(),
                ).build()
        // 3 minutes to wait for a connection of the pool, and no limit to the wait for an answer, as it comes.
        val requests =
            RequestConfig
                .custom()
                .setConnectionRequestTimeout(timeout)
                .setResponseTimeout(timeout)
                .build()
        return HttpComponentsClientHttpRequestFactory(
            HttpClients
                .custom()
                .setConnectionManager(connections)
                .setDefaultRequestConfig(requests)
                .build(),
        )
    }
}

internal object SpringRestClientListing : Listing {
    private const val PER_ROUTE = 5
    private const val OPENED =
        "over Apache HttpClient 5, which Spring takes where it is there: maxConnTotal and maxConnPerRoute at the requests in flight, for " +
            "they are 25 and 5; connect, socket, response and connection-request time-out as asked, for they are 3 minutes or none; "

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(info("spring-restclient", "Spring RestClient", OPENED + "a platform thread a call")) {
                SpringRestClient(Configuration.Opened, CallerThreads.Platform)
            },
            CatalogueEntry(
                info("spring-restclient-virtual", "Spring RestClient on virtual threads", OPENED + "a virtual thread a call"),
            ) { SpringRestClient(Configuration.Opened, CallerThreads.Virtual) },
            CatalogueEntry(
                info("spring-restclient@default", "Spring RestClient as it comes", "a platform thread a call", PER_ROUTE),
            ) { SpringRestClient(Configuration.Default, CallerThreads.Platform) },
        )

    private fun info(id: String, title: String, settings: String, limit: Int? = null): ClientInfo =
        ClientInfo(id, title, "org.springframework:spring-web", settings, limit, protocols = HTTP_1)
}

private class SpringRestClientSession(
    private val conditions: Conditions,
    private val factory: HttpComponentsClientHttpRequestFactory,
    threads: CallerThreads,
) : BlockingSession(threads) {
    private val client: RestClient = RestClient.builder().requestFactory(factory).build()

    override fun call(request: Request): Reply {
        val asked = client.method(HttpMethod.valueOf(request.method)).uri(conditions.baseUrl.resolve(request.path))
        if (request.bodyBytes > 0) {
            asked
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .contentLength(request.bodyBytes)
                .body(StreamingHttpOutputMessage.Body { it.writeZeros(request.bodyBytes) })
        }
        return asked.exchangeForRequiredValue { _, response ->
            BodyTally(request).drain(response.body).reply(response.statusCode.value(), Protocol.Http1.label)
        }
    }

    override fun close() {
        factory.destroy()
        super.close()
    }
}
