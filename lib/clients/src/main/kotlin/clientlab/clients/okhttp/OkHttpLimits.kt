package clientlab.clients.okhttp

import clientlab.client.*
import okhttp3.ConnectionPool
import okhttp3.Dispatcher
import okhttp3.Dns
import okhttp3.OkHttpClient
import java.net.InetAddress
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit

/** Applies [attempt], whose reasons [OkHttpAttempt.words] gives, and reports events if [conditions] ask for them. */
internal fun OkHttpClient.Builder.set(attempt: OkHttpAttempt?, conditions: Conditions): OkHttpClient.Builder {
    conditions.events?.let { events -> eventListener(OkHttpEvents(events)) }
    return when (attempt) {
        null -> this
        OkHttpAttempt.Pool -> connectionPool(pool(conditions))
        OkHttpAttempt.Executor -> dispatcher(Dispatcher(Executors.newCachedThreadPool()))
        OkHttpAttempt.Requests -> connectionPool(pool(conditions)).dispatcher(opened(conditions))
        OkHttpAttempt.Hosts -> dns(SameHost(conditions.baseUrl.host))
    }
}

private fun opened(conditions: Conditions): Dispatcher {
    val dispatcher = Dispatcher(Executors.newCachedThreadPool())
    dispatcher.maxRequests = conditions.inFlight
    dispatcher.maxRequestsPerHost = conditions.inFlight
    return dispatcher
}

private fun pool(conditions: Conditions) = ConnectionPool(conditions.inFlight, KEEP_MINUTES, TimeUnit.MINUTES)

/** Gives every name the address of [host], without a name server. */
private class SameHost(private val host: String) : Dns {
    override fun lookup(hostname: String): List<InetAddress> = InetAddress.getAllByName(host).toList()
}

private const val KEEP_MINUTES = 5L
