package clientlab.clients.recipes

import okhttp3.ConnectionPool
import okhttp3.Dispatcher
import okhttp3.OkHttpClient
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.toJavaDuration

internal fun okHttp(atOnce: Int, deadline: Duration): OkHttpClient {
    val dispatcher = Dispatcher()
    // 64 by default, to all hosts together.
    dispatcher.maxRequests = atOnce
    // 5 by default. If you call several hosts, keep it below maxRequests, or one slow host takes every place.
    dispatcher.maxRequestsPerHost = atOnce
    // When you are done: dispatcher.executorService.shutdown() and connectionPool.evictAll(). Its threads keep a program alive for a minute.
    return OkHttpClient
        .Builder()
        .dispatcher(dispatcher)
        // It keeps 5 idle connections, so more calls at once connect again. 15 s suit a server that closes after 20 s.
        .connectionPool(ConnectionPool(atOnce, 15, TimeUnit.SECONDS))
        // None by default: a server that sends a byte now and then keeps the caller for ever.
        .callTimeout(deadline.toJavaDuration())
        .build()
}
