package clientlab.clients

import clientlab.client.*
import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.withClue
import io.kotest.matchers.longs.shouldBeBetween
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.abort
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource
import org.junit.jupiter.params.provider.ValueSource
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import kotlin.time.Duration.Companion.seconds

/**
 * Answers that a caller reads slowly, in part, not at all or into one array, and texts that it sends. After each answer the session
 * carries another request.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadingTest {
    private val threads: ExecutorService = Executors.newCachedThreadPool()
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0).apply {
        executor = threads
        createContext("/") { exchange ->
            exchange.sendResponseHeaders(200, BYTES)
            runCatching { exchange.responseBody.use { it.write(ByteArray(BYTES.toInt())) } }
        }
        createContext("/echo") { exchange ->
            val body = exchange.requestBody.readAllBytes()
            exchange.sendResponseHeaders(200, body.size.toLong())
            exchange.responseBody.use { it.write(body) }
        }
        start()
    }

    @AfterAll
    fun stop() {
        server.stop(0)
        threads.shutdownNow()
    }

    @ParameterizedTest(name = "{0} reads the first piece")
    @MethodSource("opened")
    fun part(id: String) = read(id, Reading.Part) { it.shouldBeBetween(1, BYTES - 1) }

    @ParameterizedTest(name = "{0} reads nothing")
    @MethodSource("opened")
    fun unread(id: String) = read(id, Reading.Unread) { it shouldBe 0 }

    @ParameterizedTest(name = "{0} reads slowly, to the end")
    @MethodSource("opened")
    fun slowly(id: String) {
        val began = System.nanoTime()
        read(id, Reading.Slowly) { it shouldBe BYTES }
        // At least one piece with a pause behind it.
        (System.nanoTime() - began) / 1_000_000 shouldBeGreaterThan 100
    }

    @ParameterizedTest(name = "{0} reads all into one array")
    @MethodSource("opened")
    fun inMemory(id: String) = read(id, Reading.InMemory) { it shouldBe BYTES }

    @ParameterizedTest(name = "{0} sends a text in UTF-8")
    @ValueSource(strings = ["okhttp", "ktor-okhttp", "ktor-cio", "ktor-java", "ktor-apache5", "jdk", "jdk-blocking"])
    fun text(id: String) {
        open(id).use { it.sendInTime(Request("/echo", method = "POST", text = "é".repeat(1_000))).bytes shouldBe 2_000 }
    }

    private fun open(id: String): Session {
        val conditions = Conditions(URI("http://127.0.0.1:${server.address.port}"), inFlight = 2)
        return Catalogue().entries.single { it.info.id == id }.create().open(conditions)
    }

    private fun read(id: String, reading: Reading, check: (Long) -> Unit) {
        open(id).use { session ->
            val reply = try {
                session.sendInTime(Request("/", large = true, reading = reading))
            } catch (unsupported: UnsupportedRequest) {
                return abort("$id: ${unsupported.message}")
            }
            withClue(reply) {
                reply.status shouldBe 200
                check(reply.bytes ?: -1)
            }
            session.sendInTime(Request("/", large = true)).bytes shouldBe BYTES
        }
    }

    private fun Session.sendInTime(request: Request): Reply = runBlocking { withTimeout(PATIENCE) { send(request) } }

    private companion object {
        const val BYTES = 100_000L
        val PATIENCE = 20.seconds

        @JvmStatic
        fun opened(): List<String> = TestedClients.opened
    }
}
