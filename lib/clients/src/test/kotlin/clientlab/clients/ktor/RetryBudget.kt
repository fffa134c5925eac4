package clientlab.clients.ktor

import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.plugins.HttpRequestRetry
import io.ktor.client.plugins.HttpTimeout
import io.ktor.client.plugins.api.createClientPlugin

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
        retryIf { _, answer -> answer.status.value >= 500 && budget.pay() }
        retryOnExceptionIf { _, _ -> budget.pay() }
    }
    // Behind the retries, so that it is for each attempt.
    install(HttpTimeout) { requestTimeoutMillis = 500 }
}
