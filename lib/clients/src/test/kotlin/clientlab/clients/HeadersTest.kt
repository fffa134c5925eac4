package clientlab.clients

import clientlab.client.*
import com.sun.net.httpserver.HttpServer
import io.kotest.matchers.collections.shouldContain
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.util.concurrent.CopyOnWriteArrayList

class HeadersTest {
    private val seen = CopyOnWriteArrayList<String>()
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0).apply {
        createContext("/") { exchange ->
            seen += exchange.requestHeaders.getFirst("Authorization").orEmpty()
            exchange.sendResponseHeaders(200, 2)
            exchange.responseBody.use { it.write("ok".toByteArray()) }
        }
        start()
    }

    @AfterEach
    fun close() = server.stop(0)

    @TestFactory
    fun `what a caller adds to a request reaches the server`(): List<DynamicTest> =
        Catalogue().entries.map { entry ->
            dynamicTest(entry.info.id) {
                entry.create().open(Conditions(URI("http://127.0.0.1:${server.address.port}"), 1)).use { session ->
                    runBlocking { session.send(Request("/", headers = mapOf("Authorization" to "Bearer ${entry.info.id}"))) }
                }
                seen shouldContain "Bearer ${entry.info.id}"
            }
        }
}
