package clientlab.server

import clientlab.server.net.*
import clientlab.server.request.*
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

@Timeout(120)
class LimitsTest {
    @Test
    fun `one connection more than the limit is told so, and there is room again when another has gone`() {
        RunningServer(ServerSettings(maxConnections = 2)).use { server ->
            val first = server.connect().sendRequest("/delay?delay=60")
            val second = server.connect().sendRequest("/delay?delay=60")
            server.awaitInFlight(2)
            val third = server.connect().sendRequest("/delay")
            val refused = third.readAnswer()
            refused.status shouldBe "HTTP/1.1 503 Service Unavailable"
            refused.body shouldBe "2 connections are open already: open fewer, or start the server with a larger --max-connections.\n"
            refused.headers shouldContain "retry-after: 1"
            third.isAtEnd() shouldBe true
            third.close()
            first.close()
            server.evidenceWhere { it.connectionsOpen == 1 }.connectionsRefused shouldBe 1
            server.connect().sendRequest("/delay").readAnswer().status shouldBe "HTTP/1.1 200 OK"
            second.close()
        }
    }

    @Test
    fun `more requests a second than the limit are answered 429, and health is none of them`() {
        RunningServer(ServerSettings(maxRate = 5)).use { server ->
            val connection = server.connect()
            val begun = System.nanoTime()
            val paths = List(40) { "/delay?a=$it" }
            connection.send(paths.joinToString("") { "GET $it HTTP/1.1\r\nHost: a\r\n\r\n" })
            val answers = paths.map { connection.readAnswer() }
            val seconds = (System.nanoTime() - begun) / 1e9
            val taken = answers.count { it.status == "HTTP/1.1 200 OK" }.toLong()
            taken shouldBeGreaterThanOrEqual 5
            taken shouldBeLessThanOrEqual 5 + (seconds * 5).toLong() + 1
            val refused = answers.last { it.status != "HTTP/1.1 200 OK" }
            refused.status shouldBe "HTTP/1.1 429 Too Many Requests"
            refused.headers shouldContain "retry-after: 1"
            refused.body shouldBe
                "This server takes 5 requests a second, and more have come: send fewer, or start it with a larger --max-rate.\n"
            server.get("/health").statusCode() shouldBe 200
            val seen = server.evidence()
            listOf(seen.answeredOk, seen.rejected) shouldContainExactly listOf(taken, 40 - taken)
        }
    }

    @Test
    fun `the bucket holds a second's worth, and is filled evenly`() {
        val cap = RateLimiter(10, now = 0)
        (1..10).all { cap.takes(0) }.shouldBeTrue()
        cap.takes(0) shouldBe false
        cap.takes(99_000_000) shouldBe false
        cap.takes(101_000_000) shouldBe true
        cap.takes(150_000_000) shouldBe false
        (1..20).count { cap.takes(60_000_000_000) } shouldBe 10
        val small = RateLimiter(10, burst = 2, now = 0)
        (1..20).count { small.takes(60_000_000_000) } shouldBe 2
    }

    @Test
    fun `what waits for its turn counts against the limit in flight, so that a pipeline cannot pile up`() {
        RunningServer(ServerSettings(maxInFlight = 10)).use { server ->
            val connection = server.connect()
            connection.send("GET /delay?delay=0.5 HTTP/1.1\r\nHost: a\r\n\r\n" + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n".repeat(200))
            val answers = List(11) { connection.readAnswer() }
            answers.take(10).forEach { it.status shouldBe "HTTP/1.1 200 OK" }
            answers.last().status shouldBe "HTTP/1.1 503 Service Unavailable"
            connection.isAtEnd() shouldBe true
            server.evidence().peakInFlight shouldBe 11
        }
    }

    @Test
    fun `a connection on which no request comes to its end is closed, and one that waits for its answer is not`() {
        RunningServer(ServerSettings(headTimeout = 300.milliseconds, idleTimeout = 300.milliseconds)).use { server ->
            val begun = System.nanoTime()
            val waits = server.connect().sendRequest("/delay?delay=2.5&a=1")
            val streams = server.connect().sendRequest("/bytes/10?over=2.5")
            val pauses = server.connect().sendRequest("/bytes/10?bodyDelay=2.5")
            val silent = server.connect()
            val slowHead = server.connect().send("GET /health HTTP/1.1\r\nX: ")
            val slowBody = server.connect().send("POST /delay HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
            val slowUpload = server.connect().send("POST /sink HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
            val idle = server.connect().sendRequest("/health").also { it.readAnswer() }
            listOf(silent, slowHead, slowBody, slowUpload, idle).forEach { it.isAtEnd() shouldBe true }
            System.nanoTime() - begun shouldBeGreaterThanOrEqual 300_000_000
            waits.readAnswer().body shouldBe "delayed 2.5 s, a=1\n"
            streams.readAnswer().body.length shouldBe 10
            pauses.readAnswer().body.length shouldBe 10
            val seen = server.evidenceWhere { it.inFlight == 0 }
            seen.connectionsTimedOut shouldBeGreaterThanOrEqual 5
            listOf(seen.answeredOk, seen.abandonedByClient, seen.answeredEarly) shouldContainExactly listOf(3, 1, 0)
        }
    }

    @Test
    fun `a client that never reads its answer is left in the end`() {
        RunningServer(ServerSettings(idleTimeout = 500.milliseconds)).use { server ->
            server.connect().sendRequest("/bytes/2147483648").readLine() shouldBe "HTTP/1.1 200 OK"
            val seen = server.evidenceWhere { it.connectionsOpen == 0 }
            listOf(seen.connectionsTimedOut, seen.abandonedByClient, seen.inFlight.toLong()) shouldContainExactly listOf(1, 1, 0)
        }
    }

    @Test
    fun `a connection that was idle for long may still send a body`() {
        RunningServer(ServerSettings(headTimeout = 2.seconds)).use { server ->
            val connection = server.connect().sendRequest("/health")
            connection.readAnswer()
            // Longer than the head of a first request may take, and then long enough for the watch to come round.
            server.connect().sendRequest("/delay?delay=2.5").readAnswer()
            connection.send("POST /delay HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n")
            server.connect().sendRequest("/delay?delay=1.2").readAnswer()
            connection.send("abc").readAnswer().status shouldBe "HTTP/1.1 200 OK"
        }
    }

    @Test
    fun `the watch loses nobody when others leave`() {
        val watch = ConnectionWatch()

        class Someone : Watched {
            override var place = -1

            override fun closeIfOverdue(now: Long) = Unit

            override fun close() = Unit
        }
        val all = List(100) { Someone().also(watch::add) }
        val left = all.filterIndexed { i, _ -> i % 3 != 0 }
        all.filterIndexed { i, _ -> i % 3 == 0 }.shuffled(java.util.Random(1)).forEach(watch::remove)
        watch.size shouldBe left.size
        left.map { it.place }.toSet() shouldBe left.indices.toSet()
        left.forEach(watch::remove)
        watch.size shouldBe 0
        left.size shouldBeGreaterThan 0
    }
}
