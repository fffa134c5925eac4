package clientlab.clients.okhttp

import clientlab.client.*
import java.net.URI
import java.util.concurrent.atomic.AtomicInteger

/** The addresses of requests: the server's own name, or [HOSTS] names in turn. Safe for concurrent use. */
internal class Addresses(private val conditions: Conditions, attempt: OkHttpAttempt? = null) {
    private val names = if (attempt == OkHttpAttempt.Hosts) HOSTS else 0
    private val next = AtomicInteger()

    /** The whole address of [path]. */
    fun of(path: String): String {
        val base = conditions.baseUrl
        if (names == 0) return base.resolve(path).toString()
        return URI("${base.scheme}://host-${next.getAndIncrement() % names}.test:${base.port}").resolve(path).toString()
    }
}
