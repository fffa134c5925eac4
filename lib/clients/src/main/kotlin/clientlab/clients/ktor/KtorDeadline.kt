package clientlab.clients.ktor

import io.ktor.client.HttpClientConfig
import io.ktor.client.plugins.HttpClientPlugin
import io.ktor.client.plugins.HttpTimeout
import kotlin.time.Duration

/**
 * Ktor's plugin for time-outs of a request, in Ktor 3 and in Ktor 2.
 *
 * In Ktor 3 the plugin is a value, in Ktor 2 a companion object, so code compiled against one does not link with the other. This uses
 * Ktor 3's directly and finds Ktor 2's by name.
 */
internal object KtorDeadline {
    private val formerly: HttpClientPlugin<Any, *>? = formerPlugin()
    private val SETTERS = listOf("setRequestTimeoutMillis", "setConnectTimeoutMillis", "setSocketTimeoutMillis")

    /** Lets a whole request take at most [deadline], and a connect and a wait for the next bytes no more than that either. */
    fun install(client: HttpClientConfig<*>, deadline: Duration) {
        val most = deadline.inWholeMilliseconds
        if (formerly == null) {
            client.install(HttpTimeout) {
                requestTimeoutMillis = most
                connectTimeoutMillis = most
                socketTimeoutMillis = most
            }
        } else {
            client.install(formerly) {
                for (setter in SETTERS) javaClass.getMethod(setter, Long::class.javaObjectType).invoke(this, most)
            }
        }
    }

    @Suppress("UNCHECKED_CAST")
    private fun formerPlugin(): HttpClientPlugin<Any, *>? =
        runCatching { Class.forName("io.ktor.client.plugins.HttpTimeout").getField("Plugin").get(null) as HttpClientPlugin<Any, *> }
            .getOrNull()
}
