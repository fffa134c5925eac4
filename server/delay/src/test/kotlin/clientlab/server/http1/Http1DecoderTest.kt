package clientlab.server.http1

import clientlab.server.*
import clientlab.server.evidence.*
import clientlab.server.http2.*
import clientlab.server.net.*
import clientlab.server.page.*
import clientlab.server.request.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.netty.buffer.Unpooled
import io.netty.channel.embedded.EmbeddedChannel
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import kotlin.time.Duration.Companion.seconds

class Http1DecoderTest {
    private val settings = ServerSettings()
    private val routes = DataRoutes(60.seconds, describe = ::ServerDescription)
    private val port = DataPort(Admission(routes, ServerEvidence(), settings), settings)
    private val channel = EmbeddedChannel(DataInitializer(port, Http1Pipeline(port, Http2Pipeline(port))))

    @ParameterizedTest
    @ValueSource(strings = ["GET /health HTTP/1.1\r\n", "PUT /sink HTTP/1.1\r\n", "P", "PRIZE / HTTP/1.1\r\n", "PRI * HTTP/1.1\r\n"])
    fun `HTTP 1 stays alone in the pipeline where the first bytes are no preface, however they come`(text: String) {
        (if (text == "P") "POST /" else text).forEach { send("$it") }
        handlers() shouldContainExactly listOf(Http1Decoder::class, Http1Handler::class, DataConnection::class)
    }

    @Test
    fun `HTTP 2 stands alone in the pipeline as soon as its preface has come, however it comes`() {
        RawHttp2.PREFACE.dropLast(1).forEach { send("$it") }
        handlers() shouldContainExactly listOf(Http1Decoder::class, Http1Handler::class, DataConnection::class)
        send(RawHttp2.PREFACE.takeLast(1))
        handlers() shouldContainExactly listOf(Http2Handler::class, DataConnection::class)
    }

    @Test
    fun `what came with the first bytes is read`() {
        send("GET /delay?delay=60 HTTP/1.1\r\nHost: a\r\n\r\nGET /delay?delay=60 HTTP/1.1\r\nHost: a\r\n\r\n")
        port.evidence.inFlight shouldBe 2
    }

    private fun send(text: String) {
        channel.writeInbound(Unpooled.copiedBuffer(text, Charsets.ISO_8859_1))
    }

    private fun handlers() = channel.pipeline().map { it.value::class }
}
