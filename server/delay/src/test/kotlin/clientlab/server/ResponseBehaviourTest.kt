package clientlab.server

import clientlab.server.evidence.*
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.EnumSource
import org.junit.jupiter.params.provider.ValueSource
import java.io.ByteArrayInputStream
import java.net.SocketException
import java.util.zip.GZIPInputStream
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

@Timeout(120)
class ResponseBehaviourTest {
    @AutoClose
    private val server = RunningServer(ServerSettings(maxDelay = 5.seconds))

    private fun afterAnswered(n: Long): Evidence = server.evidenceWhere { it.answered + it.abandoned == n && it.inFlight == 0 }

    @ParameterizedTest
    @ValueSource(ints = [200, 201, 204, 205, 301, 304, 400, 401, 404, 405, 418, 429, 500, 503, 599])
    fun `every status can be asked for, and the connection goes on`(status: Int) {
        val connection = server.connect()
        connection.sendRequest("/status/$status?delay=0.01&a=1")
        val head = connection.readHead()
        val hasBody = status !in setOf(204, 205, 304)
        head.lines().first().split(' ')[1] shouldBe "$status"
        val length = head
            .lines()
            .find { it.startsWith("content-length: ") }
            ?.substringAfter(": ")
            ?.toInt() ?: 0
        (length > 0) shouldBe hasBody
        connection.readBytes(length).decodeToString() shouldEndWith
            if (!hasBody) {
                ""
            } else if (status == 200) {
                "delayed 0.01 s, a=1\n"
            } else {
                ", status $status, a=1\n"
            }
        connection.sendRequest("/health").readAnswer().body shouldBe "ok\n"
        val seen = server.evidence()
        seen.answeredOk shouldBe if (status == 200) 1 else 0
        seen.onPurpose.otherStatus shouldBe if (status == 200) 0 else 1
        seen.rejected shouldBe if (status >= 400) 1 else 0
        seen.answeredEarly shouldBe 0
    }

    @Test
    fun `a status brings the headers that belong to it`() {
        fun headers(status: Int) = server.connect().sendRequest("/delay?status=$status").readAnswer().headers
        headers(503) shouldContain "retry-after: 1"
        headers(302) shouldContain "location: /health"
        headers(401) shouldContain "www-authenticate: Basic realm=\"delay server\""
        server.connect().sendRequest("/status/204").readHead() shouldNotContain "content-length"
    }

    @Test
    fun `the head comes at once where only the first byte of the body is slow`() {
        val connection = server.connect()
        val start = System.nanoTime()
        connection.sendRequest("/delay?bodyDelay=0.5&a=1").readHead()
        server.evidence().inFlight shouldBe 1
        connection.readBytes("delayed 0 s, a=1\n".length).decodeToString() shouldBe "delayed 0 s, a=1\n"
        System.nanoTime() - start shouldBeGreaterThanOrEqual 500_000_000
        val seen = afterAnswered(1)
        listOf(seen.answeredOk, seen.answeredEarly, seen.bytesSent) shouldContainExactly listOf(1, 0, 17)
    }

    @ParameterizedTest
    @CsvSource(
        "rate=100, 50, 100",
        "over=0.5, 50, 100",
        "rate=4000, 2000, 4000",
        "rate=100&over=0.1, 50, 100",
        "rate=4000&over=0.5, 50, 100",
        "over=500ms, 300000, 600000",
    )
    fun `no byte of a slow body comes before its time`(query: String, length: Int, bytesASecond: Long) {
        val connection = server.connect()
        val start = System.nanoTime()
        connection.sendRequest("/bytes/$length?$query").readHead()
        repeat(length) { i ->
            connection.readBytes(1)
            val earliest = (i + 1) * 1_000_000_000L / bytesASecond
            System.nanoTime() - start shouldBeGreaterThanOrEqual earliest
        }
        val seen = afterAnswered(1)
        listOf(seen.answeredOk, seen.answeredEarly, seen.bytesSent) shouldContainExactly listOf(1, 0, length.toLong())
        seen.overshootMs.p50 shouldBe null
    }

    @Test
    fun `delay, pause and pace come one after the other, and what is asked behind them waits`() {
        val connection = server.connect()
        val start = System.nanoTime()
        connection.send(
            "GET /datetime?delay=0.1&bodyDelay=0.1&over=0.2&a=1 HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n",
        )
        connection.readAnswer().body shouldEndWith "}\n"
        System.nanoTime() - start shouldBeGreaterThanOrEqual 400_000_000
        connection.readAnswer().body shouldBe "ok\n"
        afterAnswered(2).answeredEarly shouldBe 0
    }

    @Test
    fun `many slow bodies are given at once, by one timer each`() {
        val connections = List(100) { server.connect().sendRequest("/bytes/100?over=4&a=$it") }
        server.awaitInFlight(100)
        connections.forEach { it.readAnswer().body.length shouldBe 100 }
        val seen = afterAnswered(100)
        listOf(seen.answeredOk, seen.answeredEarly, seen.bytesSent) shouldContainExactly listOf(100, 0, 10_000)
    }

