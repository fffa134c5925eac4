package clientlab.server

import clientlab.server.request.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.netty.channel.epoll.Epoll
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.EnumSource
import java.time.Duration
import java.time.Instant
import kotlin.time.Duration.Companion.seconds

@Timeout(120)
class DelayTest {
    @AutoClose
    private val server = RunningServer(ServerSettings(maxDelay = 5.seconds))

    @Test
    fun `a healthy server says ok`() {
        server.get("/health").body() shouldBe "ok\n"
    }

    @Test
    fun `an answer says how long it was held and for whom`() {
        server.get("/delay?delay=0.01&a=7").body() shouldBe "delayed 0.01 s, a=7\n"
        server.get("/delay?a=x%20y").body() shouldBe "delayed 0 s, a=x y\n"
        server.get("/delay").body() shouldBe "delayed 0 s\n"
    }

    @ParameterizedTest
    @EnumSource
    fun `no answer comes before its delay, over any transport`(transport: Transport) {
        assumeTrue(transport != Transport.EPOLL || Epoll.isAvailable(), "this machine has no epoll")
        RunningServer(ServerSettings(transport = transport)).use { server ->
            val delays = (1..100).map { it * 0.37 }
            val tookMs = delays
                .map { delayMs ->
                    val start = System.nanoTime()
                    server.getLater("/delay?delay=0${(delayMs / 1000).toBigDecimal().toPlainString().drop(1)}").thenApply {
                        it.statusCode() shouldBe 200
                        (System.nanoTime() - start) / 1e6
                    }
                }.map { it.within() }
            delays.zip(tookMs).forEach { (delay, took) -> took shouldBeGreaterThanOrEqual delay }
            val seen = server.evidence()
            seen.answeredEarly shouldBe 0
            seen.answeredOk shouldBe 100
            seen.overshootMs.p50!! shouldBeGreaterThanOrEqual 0.0
            seen.overshootMs.max!! shouldBeGreaterThanOrEqual seen.overshootMs.p99!!
            seen.overshootMs.p99!! shouldBeGreaterThanOrEqual seen.overshootMs.p50!!
        }
    }

    @Test
    fun `nio is there where epoll is not`() {
        RunningServer(ServerSettings(transport = Transport.NIO)).use { it.transport shouldBe "nio" }
    }

    @ParameterizedTest
    @CsvSource(
        "-1, 'delay=-1 is negative: give seconds from 0 to 5, such as delay=1.5.'",
        "-0.5, 'delay=-0.5 is negative: give seconds from 0 to 5, such as delay=1.5.'",
        "NaN, 'delay=NaN is not a number: give seconds from 0 to 5, such as delay=1.5.'",
        "Infinity, 'delay=Infinity is not a number: give seconds from 0 to 5, such as delay=1.5.'",
        "two, 'delay=two is not a number: give seconds from 0 to 5, such as delay=1.5.'",
        "'', 'delay= is not a number: give seconds from 0 to 5, such as delay=1.5.'",
        "5.000000001, 'delay=5.000000001 is over the limit of 5 seconds: ask for less, or start the server with a larger --max-delay.'",
    )
    fun `a delay that cannot be is refused in one sentence`(delay: String, sentence: String) {
        val answer = server.get("/delay?delay=$delay")
        answer.statusCode() shouldBe 400
        answer.body() shouldBe sentence + "\n"
    }

    @Test
    fun `an unknown path is told what there is`() {
        val answer = server.get("/dealy?delay=1")
        answer.statusCode() shouldBe 404
        answer.body() shouldBe "There is no /dealy here: this server has /delay, /datetime, /bytes/<n>, /events, /socket, " +
            "/status/<code>, /v1/crawl/delay/<ms>, /sink, /health and /openapi.json.\n"
    }

    @Test
    fun `the page of what there is names every path`() {
        val page = server.get("/").body()
        Route.entries.forEach { page shouldContain it.shown }
    }

