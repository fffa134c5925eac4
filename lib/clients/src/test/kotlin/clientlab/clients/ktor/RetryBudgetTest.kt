package clientlab.clients.ktor

import com.sun.net.httpserver.HttpServer
import io.kotest.matchers.shouldBe
import io.ktor.client.request.request
import io.ktor.http.HttpMethod
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.atomic.AtomicInteger

/** The code that article 19 recommends, with Ktor itself. */
class RetryBudgetTest {
    /** How many requests a server sees in [calls] calls through a client with a budget of [share]; it answers [status], or never if that is null. */
    private fun seen(calls: Int, share: Double, status: Int?, method: HttpMethod = HttpMethod.Get): Int {
        val seen = AtomicInteger()
        val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
        server.createContext("/") { exchange ->
            seen.incrementAndGet()
            if (status != null) exchange.use { it.sendResponseHeaders(status, -1) }
        }
        server.start()
        try {
            clientWith(RetryBudget(share)).use { client ->
                runBlocking {
                    repeat(calls) {
                        runCatching {
                            client.request("http://127.0.0.1:${server.address.port}/") {
                                this.method =
                                    method
                            }
                        }
                    }
                }
            }
        } finally {
            server.stop(0)
        }
        return seen.get()
    }

    @Test
    fun `where all fail, one request in four is asked again with a budget of a quarter`() {
        seen(calls = 12, share = 0.25, status = 503) shouldBe 12 + 3
    }

    @Test
    fun `each attempt has a time-out of its own, and the budget is all there is`() {
        seen(calls = 2, share = 1.0, status = null) shouldBe 2 + 2
    }

    @Test
    fun `a POST is never sent again`() {
        seen(calls = 3, share = 1.0, status = 503, HttpMethod.Post) shouldBe 3
        seen(calls = 1, share = 1.0, status = null, HttpMethod.Post) shouldBe 1
    }

    @Test
    fun `where none fails, none is asked again`() {
        seen(calls = 12, share = 0.25, status = 200) shouldBe 12
    }
}
