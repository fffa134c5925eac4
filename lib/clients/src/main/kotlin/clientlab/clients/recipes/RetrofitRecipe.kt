package clientlab.clients.recipes

import okhttp3.ConnectionPool
import okhttp3.Dispatcher
import okhttp3.OkHttpClient
import retrofit2.Retrofit
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.toJavaDuration

internal fun retrofit(baseUrl: String, atOnce: Int, deadline: Duration): Retrofit {
    val dispatcher = Dispatcher()
    // 64 by default, to all hosts together.
    dispatcher.maxRequests = atOnce
    // 5 by default. If you call several hosts, keep it below maxRequests, or one slow host takes every place.
    dispatcher.maxRequestsPerHost = atOnce
    // When you are done: dispatcher.executorService.shutdown() and connectionPool.evictAll(). Its threads keep a program alive for a minute.
    val client = OkHttpClient
        .Builder()
        .dispatcher(dispatcher)
        // It keeps 5 idle connections, so more calls at once connect again. 15 s suit a server that closes after 20 s.
        .connectionPool(ConnectionPool(atOnce, 15, TimeUnit.SECONDS))
        // None by default.
        .callTimeout(deadline.toJavaDuration())
        .build()
    return Retrofit
        .Builder()
        .baseUrl(baseUrl)
        .client(client)
        .build()
}
