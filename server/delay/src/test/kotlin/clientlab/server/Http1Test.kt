package clientlab.server

import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

@Timeout(120)
class Http1Test {
    @AutoClose
    private val server = RunningServer()

    @Test
    fun `pipelined requests are answered in the order in which they came`() {
        val connection = server.connect()
        val paths = listOf("/delay?delay=0.2&a=1", "/delay?delay=0&a=2", "/health", "/delay?delay=-1")
        connection.send(paths.joinToString("") { "GET $it HTTP/1.1\r\nHost: localhost\r\n\r\n" })
        connection.readAnswer().body shouldBe "delayed 0.2 s, a=1\n"
        connection.readAnswer().body shouldBe "delayed 0 s, a=2\n"
        connection.readAnswer().body shouldBe "ok\n"
        connection.readAnswer().status shouldBe "HTTP/1.1 400 Bad Request"
        val seen = server.evidence()
        seen.peakInFlight shouldBe 4
        seen.inFlight shouldBe 0
        seen.answeredEarly shouldBe 0
        seen.connectionsOpened shouldBe 1
    }

    @Test
    fun `a connection is kept open until the client asks for its end`() {
        val connection = server.connect()
        connection.sendRequest("/health").readAnswer().headers shouldNotContain "connection: close"
        connection.sendRequest("/health", "Connection: close").readAnswer().headers shouldContain "connection: close"
        connection.isAtEnd() shouldBe true
        server.evidenceWhere { it.connectionsOpen == 0 }.connectionsOpened shouldBe 1
    }

    @Test
    fun `HTTP 1_0 is answered, and its connection kept only where asked`() {
        val connection = server.connect()
        connection.send("GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").readAnswer().headers shouldContain
            "connection: keep-alive"
        connection.send("GET /health HTTP/1.0\r\n\r\n").readAnswer().body shouldBe "ok\n"
        connection.isAtEnd() shouldBe true
        server.evidence().requestsByProtocol shouldContainExactly mapOf("http/1.0" to 2L)
    }

    @Test
    fun `a client that goes before its answer is counted, and its timer is gone`() {
        val connection = server.connect().sendRequest("/delay?delay=60").sendRequest("/delay?delay=60")
        server.awaitInFlight(2)
        connection.close()
        val seen = server.evidenceWhere { it.inFlight == 0 }
        seen.abandoned shouldBe 2
        seen.answered shouldBe 0
        seen.arrived shouldBe 2
    }

    @Test
    fun `a client that goes in the midst of a head has asked nothing`() {
        server.connect().send("GET /delay?delay=1 HTTP/1.1\r\nHost: loc").close()
        val seen = server.evidenceWhere { it.connectionsOpened == 1L && it.connectionsOpen == 0 }
        seen.arrived shouldBe 0
        seen.abandoned shouldBe 0
    }

    @ParameterizedTest
    @ValueSource(
        strings = [
            "GARBAGE\r\n\r\n", "\u0016\u0003\u0001 a TLS greeting\r\n\r\n", "GET /health HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            "GET /health HTTP/1.1\r\nno colon\r\n\r\n",
        ],
    )
    fun `what is not HTTP is answered 400, and the server lives`(text: String) {
        val connection = server.connect().send(text)
        connection.readAnswer().status shouldBe "HTTP/1.1 400 Bad Request"
        connection.isAtEnd() shouldBe true
        server.get("/health").statusCode() shouldBe 200
        server.evidence().requestsByProtocol["malformed"] shouldBe 1
    }

    @Test
    fun `lines and headers beyond their limits are refused`() {
        server
            .connect()
            .sendRequest("/delay?a=" + "x".repeat(10_000))
            .readAnswer()
            .status shouldBe "HTTP/1.1 414 Request-URI Too Long"
        server
            .connect()
            .sendRequest("/delay", "X: " + "x".repeat(20_000))
            .readAnswer()
            .status shouldBe
            "HTTP/1.1 431 Request Header Fields Too Large"
    }

    @Test
    fun `what only begins like the preface of HTTP 2 is answered 505`() {
        server
            .connect()
            .send("PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n")
            .readAnswer()
            .status shouldBe "HTTP/1.1 505 HTTP Version Not Supported"
    }

    @Test
    fun `a body in chunks is read to its end before the delay begins`() {
        val connection = server.connect().send(
            "POST /delay?delay=0.001 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        )
        server.evidenceWhere { it.connectionsOpen == 1 }.arrived shouldBe 0
        connection.send("0\r\n\r\n").readAnswer().status shouldBe "HTTP/1.1 200 OK"
        server.evidence().arrived shouldBe 1
    }

    @Test
    fun `a client that asks before it sends a body is told to go on`() {
        val connection = server.connect().send("POST /health HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        connection.readLine() shouldBe "HTTP/1.1 100 Continue"
        connection.readLine() shouldBe ""
        connection.send("ab").readAnswer().body shouldBe "ok\n"
    }
}