    @Test
    fun `the time is told after the delay, as JSON`() {
        val before = Instant.now()
        val answer = server.get("/datetime?delay=0.05&a=3")
        answer.headers().firstValue("content-type").get() shouldBe "application/json"
        val told = answer.json()
        told.getValue("zone").jsonPrimitive.content shouldBe "UTC"
        val time = Instant.parse(told.getValue("datetime").jsonPrimitive.content)
        Duration.between(before, time).toMillis() shouldBeGreaterThanOrEqual 50
        server.evidence().answeredOk shouldBe 1
    }

    @Test
    fun `a page of 100 links is given after so many milliseconds`() {
        val start = System.nanoTime()
        val answer = server.get("/v1/crawl/delay/50")
        System.nanoTime() - start shouldBeGreaterThanOrEqual 50_000_000
        answer.headers().firstValue("content-type").get() shouldBe "text/html; charset=utf-8"
        Regex("href=\"crawl/delay/\\d+\"").findAll(answer.body()).count() shouldBe 100
        val seen = server.evidence()
        listOf(seen.answeredOk, seen.answeredEarly, seen.bytesSent) shouldContainExactly listOf(1, 0, answer.body().length.toLong())
    }

    @ParameterizedTest
    @CsvSource(
        "'', 'is not a whole number of milliseconds: give 0 to 5000, such as /v1/crawl/delay/5.'",
        "1.5, 'is not a whole number of milliseconds: give 0 to 5000, such as /v1/crawl/delay/5.'",
        "5001, 'is over the limit of 5000 ms: ask for less, or start the server with a larger --max-delay.'",
    )
    fun `a page cannot be asked for after anything else`(ms: String, sentence: String) {
        server.get("/v1/crawl/delay/$ms").body() shouldBe "/v1/crawl/delay/$ms $sentence\n"
    }

    @Test
    fun `a method that a path does not take is told which it takes, and HEAD has no body to be told in`() {
        server.post("/bytes/1", ByteArray(0)).body() shouldBe "POST is not answered here: use GET.\n"
        server.get("/sink").body() shouldBe "GET is not answered here: use POST or PUT.\n"
        val connection = server.connect().send("HEAD /delay HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.readAnswer().status shouldBe "HTTP/1.1 405 Method Not Allowed"
        connection.readAnswer().body shouldBe "ok\n"
    }

    @Test
    fun `refusals are counted as answered and rejected, and never as in flight`() {
        server.get("/delay?delay=-1")
        server.get("/nowhere")
        val seen = server.evidence()
        listOf(seen.arrived, seen.answered, seen.rejected, seen.answeredOk) shouldContainExactly listOf(2, 2, 2, 0)
        seen.peakInFlight shouldBe 0
    }

    @Test
    fun `a body of a mebibyte is taken and a longer one refused`() {
        server.post("/delay?delay=0.001", ByteArray(1_048_576)).statusCode() shouldBe 200
        server.post("/delay", ByteArray(1_048_577)).statusCode() shouldBe 413
    }

    @Test
    fun `one more than the limit in flight is answered 503, and the others are not disturbed`() {
        RunningServer(ServerSettings(maxInFlight = 1)).use { server ->
            server.connect().sendRequest("/delay?delay=60")
            server.awaitInFlight(1)
            val second = server.get("/delay")
            second.statusCode() shouldBe 503
            second.body() shouldContain "1 requests are in flight already"
            val seen = server.evidence()
            listOf(seen.inFlight, seen.peakInFlight) shouldContainExactly listOf(1, 1)
        }
    }

    @Test
    fun `three hundred at once are all in flight, and all answered`() {
        val answers = (1..300).map { server.getLater("/delay?delay=3&a=$it") }
        server.awaitInFlight(300)
        answers.forEachIndexed { i, answer -> answer.within().body() shouldBe "delayed 3 s, a=${i + 1}\n" }
        val seen = server.evidence()
        seen.answeredOk shouldBe 300
        seen.peakInFlight shouldBe 300
        seen.connectionsOpened shouldBeGreaterThanOrEqual 300
        seen.requestsByProtocol shouldContainExactly mapOf("http/1.1" to 300L)
    }
}
