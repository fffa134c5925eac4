package clientlab.clients.ktor

import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.plugins.HttpRequestRetry
import io.ktor.client.plugins.HttpTimeout
import io.ktor.client.plugins.api.createClientPlugin
import io.ktor.http.HttpMethod

// As article 19 shows it.

class RetryBudget(private val share: Double) {
    private var left = 0.0

    @Synchronized
    fun earn() {
        left = minOf(left + share, 10.0)
    }

    @Synchronized
    fun pay(): Boolean = (left >= 1).also { if (it) left-- }
}

fun clientWith(budget: RetryBudget) = HttpClient(CIO) {
    install(createClientPlugin("Earn") { onRequest { _, _ -> budget.earn() } })
    install(HttpRequestRetry) {
        maxRetries = 3
        exponentialDelay(baseDelayMs = 100, randomizationMs = 100)
        // A GET alone: a POST that failed may have been carried out.
        retryIf { asked, answer -> asked.method == HttpMethod.Get && answer.status.value >= 500 && budget.pay() }
        retryOnExceptionIf { asked, _ -> asked.method == HttpMethod.Get && budget.pay() }
    }
    // Behind the retries, so that it is for each attempt.
    install(HttpTimeout) { requestTimeoutMillis = 500 }
}
