package clientlab.wire

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.encodeToString
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.net.ConnectException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.SocketException
import java.net.SocketTimeoutException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.ByteBuffer
import java.nio.channels.SocketChannel
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.concurrent.thread
import kotlin.random.Random
import kotlin.time.TimeSource

/** A real client and a real server, with the relay between them. The server sends back what it gets, and ends when it gets the end. */
class RelayTest {
    private val server = EchoServer()
    private val relay = Relay(server.address)
    private val ends = relay.start()
    private val sockets = ArrayList<Socket>()

    @AfterEach
    fun `everything ends`() {
        sockets.forEach { it.close() }
        relay.close()
        server.close()
        shouldThrow<ConnectException> { Socket(ends.host, ends.port) }
    }

    private fun client(): Socket = Socket(ends.host, ends.port).also {
        it.soTimeout = PATIENCE_MS
        sockets += it
    }

    private fun Socket.say(text: String) = getOutputStream().write(text.encodeToByteArray())

    private fun Socket.hear(bytes: Int): String = getInputStream().readNBytes(bytes).decodeToString()

    private fun Socket.hearsNothing(ms: Int) {
        soTimeout = ms
        shouldThrow<SocketTimeoutException> { getInputStream().read() }
        soTimeout = PATIENCE_MS
    }

    @Test
    fun `a megabyte comes back as it was sent, and both ends are passed on`() {
        val sent = Random(1).nextBytes(1 shl 20)
        val client = client()
        val writer = thread {
            client.getOutputStream().write(sent)
            client.shutdownOutput()
        }
        client.getInputStream().readAllBytes() shouldBe sent
        writer.join()
        val seen = relay.seen.single()
        seen.bytesToServer shouldBe sent.size
        seen.bytesToClient shouldBe sent.size
        seen.end shouldBe "client"
    }

    @Test
    fun `each question takes a round trip, and the first one more for the connection`() {
        relay.wire = Wire(rttMs = 40.0)
        val client = client()
        val begun = TimeSource.Monotonic.markNow()
        repeat(3) {
            client.say("hello")
            client.hear(5) shouldBe "hello"
        }
        begun.elapsedNow().inWholeMicroseconds / 1e3 shouldBeGreaterThanOrEqual 4 * 40.0 - CONNECTING_MS
        relay.seen.single().requests shouldBe 3
    }

    @Test
    fun `the bandwidth holds in both directions`() {
        relay.wire = Wire(bytesPerSecond = 100_000)
        val client = client()
        val begun = TimeSource.Monotonic.markNow()
        client.getOutputStream().write(ByteArray(20_000))
        client.getInputStream().readNBytes(20_000).size shouldBe 20_000
        // Up and down overlap piece by piece, so it takes a fifth of a second at least.
        begun.elapsedNow().inWholeMicroseconds / 1e3 shouldBeGreaterThanOrEqual 200.0
    }

    @Test
    fun `a pause holds everything back, and its end lets it go`() {
        val client = client()
        client.say("a")
        client.hear(1) shouldBe "a"
        relay.wire = Wire(paused = true)
        client.say("b")
        client.hearsNothing(200)
        relay.wire = Wire()
        client.hear(1) shouldBe "b"
    }

    @Test
    fun `what a pause holds back is bounded, and then the sender has to wait`() {
        relay.wire = Wire(paused = true)
        SocketChannel.open(InetSocketAddress(ends.host, ends.port)).use { channel ->
            channel.configureBlocking(false)
            val block = ByteBuffer.allocate(1 shl 16)
            var sent = 0L
            var refused = 0
            while (refused < 20 && sent < 64L shl 20) {
                val taken = channel.write(block.clear())
                sent += taken
                if (taken == 0) Thread.sleep(10).also { refused++ } else refused = 0
            }
            // Eight MiB in the relay, and what the system holds for both ends.
            sent shouldBeLessThan (48L shl 20)
        }
    }

    @Test
    fun `in silence nothing arrives and nothing is closed, for good where something was lost`() {
        val lost = client()
        lost.say("a")
        lost.hear(1) shouldBe "a"
        relay.wire = Wire(silent = true)
        lost.say("b")
        server.closeAll()
        lost.hearsNothing(200)
        relay.wire = Wire()
        lost.say("c")
        lost.hearsNothing(200)
        client().let {
            it.say("new")
            it.hear(3) shouldBe "new"
        }
    }

    @Test
    fun `a lost end of the server leaves the client with half a connection`() {
        relay.wire = Wire(losesServerClose = true)
        val client = client()
        client.say("a")
        client.hear(1) shouldBe "a"
        server.closeAll()
        client.hearsNothing(200)
        client.say("b")
        client.hearsNothing(200)
        relay.seen.single().end shouldBe "server"
    }