    @ParameterizedTest
    @ValueSource(
        strings = ["/delay?gzip=1&a=x", "/bytes/65536?gzip=1", "/bytes/0?gzip=1", "/datetime?gzip=1", "/delay?gzip=1&rate=1000&status=500"],
    )
    fun `a body is compressed where that is asked for`(path: String) {
        val connection = server.connect().sendRequest(path)
        val head = connection.readHead().lines()
        head shouldContain "content-encoding: gzip"
        val packed = connection.readBytes(head.first { it.startsWith("content-length: ") }.substringAfter(": ").toInt())
        val plain = GZIPInputStream(ByteArrayInputStream(packed)).readBytes()
        when {
            path.startsWith("/bytes") -> plain.size shouldBe path.substringAfter("/bytes/").substringBefore('?').toInt()
            path.startsWith("/delay") -> plain.decodeToString() shouldEndWith "\n"
            else -> plain.decodeToString() shouldEndWith "}\n"
        }
        afterAnswered(1).bytesSent shouldBe packed.size.toLong()
    }

    @Test
    fun `a connection is closed behind its answer where that is asked for, and says so`() {
        val connection = server.connect().sendRequest("/delay?close=1")
        connection.readAnswer().headers shouldContain "connection: close"
        connection.isAtEnd() shouldBe true
        server.evidenceWhere { it.connectionsOpen == 0 }.answeredOk shouldBe 1
    }

    @Test
    fun `a connection is closed before its answer, and not before the delay`() {
        val connection = server.connect()
        val start = System.nanoTime()
        connection.sendRequest("/delay?delay=0.1&fault=close&a=1").isAtEnd() shouldBe true
        System.nanoTime() - start shouldBeGreaterThanOrEqual 100_000_000
        val seen = afterAnswered(1)
        listOf(seen.answered, seen.abandoned, seen.abandonedByClient, seen.onPurpose.closed) shouldContainExactly listOf(0, 1, 0, 1)
        seen.bytesSent shouldBe 0
    }

    @ParameterizedTest
    @CsvSource("at=half, 500", "at=0, 0", "at=7, 7", "at=999, 999", "at=half&over=0.2, 500", "at=7&bodyDelay=0.1, 7")
    fun `a connection is closed in the midst of its answer`(query: String, given: Int) {
        val connection = server.connect().sendRequest("/bytes/1000?fault=close&$query")
        connection.readHead().lines() shouldContain "content-length: 1000"
        connection.readToEnd().size shouldBe given
        val seen = afterAnswered(1)
        listOf(seen.answered, seen.abandonedByClient, seen.onPurpose.closed, seen.bytesSent) shouldContainExactly
            listOf(0, 0, 1, given.toLong())
    }

    @Test
    fun `a line of text is closed halfway`() {
        val connection = server.connect().sendRequest("/delay?fault=close&at=half")
        connection.readHead().lines() shouldContain "content-length: 12"
        connection.readToEnd().decodeToString() shouldBe "delaye"
    }

    @ParameterizedTest
    @ValueSource(strings = ["/delay?fault=close&at=after", "/bytes/100?fault=close&at=after", "/bytes/100?fault=close&at=100"])
    fun `a connection is closed behind its answer without a word`(path: String) {
        val connection = server.connect().sendRequest(path).sendRequest("/health")
        connection.readAnswer().headers shouldNotContain "connection: close"
        connection.isAtEnd() shouldBe true
        val seen = afterAnswered(1)
        listOf(seen.answeredOk, seen.abandoned, seen.onPurpose.closed, seen.onPurpose.closedBehindAnswer) shouldContainExactly
            listOf(1, 0, 0, 1)
        seen.arrived shouldBe 1
    }

    @ParameterizedTest
    @EnumSource(Transport::class, names = ["AUTO", "NIO"])
    fun `a connection is reset, before, in and behind its answer`(transport: Transport) {
        RunningServer(ServerSettings(transport = transport)).use { server ->
            assertThrows<SocketException> { server.connect().sendRequest("/delay?delay=0.05&fault=reset").readToEnd() }
            assertThrows<SocketException> { server.connect().sendRequest("/bytes/1000?fault=reset&at=half").readToEnd() }
            assertThrows<SocketException> { server.connect().sendRequest("/delay?fault=reset&at=after").readToEnd() }
            val seen = server.evidenceWhere { it.connectionsOpen == 0 }
            listOf(
                seen.onPurpose.reset,
                seen.onPurpose.resetBehindAnswer,
                seen.abandonedByClient,
                seen.answered,
                seen.inFlight.toLong(),
            ) shouldContainExactly
                listOf(2, 1, 0, 1, 0)
        }
    }

