package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.zip.CRC32
import kotlin.time.Duration.Companion.seconds

/** What a client carries: bodies in both directions, and answers other than 200. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransferTest {
    private val executor: ExecutorService = Executors.newCachedThreadPool()
    private val server: HttpServer = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
    private val answer = ByteArray(300_000) { (it % 251).toByte() }

    @BeforeAll
    fun start() {
        server.executor = executor
        server.createContext("/size") { exchange ->
            val size = exchange.requestBody.use { body -> body.readAllBytes().also { bytes -> check(bytes.all { it == 0.toByte() }) } }.size
            val text = "${exchange.requestMethod} $size".encodeToByteArray()
            exchange.sendResponseHeaders(200, text.size.toLong())
            exchange.responseBody.use { it.write(text) }
        }
        server.createContext("/missing") { exchange ->
            exchange.sendResponseHeaders(404, answer.size.toLong())
            exchange.responseBody.use { it.write(answer) }
        }
        server.start()
    }

    @AfterAll
    fun stop() {
        server.stop(0)
        executor.shutdownNow()
    }

    @ParameterizedTest(name = "{0} sends bodies of the size it is asked for, one after the other")
    @MethodSource("opened")
    fun sends(id: String) {
        val request = Request("/size", method = "POST", bodyBytes = 100_000, checksum = true)
        val expected = "POST 100000".encodeToByteArray()
        val reply = Reply(200, expected.size.toLong(), "http/1.1", crcOf(expected))
        open(id, Protocol.Http1).use { session ->
            runBlocking { List(3) { withTimeout(PATIENCE) { session.send(request) } } } shouldBe List(3) { reply }
        }
    }

    @Test
    fun `a body of zeros that was read to its end stays there, however often it is asked`() {
        val body = ZeroStream(2)
        List(4) { body.read() } shouldBe listOf(0, 0, -1, -1)
        body.available() shouldBe 0
    }

    @ParameterizedTest(name = "{0} gives a 404 back as a reply, with all of its body")
    @MethodSource("opened")
    fun replies(id: String) {
        send(id, Request("/missing", checksum = true)) shouldBe Reply(404, answer.size.toLong(), "http/1.1", crcOf(answer))
    }

    @ParameterizedTest(name = "{0} says in one sentence that it does not speak h2c", allowZeroInvocations = true)
    @MethodSource("ofHttp1")
    fun refuses(id: String) {
        val refused = shouldThrow<IllegalArgumentException> { open(id, Protocol.H2c) }
        refused.message shouldContain "HTTP/1.1 alone, not h2c: leave it out"
    }

    private fun send(id: String, request: Request): Reply =
        open(id, Protocol.Http1).use { session -> runBlocking { session.send(request) } }

    private fun open(id: String, protocol: Protocol) =
        Catalogue().entries.single { it.info.id == id }.create().open(
            Conditions(URI("http://127.0.0.1:${server.address.port}"), inFlight = 2, protocol = protocol),
        )

    private fun crcOf(bytes: ByteArray): Long = CRC32().also { it.update(bytes) }.value

    private companion object {
        val PATIENCE = 20.seconds

        @JvmStatic
        fun opened(): List<String> = TestedClients.opened

        /** Those that declare HTTP/1.1 alone. */
        @JvmStatic
        fun ofHttp1(): List<String> = opened().filter { Protocol.H2c !in info(it).protocols }
    }
}
