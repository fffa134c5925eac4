package clientlab.server

import clientlab.server.evidence.*
import clientlab.server.http2.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import kotlin.time.Duration.Companion.milliseconds

/** What a request may ask to go wrong, or slowly, in HTTP/2. */
@Timeout(120)
class Http2FaultsTest {
    @AutoClose
    private val server = RunningServer(ServerSettings(maxDelay = 1500.milliseconds))

    @Test
    fun `a slow body comes slowly, and does not hold up the other streams`() {
        val connection = server.connectHttpTwo()
        val start = System.nanoTime()
        connection.request(1, "/bytes/1000?over=0.5").request(3, "/delay?delay=0.01")
        connection.nextAnswer().stream shouldBe 3
        connection.nextAnswer().body.size() shouldBe 1_000
        System.nanoTime() - start shouldBeGreaterThanOrEqual 500_000_000
        val seen = server.evidence()
        listOf(seen.answeredOk, seen.answeredEarly, seen.bytesSent) shouldContainExactly listOf(2, 0, 1_000 + 15)
    }

    @Test
    fun `a stream is reset before, in and behind its answer, and the connection goes on`() {
        val connection = server.connectHttpTwo()
        connection.request(1, "/delay?delay=0.01&fault=reset").nextAnswer().run {
            listOf(status, reset) shouldContainExactly listOf("", RawHttp2.INTERNAL_ERROR)
        }
        connection.request(3, "/bytes/100?fault=reset&at=half").nextAnswer().run {
            listOf(status, reset, body.size()) shouldContainExactly listOf("200", RawHttp2.INTERNAL_ERROR, 50)
        }
        connection.request(5, "/bytes/100?fault=reset&at=after").nextAnswer().run {
            listOf(status, reset, body.size()) shouldContainExactly listOf("200", RawHttp2.INTERNAL_ERROR, 100)
        }
        connection.request(7, "/delay?fault=reset&at=after").nextAnswer().run {
            listOf(text, reset) shouldContainExactly listOf("delayed 0 s\n", RawHttp2.INTERNAL_ERROR)
        }
        connection.request(9, "/health").nextAnswer().text shouldBe "ok\n"
        val seen = server.evidence()
        seen.onPurpose shouldBe
            OnPurpose(closed = 0, reset = 2, stalled = 0, closedBehindAnswer = 0, resetBehindAnswer = 2, otherStatus = 0)
        listOf(seen.abandoned, seen.abandonedByClient, seen.streamErrors, seen.answered) shouldContainExactly listOf(2, 0, 0, 3)
        seen.inFlight shouldBe 0
    }

    @Test
    fun `very many streams that are to be reset are no attack`() {
        val connection = server.connectHttpTwo()
        repeat(FloodGuard.MOST + 500) {
            connection.request(2 * it + 1, "/delay?delay=0.001&fault=reset").nextAnswer().reset shouldBe
                RawHttp2.INTERNAL_ERROR
        }
        server.evidence().run { listOf(onPurpose.reset, connectionErrors) shouldContainExactly listOf(FloodGuard.MOST + 500L, 0L) }
    }

    @Test
    fun `a connection is closed with all its streams`() {
        val connection = server.connectHttpTwo()
        connection.request(1, "/delay?delay=1").request(3, "/bytes/100?cut=30").flush()
        val frames = generateSequence { connection.next() }.toList()
        frames.none { it.type == RawHttp2.GOAWAY || it.type == RawHttp2.RST_STREAM } shouldBe true
        frames.filter { it.type == RawHttp2.DATA }.sumOf { it.payload.size } shouldBe 30
        val seen = server.evidenceWhere { it.connectionsOpen == 0 }
        listOf(seen.onPurpose.closed, seen.abandoned, seen.inFlight.toLong()) shouldContainExactly listOf(2, 2, 0)
    }

    @Test
    fun `a connection is closed behind an answer in full`() {
        val connection = server.connectHttpTwo().request(1, "/delay?fault=close&at=after")
        connection.nextAnswer().text shouldBe "delayed 0 s\n"
        connection.isAtEnd() shouldBe true
        val seen = server.evidenceWhere { it.connectionsOpen == 0 }
        listOf(seen.onPurpose.closedBehindAnswer, seen.abandoned, seen.answered) shouldContainExactly listOf(1, 0, 1)
    }

    @Test
    fun `a stall is in flight until the longest delay is over, or the client goes`() {
        val connection = server.connectHttpTwo()
        connection.request(1, "/delay?fault=stall").request(3, "/bytes/10?fault=stall&at=half").flush()
        server.awaitInFlight(2)
        connection.reset(1).flush()
        server.evidenceWhere { it.inFlight == 1 }.onPurpose.stalled shouldBe 1
        connection.nextAnswer().run { listOf(stream, reset, body.size()) shouldContainExactly listOf(3, RawHttp2.CANCEL, 5) }
        server.evidenceWhere { it.inFlight == 0 }.onPurpose.stalled shouldBe 2
    }

    @Test
    fun `an answer that closes lets what is under way end, and takes nothing new`() {
        val connection = server.connectHttpTwo()
        connection.request(1, "/delay?delay=0.3").request(3, "/delay?close=1").flush()
        connection.nextAnswer().stream shouldBe 3
        connection.nextGoodbye() shouldBe RawHttp2.NO_ERROR
        connection.nextAnswer().text shouldBe "delayed 0.3 s\n"
        connection.isAtEnd() shouldBe true
        server.evidenceWhere { it.connectionsOpen == 0 }.abandoned shouldBe 0
    }

    @Test
    fun `one connection too many is told so on its first stream, and closed`() {
        RunningServer(ServerSettings(maxConnections = 1)).use { server ->
            server.connect().sendRequest("/health").readAnswer()
            val surplus = server.connectHttpTwo().request(1, "/delay?delay=60")
            surplus.nextGoodbye() shouldBe RawHttp2.NO_ERROR
            surplus.nextAnswer().status shouldBe "503"
            surplus.isAtEnd() shouldBe true
            val seen = server.evidenceWhere { it.connectionsOpen == 1 }
            listOf(seen.connectionsRefused, seen.rejected) shouldContainExactly listOf(1, 1)
        }
    }

    @Test
    fun `more requests a second than are taken are answered 429`() {
        RunningServer(ServerSettings(maxRate = 1)).use { server ->
            val connection = server.connectHttpTwo()
            connection.request(1, "/delay").nextAnswer().status shouldBe "200"
            connection.request(3, "/delay").nextAnswer().status shouldBe "429"
        }
    }
}
