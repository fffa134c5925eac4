package clientlab.clients.recipes

import io.ktor.client.HttpClient
import io.ktor.client.engine.okhttp.OkHttp
import io.ktor.client.plugins.HttpTimeout
import okhttp3.ConnectionPool
import okhttp3.Dispatcher
import java.util.concurrent.TimeUnit
import kotlin.time.Duration

internal fun ktorOkHttp(atOnce: Int, deadline: Duration): HttpClient = HttpClient(OkHttp) {
    engine {
        config {
            val dispatcher = Dispatcher()
            // 64 by default, to all hosts together.
            dispatcher.maxRequests = atOnce
            // 5 by default. If you call several hosts, keep it below maxRequests, or one slow host takes every place.
            dispatcher.maxRequestsPerHost = atOnce
            dispatcher(dispatcher)
            // It keeps 5 idle connections, so more calls at once connect again. 15 s suit a server that closes after 20 s.
            connectionPool(ConnectionPool(atOnce, 15, TimeUnit.SECONDS))
        }
    }
    install(HttpTimeout) {
        // None by default.
        requestTimeoutMillis = deadline.inWholeMilliseconds
    }
}
