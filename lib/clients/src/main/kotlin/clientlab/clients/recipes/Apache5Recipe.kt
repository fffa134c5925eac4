package clientlab.clients.recipes

import org.apache.hc.client5.http.config.ConnectionConfig
import org.apache.hc.client5.http.config.RequestConfig
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient
import org.apache.hc.client5.http.impl.async.HttpAsyncClients
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder
import org.apache.hc.core5.util.Timeout
import kotlin.time.Duration

internal fun apache5(atOnce: Int, deadline: Duration): CloseableHttpAsyncClient {
    val timeout = Timeout.ofMilliseconds(deadline.inWholeMilliseconds)
    val connections = PoolingAsyncClientConnectionManagerBuilder
        .create()
        // 25 by default, to all hosts together.
        .setMaxConnTotal(atOnce)
        // 5 by default.
        .setMaxConnPerRoute(atOnce)
        // 3 minutes by default.
        .setDefaultConnectionConfig(ConnectionConfig.custom().setConnectTimeout(timeout).build())
        .build()
    val requests = RequestConfig
        .custom()
        // 3 minutes by default: the wait for a connection.
        .setConnectionRequestTimeout(timeout)
        // None by default.
        .setResponseTimeout(timeout)
        .build()
    return HttpAsyncClients
        .custom()
        .setConnectionManager(connections)
        .setDefaultRequestConfig(requests)
        .build()
        .also { it.start() }
}
