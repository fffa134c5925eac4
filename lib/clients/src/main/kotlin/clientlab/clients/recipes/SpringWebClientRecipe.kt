package clientlab.clients.recipes

import org.springframework.http.client.reactive.ReactorClientHttpConnector
import org.springframework.web.reactive.function.client.WebClient
import reactor.netty.http.client.HttpClient
import reactor.netty.resources.ConnectionProvider
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** Keep it for as long as the program lives. */
internal fun springWebClient(atOnce: Int, deadline: Duration): WebClient {
    val pool = ConnectionProvider
        .builder("calls")
        // 500 by default.
        .maxConnections(atOnce)
        // As many calls may wait; what comes beyond is refused. Twice the connections by default.
        .pendingAcquireMaxCount(2 * atOnce)
        // 45 s by default: the wait for a connection.
        .pendingAcquireTimeout(deadline.toJavaDuration())
        .build()
    // None by default, between two pieces of an answer.
    val http = HttpClient.create(pool).responseTimeout(deadline.toJavaDuration())
    return WebClient.builder().clientConnector(ReactorClientHttpConnector(http)).build()
}
