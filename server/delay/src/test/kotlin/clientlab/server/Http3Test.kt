package clientlab.server

import clientlab.server.evidence.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import java.util.zip.CRC32
import kotlin.time.TimeSource

/** The server over QUIC, asked by Netty's own client. */
class Http3Test {
    private val server = DelayServer(ServerSettings(http3Port = 0))
    private val port = checkNotNull(server.start().http3Port)
    private val caller = Http3Caller(port)

    @AfterEach
    fun close() {
        caller.close()
        server.close()
    }

    private fun answer(path: String, method: String = "GET", body: ByteArray? = null) =
        caller.ask(path, method, body).get(PATIENCE_S, TimeUnit.SECONDS)

    /** The evidence, once [met]: the end of a stream reaches the server a little later than the client. */
    private fun evidence(met: (Evidence) -> Boolean): Evidence {
        val begun = TimeSource.Monotonic.markNow()
        while (true) {
            val seen = server.evidence()
            if (met(seen) || begun.elapsedNow().inWholeSeconds >= PATIENCE_S) return seen
            Thread.sleep(5)
        }
    }

    @Test
    fun `an answer waits for its delay, and is counted`() {
        val begun = TimeSource.Monotonic.markNow()
        val got = answer("/delay?delay=0.2&a=7")
        begun.elapsedNow().inWholeMilliseconds shouldBeGreaterThanOrEqual 200
        got.status shouldBe 200
        got.text shouldContain "delayed 0.2 s, a=7"
        got.headers["content-length"] shouldBe "${got.body.size}"
        evidence { it.answered == 1L }.run {
            requestsByProtocol shouldBe mapOf("h3" to 1L)
            listOf(arrived, answered, answeredOk, answeredEarly, connectionsOpened, tlsHandshakes) shouldBe listOf(1L, 1L, 1L, 0L, 1L, 1L)
            checkNotNull(overshootMs.max) shouldBeGreaterThanOrEqual 0.0
        }
    }

    @Test
    fun `many are in flight on one connection`() {
        List(MANY) { caller.ask("/delay?delay=3") }.forEach { it.get(PATIENCE_S, TimeUnit.SECONDS).status shouldBe 200 }
        evidence { it.answered == MANY.toLong() }.run {
            answered shouldBe MANY
            connectionsOpened shouldBe 1
            peakInFlight shouldBeGreaterThan MANY / 2
            connectionsByProtocol.getValue("h3").mostAtOnce shouldBe peakInFlight
            inFlight shouldBe 0
        }
    }

    @Test
    fun `a body of five megabytes comes whole, and one goes whole`() {
        val got = answer("/bytes/$LARGE")
        got.body.size shouldBe LARGE
        got.headers["x-crc32"] shouldBe "%08x".format(CRC32().apply { update(got.body) }.value)
        val sent = answer("/sink", "POST", got.body)
        sent.text shouldContain "\"bytes\":$LARGE"
        sent.text shouldContain got.headers.getValue("x-crc32")
        evidence { it.answered == 2L }.bytesReceived shouldBe LARGE
    }

    @Test
    fun `an answer without a body, and one with a status`() {
        answer("/status/204").run { status to body.size } shouldBe (204 to 0)
        answer("/status/503").status shouldBe 503
        answer("/nothing").status shouldBe 404
    }

    @Test
    fun `a stream is reset, and a connection closed, where a request asks for that`() {
        shouldThrow<ExecutionException> { answer("/delay?fault=reset") }
        answer("/delay").status shouldBe 200
        shouldThrow<ExecutionException> { answer("/bytes/100000?fault=reset&at=half") }
        shouldThrow<ExecutionException> { answer("/delay?fault=close") }
        evidence { it.onPurpose.closed == 1L }.run {
            listOf(onPurpose.reset, onPurpose.closed, abandonedByClient, inFlight.toLong()) shouldBe listOf(2L, 1L, 0L, 0L)
        }
    }

    @Test
    fun `requests of a connection that goes are abandoned`() {
        repeat(3) { caller.ask("/delay?delay=30") }
        evidence { it.inFlight == 3 }.inFlight shouldBe 3
        caller.close()
        evidence { it.connectionsOpen == 0 }.run {
            listOf(abandonedByClient, inFlight.toLong(), connectionsOpen.toLong()) shouldBe listOf(3L, 0L, 0L)
        }
    }

    @Test
    fun `a slow body comes in pieces`() {
        val begun = TimeSource.Monotonic.markNow()
        answer("/bytes/1000?over=0.3").body.size shouldBe 1_000
        begun.elapsedNow().inWholeMilliseconds shouldBeGreaterThanOrEqual 300
    }

    private companion object {
        const val PATIENCE_S = 30L
        const val MANY = 200
        const val LARGE = 5_000_000
    }
}