    @Test
    fun `a connection is reset after exactly so many bytes`() {
        relay.wire = Wire(resetAfterBytes = 7)
        val client = client()
        client.say("0123456789")
        client.hear(7) shouldBe "0123456"
        shouldThrow<SocketException> { client.getInputStream().read() }.message.shouldNotBeNull() shouldContain "reset"
        relay.seen.single().let { it.end to it.bytesToClient } shouldBe ("reset" to 7L)
    }

    @Test
    fun `a connection carries so many requests, and is closed with the next`() {
        relay.wire = Wire(requestsPerConnection = 2)
        val client = client()
        repeat(2) {
            client.say("x")
            client.hear(1) shouldBe "x"
        }
        client.say("x")
        client.getInputStream().read() shouldBe -1
        relay.seen.single().let { it.end to it.requests } shouldBe ("lost" to 2)
    }

    @Test
    fun `all connections can be reset at once`() {
        val clients = List(3) { client().apply { say("x") } }
        clients.forEach { it.hear(1) shouldBe "x" }
        relay.reset()
        clients.forEach { shouldThrow<SocketException> { it.getInputStream().read() } }
        relay.seen.map { it.end } shouldBe List(3) { "reset" }
    }

    @Test
    fun `a reset ends a dead connection at the server that its client has left`() {
        val client = client()
        client.say("a")
        client.hear(1) shouldBe "a"
        relay.wire = Wire(silent = true)
        client.say("b")
        client.setSoLinger(true, 0)
        client.close()
        Thread.sleep(200)
        server.connections shouldBe 1
        relay.reset()
        repeat(200) { if (server.connections > 0) Thread.sleep(10) }
        server.connections shouldBe 0
        relay.seen.single().end shouldBe "reset"
    }

    @Test
    fun `nobody answers on the dead port`() {
        val dead = ends.deadPort ?: return
        Socket().use { shouldThrow<SocketTimeoutException> { it.connect(InetSocketAddress(ends.host, dead), 300) } }
    }

    @Test
    fun `a server that is not there resets the client`() {
        server.close()
        val client = client()
        runCatching { client.getInputStream().read() }.fold({ it }, { "reset" }) shouldBeIn listOf("reset", -1)
    }

    @Test
    fun `over the control port the wire is read and changed, and mistakes get a sentence`() {
        control("GET", "/health") shouldBe (200 to "ok")
        val asked = Wire(rttMs = 10.0, resetAfterBytes = 5)
        control("POST", "/wire", WIRE_JSON.encodeToString(asked)).first shouldBe 200
        relay.wire shouldBe asked
        WIRE_JSON.decodeFromString<Wire>(control("GET", "/wire").second) shouldBe asked
        control("POST", "/wire", """{"rttMs": -1}""") shouldBe (400 to "rttMs is -1.0: a round trip takes 0 to 60000 ms.")
        control("POST", "/wire", """{"rtt": 1}""").second shouldContain "This is no wire: "
        control("GET", "/reset") shouldBe (405 to "/reset takes POST.")
        control("GET", "/nothing").second shouldContain "/wire"
        relay.wire shouldBe asked
        control("POST", "/shutdown").first shouldBe 200
        relay.awaitClose()
    }

    private fun control(method: String, path: String, body: String = ""): Pair<Int, String> {
        val request = HttpRequest.newBuilder(URI("http://${ends.host}:${ends.controlPort}$path"))
        val sent = request.method(method, HttpRequest.BodyPublishers.ofString(body)).build()
        return HttpClient.newHttpClient().use { http ->
            http.send(sent, HttpResponse.BodyHandlers.ofString()).let { it.statusCode() to it.body().trim() }
        }
    }

    private companion object {
        const val PATIENCE_MS = 10_000

        /** The relay counts from when it took the connection, which is a little before the first question. */
        const val CONNECTING_MS = 5.0
    }
}

/** Sends back what it gets. */
internal class EchoServer : AutoCloseable {
    private val listening = ServerSocket(0, 50, InetAddress.getLoopbackAddress())
    private val open = ConcurrentLinkedQueue<Socket>()
    val address: InetSocketAddress get() = listening.localSocketAddress as InetSocketAddress

    init {
        thread(isDaemon = true, name = "echo") {
            while (true) {
                val socket = runCatching { listening.accept() }.getOrNull() ?: break
                open += socket
                thread(isDaemon = true, name = "echo-connection") {
                    runCatching { socket.use { it.getInputStream().transferTo(it.getOutputStream()) } }
                }
            }
        }
    }

    /** Those that are open. */
    val connections: Int get() = open.count { !it.isClosed }

    fun closeAll() = open.forEach { it.close() }

    override fun close() {
        listening.close()
        closeAll()
    }
}