    @Test
    fun `a stall is in flight until its client goes, and is told apart from what the client left`() {
        val stalled = server.connect().sendRequest("/bytes/100?fault=stall&at=half")
        stalled.readHead()
        stalled.readBytes(50)
        val left = server.connect().sendRequest("/delay?delay=5&fault=stall")
        server.awaitInFlight(2)
        stalled.close()
        left.close()
        val seen = afterAnswered(2)
        listOf(seen.onPurpose.stalled, seen.abandonedByClient, seen.abandoned, seen.bytesSent) shouldContainExactly listOf(1, 1, 2, 50)
    }

    @Test
    fun `a stall ends after the longest delay`() {
        RunningServer(ServerSettings(maxDelay = 200.milliseconds)).use { server ->
            server.connect().sendRequest("/delay?fault=stall").isAtEnd() shouldBe true
            val seen = server.evidenceWhere { it.inFlight == 0 }
            listOf(seen.onPurpose.stalled, seen.abandonedByClient) shouldContainExactly listOf(1, 0)
        }
    }

    @Test
    fun `requests in front of a fault are answered, and those behind it are not looked at`() {
        val connection = server.connect()
        val paths = listOf("/delay?delay=0.1&a=1", "/delay?fault=close&a=2", "/delay?a=3", "/delay?a=4")
        connection.send(paths.joinToString("") { "GET $it HTTP/1.1\r\nHost: a\r\n\r\n" })
        connection.readAnswer().body shouldBe "delayed 0.1 s, a=1\n"
        connection.isAtEnd() shouldBe true
        val seen = afterAnswered(2)
        listOf(seen.arrived, seen.answered, seen.onPurpose.closed) shouldContainExactly listOf(2, 1, 1)
    }

    @ParameterizedTest
    @CsvSource(
        "/delay?dealy=1, 'dealy is no parameter of /delay: it takes delay, a, seed, bodyDelay, rate, over, status, gzip, close, fault, at.'",
        "/v1/crawl/delay/5?a=00000000000000000000000000000000000000000000000000000000000000000, 'a is longer than 64 characters: shorten it.'",
        "/v1/crawl/delay/5?delay=1, 'delay is no parameter of /v1/crawl/delay/<ms>: it takes a.'",
        "/delay?rate=0, 'rate=0 cannot be: give a whole number from 1 to 10000000000, or leave it out.'",
        "/bytes/6000?rate=1000, 'rate=1000 would take longer for 6000 bytes than the limit of 5 seconds: ask for less, or start the server with a larger --max-delay, or give a higher rate.'",
        "/delay?over=6, 'over=6 cannot be: give seconds from 0 to 5, such as 2 or 500ms, or leave it out.'",
        "/delay?bodyDelay=x, 'bodyDelay=x cannot be: give seconds from 0 to 5, such as 0.5 or 500ms, or leave it out.'",
        "/delay?status=100, 'status=100 cannot be: give a whole number from 200 to 599, or leave it out.'",
        "/status/600, '/status/600 is no status to answer with: give 200 to 599, such as /status/503.'",
        "/status/, '/status/ is no status to answer with: give 200 to 599, such as /status/503.'",
        "/bytes/1?status=204, 'status=204 has no body: give another, or use /status/204.'",
        "/bytes/65537?gzip=1, 'gzip=1 compresses at most 65536 bytes, and this body has 65537: ask for fewer, or leave it out.'",
        "/delay?gzip=yes, 'gzip=yes cannot be: give 1, or leave it out.'",
        "/delay?fault=explode, 'fault=explode cannot be: give close, reset or stall, or leave it out.'",
        "/delay?at=half, 'at=half says where a fault comes, and there is none: give fault=close, reset or stall too.'",
        "/delay?fault=close&at=7, 'at=7 cannot be: give before, half or after, or leave it out.'",
        "/bytes/7?fault=close&at=8, 'at=8 cannot be: give before, half, after or a number of bytes from 0 to 7, or leave it out.'",
        "/delay?fault=stall&at=after, 'fault=stall cannot come after the answer: give at=before or at=half.'",
        "/bytes/7?fault=close&cut=1, 'cut=1 is fault=close&at=1: give one of the two.'",
    )
    fun `what cannot be is refused in one sentence, and the connection goes on`(path: String, sentence: String) {
        val connection = server.connect()
        val answer = connection.sendRequest(path).readAnswer()
        answer.status shouldBe "HTTP/1.1 400 Bad Request"
        answer.body shouldBe sentence + "\n"
        connection.sendRequest("/health").readAnswer().body shouldBe "ok\n"
    }

    @Test
    fun `a method that a path does not take is told in a header too`() {
        val answer = server.connect().send("DELETE /delay HTTP/1.1\r\nHost: a\r\n\r\n").readAnswer()
        answer.headers shouldContainAll listOf("allow: GET, POST, PUT")
    }

    @Test
    fun `a client that leaves a slow body is one that went by itself`() {
        val connection = server.connect().sendRequest("/bytes/1000?over=5")
        connection.readHead()
        connection.readBytes(1)
        connection.close()
        val seen = afterAnswered(1)
        listOf(seen.abandonedByClient, seen.abandoned, seen.answered) shouldContainExactly listOf(1, 1, 0)
        seen.bytesSent shouldBeLessThan 1_000
    }
}
