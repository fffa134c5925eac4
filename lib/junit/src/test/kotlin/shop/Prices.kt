package shop

import okhttp3.Call
import okhttp3.Callback
import okhttp3.Dispatcher
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.Response
import java.io.IOException
import java.time.Duration
import java.util.concurrent.CompletableFuture

/** A client of a service that is no part of the lab. Somebody has set its limit to 37, and forgotten that. */
class Prices(private val address: String, timeout: Duration = Duration.ofSeconds(10)) : AutoCloseable {
    private val client = OkHttpClient.Builder().dispatcher(Dispatcher().apply { maxRequestsPerHost = 37 }).callTimeout(timeout).build()

    fun of(article: Int): String = ask(Request.Builder().url("$address/price/$article").build())

    fun order(article: Int): String = ask(Request.Builder().url("$address/orders").post("$article".toRequestBody()).build())

    private fun ask(request: Request): String {
        val answer = CompletableFuture<String>()
        client.newCall(request).enqueue(
            object : Callback {
                override fun onFailure(call: Call, e: IOException) {
                    answer.completeExceptionally(e)
                }

                override fun onResponse(call: Call, response: Response) {
                    runCatching { response.use { it.body.string() } }.fold(answer::complete, answer::completeExceptionally)
                }
            },
        )
        return answer.get()
    }

    override fun close() {
        client.dispatcher.executorService.shutdown()
        client.connectionPool.evictAll()
    }
}
