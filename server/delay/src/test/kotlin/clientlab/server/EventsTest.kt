package clientlab.server

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.ValueSource
import kotlin.time.Duration.Companion.seconds

@Timeout(120)
class EventsTest {
    @AutoClose
    private val server = RunningServer(ServerSettings(maxDelay = 5.seconds))

    @Test
    fun `events come one after the other in chunks, none before its time, and the connection goes on`() {
        val connection = server.connect()
        val start = System.nanoTime()
        val head = connection.sendRequest("/events?every=0.1&events=3&size=40").readHead()
        head shouldContain "content-type: text/event-stream"
        head shouldContain "transfer-encoding: chunked"
        head shouldNotContain "content-length"
        repeat(3) { number ->
            connection.readLine() shouldBe "28"
            connection.readBytes(40).decodeToString() shouldBe "id: 000000000$number\ndata: ${"x".repeat(17)}\n\n"
            connection.readLine() shouldBe ""
            System.nanoTime() - start shouldBeGreaterThanOrEqual number * 100_000_000L
        }
        connection.readLine() shouldBe "0"
        connection.readLine() shouldBe ""
        connection.sendRequest("/health").readAnswer().body shouldBe "ok\n"
        val seen = server.evidence()
        listOf(seen.answeredOk, seen.answeredEarly, seen.abandoned, seen.bytesSent) shouldContainExactly listOf(1, 0, 0, 123)
        seen.peakInFlight shouldBe 1
    }

    @Test
    fun `a stream is in flight until its client goes`() {
        val connection = server.connect()
        connection.sendRequest("/events?every=5").readHead()
        server.evidenceWhere { it.inFlight == 1 }.abandoned shouldBe 0
        connection.close()
        val seen = server.evidenceWhere { it.inFlight == 0 }
        listOf(seen.abandonedByClient, seen.answered) shouldContainExactly listOf(1, 0)
    }

    @Test
    fun `in HTTP 2 a stream of events has no length either, and holds up no other`() {
        val connection = server.connectHttpTwo()
        connection.request(1, "/events?every=0.2&events=3&size=30").request(3, "/delay?a=3")
        val answers = List(2) { connection.nextAnswer() }
        answers.map { it.stream } shouldContainExactly listOf(3, 1)
        answers[1].headers.keys.filter { it == "content-length" || it == "transfer-encoding" } shouldBe emptyList()
        answers[1].headers["content-type"] shouldBe "text/event-stream"
        answers[1].text shouldBe (0..2).joinToString("") { "id: 000000000$it\ndata: xxxxxxx\n\n" }
        server.evidence().answeredEarly shouldBe 0
    }

    @Test
    fun `before HTTP 1_1 a stream ends with its connection`() {
        val connection = server.connect().send("GET /events?every=0&events=2&size=23 HTTP/1.0\r\n\r\n")
        connection.readHead() shouldNotContain "chunked"
        connection.readToEnd().decodeToString() shouldBe "id: 0000000000\ndata: \n\nid: 0000000001\ndata: \n\n"
    }

    @ParameterizedTest
    @ValueSource(ints = [23, 64, 1_000, 65_536])
    fun `without a time between them, events come as fast as they are read`(size: Int) {
        val count = 4_000_000 / size
        val body = server.get("/events?every=0&events=$count&size=$size").body()
        body.length shouldBe count * size
        body.lines().filter { it.startsWith("id: ") }.map { it.substringAfter(' ').toInt() } shouldContainExactly (0 until count).toList()
    }

    @Test
    fun `the server writes no more than a client that does not read can take`() {
        val connection = server.connect()
        connection.sendRequest("/events?every=0&size=1000").readHead()
        var sent = -1L
        // The system's buffers are full when nothing is added in a tenth of a second.
        while (server.evidence().bytesSent != sent) {
            sent = server.evidence().bytesSent
            Thread.sleep(100)
        }
        sent shouldBeLessThan 64L * 1024 * 1024
        server.get("/health").body() shouldBe "ok\n"
    }

    @ParameterizedTest
    @CsvSource(
        "events=7&every=1, 'events=7 would take longer than the limit of 5 seconds: give at most 6, or a shorter every.'",
        "events=2147483648&every=0, 'events=2147483648 of 64 bytes are more than 2147483648 bytes: give at most 33554432.'",
        "events=0, 'events=0 cannot be: give a whole number from 1 to 2147483648, or leave it out.'",
        "size=22, 'size=22 cannot be: give a whole number from 23 to 65536, or leave it out.'",
        "every=6, 'every=6 cannot be: give seconds from 0 to 5, such as 0.5 or 500ms, or leave it out.'",
        "rate=5, 'rate is no parameter of /events: it takes delay, a, seed, every, events, size.'",
    )
    fun `what cannot be is refused in a sentence`(query: String, sentence: String) {
        val answer = server.get("/events?$query")
        answer.statusCode() shouldBe 400
        answer.body() shouldEndWith "$sentence\n"
    }
}
