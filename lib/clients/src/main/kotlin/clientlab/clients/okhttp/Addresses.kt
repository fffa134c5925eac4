package clientlab.clients.okhttp

import clientlab.client.*
import okhttp3.Dns
import java.net.InetAddress
import java.net.URI
import java.util.concurrent.atomic.AtomicInteger

/** The addresses of requests: the server's own name, or [HOSTS] names in turn. Safe for concurrent use. */
internal class Addresses(private val conditions: Conditions, attempt: OkHttpAttempt? = null) {
    private val manyNames = attempt == OkHttpAttempt.Hosts
    private val next = AtomicInteger()

    /** The whole address of [path]. */
    fun of(path: String): String {
        val base = conditions.baseUrl
        val named = if (manyNames) URI("${base.scheme}://host-${next.getAndIncrement() % HOSTS}.test:${base.port}") else base
        return named.resolve(path).toString()
    }
}

/** Gives every name the address of [host], without a name server. */
internal class SameHost(private val host: String) : Dns {
    override fun lookup(hostname: String): List<InetAddress> = InetAddress.getAllByName(host).toList()
}
