package clientlab.clients.recipes

import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.plugins.HttpTimeout
import kotlin.time.Duration

internal fun ktorCio(atOnce: Int, deadline: Duration): HttpClient = HttpClient(CIO) {
    engine {
        // 1,000 by default, to all hosts together.
        maxConnectionsCount = atOnce
        // 100 by default.
        endpoint.maxConnectionsPerRoute = atOnce
        // 5 s by default, and the wait for a connection counts.
        endpoint.connectTimeout = deadline.inWholeMilliseconds
    }
    install(HttpTimeout) {
        // Counts instead of the engine's requestTimeout, which is 15 s by default.
        requestTimeoutMillis = deadline.inWholeMilliseconds
    }
}
