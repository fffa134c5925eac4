package clientlab.clients.recipes

import io.ktor.client.HttpClient
import io.ktor.client.engine.apache5.Apache5
import io.ktor.client.plugins.HttpTimeout
import kotlin.time.Duration

internal fun ktorApache5(atOnce: Int, deadline: Duration): HttpClient = HttpClient(Apache5) {
    engine {
        configureConnectionManager {
            // Ktor sets both to 1,000.
            setMaxConnTotal(atOnce)
            setMaxConnPerRoute(atOnce)
        }
        // 20 s by default: the wait for a connection.
        connectionRequestTimeout = deadline.inWholeMilliseconds
        // 10 s by default: a server that takes longer to answer is given up.
        socketTimeout = deadline.inWholeMilliseconds.toInt()
    }
    install(HttpTimeout) {
        // None by default.
        requestTimeoutMillis = deadline.inWholeMilliseconds
    }
}
