package clientlab.server

import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.net.URI
import java.net.http.HttpClient
import java.net.http.WebSocket
import java.nio.ByteBuffer
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.seconds

/** WebSockets, asked for by the JDK's client. */
@Timeout(120)
class WebSocketTest {
    @AutoClose
    private val server = RunningServer(ServerSettings(maxDelay = 5.seconds))

    @AutoClose
    private val client: HttpClient = HttpClient.newHttpClient()

    /** What a client is told, in order: messages, pongs, and the status of the end. */
    private class Heard : WebSocket.Listener {
        val messages = LinkedBlockingQueue<String>()
        val pongs = LinkedBlockingQueue<String>()
        val closed = CompletableFuture<Int>()
        private val parts = StringBuilder()

        override fun onText(socket: WebSocket, data: CharSequence, last: Boolean): CompletionStage<*>? {
            parts.append(data)
            if (last) {
                messages += parts.toString()
                parts.clear()
            }
            socket.request(1)
            return null
        }

        override fun onPong(socket: WebSocket, message: ByteBuffer): CompletionStage<*>? {
            pongs += Charsets.UTF_8.decode(message).toString()
            socket.request(1)
            return null
        }

        override fun onClose(socket: WebSocket, statusCode: Int, reason: String): CompletionStage<*>? {
            closed.complete(statusCode)
            return null
        }

        override fun onError(socket: WebSocket, error: Throwable) {
            closed.completeExceptionally(error)
        }
    }

    private fun open(path: String, heard: Heard): WebSocket =
        client.newWebSocketBuilder().buildAsync(URI("ws://127.0.0.1:${server.port}$path"), heard).within()

    @Test
    fun `each event is a message, none comes before its time, and the last one is followed by a close`() {
        val heard = Heard()
        val start = System.nanoTime()
        open("/socket?every=0.1&events=3&size=40", heard)
        heard.closed.within() shouldBe 1000
        (System.nanoTime() - start >= 200_000_000) shouldBe true
        heard.messages.toList() shouldContainExactly (0..2).map { "id: 000000000$it\ndata: ${"x".repeat(17)}\n\n" }
        val seen = server.evidenceWhere { it.inFlight == 0 && it.connectionsOpen == 0 }
        listOf(seen.onPurpose.otherStatus, seen.answeredEarly, seen.abandoned, seen.bytesSent) shouldContainExactly listOf(1, 0, 0, 120)
    }

    @ParameterizedTest
    @ValueSource(ints = [23, 125, 126, 1_000, 65_535, 65_536])
    fun `a message may be of any size`(size: Int) {
        val heard = Heard()
        open("/socket?every=0&events=10&size=$size", heard)
        heard.closed.within() shouldBe 1000
        heard.messages.map { it.length } shouldContainExactly List(10) { size }
    }

    @Test
    fun `a ping is answered while messages come`() {
        val heard = Heard()
        val socket = open("/socket?every=5", heard)
        socket.sendPing(ByteBuffer.wrap("still there?".encodeToByteArray())).within()
        heard.pongs.poll(60, TimeUnit.SECONDS) shouldBe "still there?"
        server.evidence().inFlight shouldBe 1
        socket.abort()
        server.evidenceWhere { it.inFlight == 0 }.abandonedByClient shouldBe 1
    }

    @Test
    fun `a client may close, and is answered`() {
        val heard = Heard()
        val socket = open("/socket?every=5", heard)
        server.awaitInFlight(1)
        socket.sendText("nobody answers this", true).within()
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").within()
        heard.closed.within() shouldBe 1000
        server.evidenceWhere { it.inFlight == 0 && it.connectionsOpen == 0 }.abandonedByClient shouldBe 1
    }

    @Test
    fun `who asks for no WebSocket is told how to`() {
        val plain = server.get("/socket")
        plain.statusCode() shouldBe 426
        plain.body() shouldBe "/socket opens a WebSocket: ask for one with upgrade: websocket, in HTTP/1.1.\n"
        plain.headers().firstValue("upgrade").get() shouldBe "websocket"
        val old = server
            .connect()
            .sendRequest(
                "/socket",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Version: 8",
            ).readAnswer()
        old.status shouldContain "426"
        old.headers shouldContain "sec-websocket-version: 13"
        old.body shouldEndWith "give sec-websocket-key and sec-websocket-version: 13.\n"
        server.connectHttpTwo().request(1, "/socket").nextAnswer().status shouldBe "426"
        server.connect().sendRequest("/delay?a=1", "Upgrade: websocket", "Connection: Upgrade").readAnswer().body shouldBe
            "delayed 0 s, a=1\n"
    }

    @Test
    fun `a WebSocket that cannot be is refused in a sentence`() {
        val answer = server.connect().sendRequest(
            "/socket?events=0",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: eA==",
        )
        answer.readAnswer().body shouldBe "events=0 cannot be: give a whole number from 1 to 2147483648, or leave it out.\n"
    }
}
