package sample

import io.ktor.client.HttpClient
import io.ktor.client.engine.okhttp.OkHttp
import io.ktor.client.request.get
import io.ktor.client.statement.bodyAsText
import io.ktor.server.application.Application
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import okhttp3.Dispatcher
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors

/** A service that knows nothing of the lab, with a limit that somebody has forgotten. */
class Prices(private val address: String) {
    private val client = HttpClient(OkHttp) {
        engine {
            config {
                dispatcher(
                    Dispatcher().apply {
                        maxRequests = 500
                        maxRequestsPerHost = 37
                    },
                )
            }
        }
    }

    suspend fun of(article: String): String = client.get("$address/$article").bodyAsText()
}

fun Application.shop(prices: Prices) {
    routing {
        get("/price/{article}") { call.respondText(prices.of(call.parameters["article"]!!)) }
    }
}

/** Virtual threads that wait for what never comes. */
object Parked {
    private val never = CountDownLatch(1)

    fun start(count: Int) {
        val executor = Executors.newVirtualThreadPerTaskExecutor()
        repeat(count) { executor.execute(::await) }
    }

    private fun await() = never.await()
}

/** Its port, and the address of the service behind it. */
fun main(args: Array<String>) {
    val (port, behind) = args
    Parked.start(50)
    embeddedServer(Netty, port = port.toInt()) { shop(Prices(behind)) }.start(wait = true)
}
