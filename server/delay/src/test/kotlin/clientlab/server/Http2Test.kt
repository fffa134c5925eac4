package clientlab.server

import clientlab.server.evidence.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.zip.CRC32

@Timeout(120)
class Http2Test {
    @AutoClose
    private val server = RunningServer(ServerSettings(takesUpgrades = true))

    @Test
    fun `each stream is answered after its own delay, and none waits for the one in front of it`() {
        val connection = server.connectHttpTwo()
        connection.request(1, "/delay?delay=0.3&a=1").request(3, "/delay?delay=0.1&a=3").request(5, "/delay?a=5")
        val answers = List(3) { connection.nextAnswer() }
        answers.map { it.stream } shouldContainExactly listOf(5, 3, 1)
        answers.map { it.text } shouldContainExactly listOf("delayed 0 s, a=5\n", "delayed 0.1 s, a=3\n", "delayed 0.3 s, a=1\n")
        answers.map { it.status } shouldContainExactly listOf("200", "200", "200")
        val seen = server.evidence()
        listOf(seen.arrived, seen.answeredOk, seen.answeredEarly, seen.abandoned) shouldContainExactly listOf(3, 3, 0, 0)
        listOf(seen.inFlight, seen.connectionsOpen) shouldContainExactly listOf(0, 1)
        seen.peakInFlight shouldBeGreaterThanOrEqual 2
        seen.requestsByProtocol shouldContainExactly mapOf("h2c" to 3L)
    }

    @Test
    fun `streams at once, requests of a connection and its reuse are counted`() {
        val first = server.connectHttpTwo()
        repeat(4) { first.request(2 * it + 1, "/delay?delay=60") }
        first.flush()
        server.awaitInFlight(4)
        val second = server.connectHttpTwo()
        repeat(2) { second.request(2 * it + 1, "/health").nextAnswer() }
        server.get("/health")
        server.evidence().connectionsByProtocol shouldContainExactly mapOf(
            "http/1.1" to ProtocolUse(connections = 1, requests = 1, reused = 0, mostPerConnection = 1, mostAtOnce = 1),
            "h2c" to ProtocolUse(connections = 2, requests = 6, reused = 4, mostPerConnection = 4, mostAtOnce = 4),
        )
    }

    @Test
    fun `an answer has the head that it has in HTTP 1`() {
        val answer = server.connectHttpTwo().request(1, "/bytes/10").nextAnswer()
        val other = server.getBytes("/bytes/10")
        answer.headers.filterKeys { it != ":status" && it != "date" } shouldBe
            other.headers().map().mapValues { it.value.single() }.filterKeys { it != "date" }
        answer.headers.getValue("date").length shouldBe other.headers().firstValue("date").get().length
        answer.body.toByteArray().toList() shouldBe other.body().toList()
    }

    @Test
    fun `the JDK's client goes on in HTTP 2 where it may, by upgrade`() {
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build().use { client ->
            val answers = (1..3).map { client.get("http://127.0.0.1:${server.port}/delay?delay=0.05&a=$it") }
            answers.map { it.version() } shouldContainExactly List(3) { HttpClient.Version.HTTP_2 }
            answers.map { it.body() } shouldContainExactly (1..3).map { "delayed 0.05 s, a=$it\n" }
            val seen = server.evidence()
            seen.requestsByProtocol shouldContainExactly mapOf("h2c" to 3L)
            seen.answeredEarly shouldBe 0
            seen.connectionsByProtocol.getValue("h2c").connections shouldBe 1
        }
    }

    @Test
    fun `who offers h2c by habit is answered in HTTP 1_1 where upgrades were not asked for`() {
        RunningServer().use { server ->
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build().use { client ->
                client.get("http://127.0.0.1:${server.port}/delay?delay=0.05").version() shouldBe HttpClient.Version.HTTP_1_1
            }
            server.evidence().requestsByProtocol shouldContainExactly mapOf("h2c-upgrade-asked" to 1L)
        }
    }

    @Test
    fun `an offer of h2c that cannot be taken is answered as HTTP 1_1 and counted apart`() {
        val connection = server.connect()
        val offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
        connection.send("POST /health HTTP/1.1\r\nHost: a\r\n${offer}HTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: 2\r\n\r\nab")
        connection.readAnswer().status shouldBe "HTTP/1.1 200 OK"
        listOf("", "HTTP2-Settings: AAMAAA\r\n", "HTTP2-Settings: !\r\n", "HTTP2-Settings: AAIAAAAJ\r\n").forEach {
            connection.send("GET /health HTTP/1.1\r\nHost: a\r\n$offer$it\r\n")
            connection.readAnswer().status shouldBe "HTTP/1.1 200 OK"
        }
        server.evidence().requestsByProtocol shouldContainExactly mapOf("h2c-upgrade-asked" to 5L)
    }

    @Test
    fun `a connection that was used in HTTP 1_1 may go on in HTTP 2, but not while an answer is due`() {
        val connection = server.connect()
        val offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
        connection.send("GET /delay?delay=0.1 HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n$offer\r\n")
        connection.readAnswer().body shouldBe "delayed 0.1 s\n"
        connection.readAnswer().status shouldBe "HTTP/1.1 200 OK"
        connection.send("GET /health HTTP/1.1\r\nHost: a\r\n$offer\r\n")
        connection.readHead() shouldContain "HTTP/1.1 101 Switching Protocols"
        server.evidenceWhere { it.arrived == 3L }.requestsByProtocol shouldContainExactly
            mapOf("http/1.1" to 1L, "h2c-upgrade-asked" to 1L, "h2c" to 1L)
    }

    @Test
    fun `a request that its client resets is abandoned, and the others go on`() {
        val connection = server.connectHttpTwo()
        connection.request(1, "/delay?delay=60").request(3, "/delay?delay=60").flush()
        server.awaitInFlight(2)
        connection.reset(1).flush()
        val seen = server.evidenceWhere { it.inFlight == 1 }
        listOf(seen.abandoned, seen.abandonedByClient, seen.streamErrors) shouldContainExactly listOf(1, 1, 0)
        connection.request(5, "/delay?delay=0.01").nextAnswer().status shouldBe "200"
        connection.close()
        server.evidenceWhere { it.connectionsOpen == 0 }.abandoned shouldBe 2
    }

    @Test
    fun `a server that leaves says so to the clients of HTTP 2`() {
        val connection = server.connectHttpTwo().request(1, "/delay?delay=60").flush()
        server.awaitInFlight(1)
        server.leave()
        val goodbye = generateSequence { connection.next() }.first { it.type == RawHttp2.GOAWAY }
        goodbye.goodbye shouldBe RawHttp2.NO_ERROR
        goodbye.error shouldBe 1
        connection.isAtEnd() shouldBe true
    }

    @Test
    fun `one more than the limit in flight is answered 503, on the same connection too`() {
        RunningServer(ServerSettings(maxInFlight = 1)).use { server ->
            val connection = server.connectHttpTwo().request(1, "/delay?delay=60").flush()
            server.awaitInFlight(1)
            val refused = connection.request(3, "/delay").nextAnswer()
            refused.status shouldBe "503"
            refused.headers["retry-after"] shouldBe "1"
            connection.request(5, "/sink", "POST", isEnd = false).nextAnswer().status shouldBe "503"
            server.evidence().inFlight shouldBe 1
        }
    }

    @Test
    fun `the server says how many streams it takes, and resets those beyond`() {
        RunningServer(ServerSettings(maxStreams = 2)).use { server ->
            val connection = server.connectHttpTwo()
            repeat(3) { connection.request(2 * it + 1, "/delay?delay=60") }
            val settings = generateSequence { connection.next() }.first { it.type == RawHttp2.SETTINGS }.payload
            settings
                .asList()
                .chunked(6)
                .map { it.toString() }
                .single { it.startsWith("[0, 3,") } shouldBe "[0, 3, 0, 0, 0, 2]"
            val refused = connection.nextAnswer()
            listOf(refused.stream, refused.reset) shouldContainExactly listOf(5, RawHttp2.REFUSED_STREAM)
            val seen = server.evidence()
            listOf(seen.arrived, seen.streamErrors, seen.connectionErrors) shouldContainExactly listOf(2, 1, 0)
        }
    }

    @Test
    fun `streams that are never asked to their end are limited over all connections`() {
        RunningServer(ServerSettings(maxInFlight = 1)).use { server ->
            val connections = List(2) { server.connectHttpTwo() }
            connections.forEach { connection ->
                repeat(501) { connection.request(2 * it + 1, "/delay", "POST", isEnd = false) }.also { connection.flush() }
            }
            val seen = server.evidenceWhere { it.streamErrors == 1L }
            listOf(seen.arrived, seen.connectionErrors) shouldContainExactly listOf(0, 0)
        }
    }

    @Test
    fun `as many bytes come as were asked for, by turns where there are several streams`() {
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build().use { client ->
            val url = "http://127.0.0.1:${server.port}/bytes"
            client.get("$url/1")
            val answers = listOf(0, 1, 65_536, 3_000_000, 5_000_001)
                .map { client.sendAsync(HttpRequest.newBuilder(URI("$url/$it")).build(), HttpResponse.BodyHandlers.ofByteArray()) to it }
                .map { (answer, length) -> answer.within().also { it.body().size shouldBe length } }
            answers.forEach { it.headers().firstValue("x-crc32").get() shouldBe crcOf(it.body()) }
            val seen = server.evidence()
            seen.bytesSent shouldBe 8_065_538L + 1
            listOf(seen.answeredOk, seen.abandoned) shouldContainExactly listOf(6, 0)
        }
    }

    @Test
    fun `a client that gives no window keeps the bytes in flight and not in memory, and others have theirs`() {
        val connection = server.connectHttpTwo(RawHttp2.setting(4, 0))
        connection.request(1, "/bytes/2147483648").request(3, "/delay?delay=0.01").flush()
        server.awaitInFlight(2)
        server.get("/health").body() shouldBe "ok\n"
        server.evidence().bytesSent shouldBeLessThan 64
        connection.frame(RawHttp2.WINDOW_UPDATE, stream = 3, payload = RawHttp2.int(100))
        connection.nextAnswer().stream shouldBe 3
        connection.close()
        server.evidenceWhere { it.abandoned == 1L }.inFlight shouldBe 0
    }

    @Test
    fun `a body is sunk, in flight from its head on, and its checksum told`() {
        val body = ByteArray(300_000) { (it * 7).toByte() }
        val connection = server.connectHttpTwo().request(1, "/sink?a=1", "POST", isEnd = false).flush()
        server.awaitInFlight(1)
        body.asList().chunked(16_384).forEach { connection.data(1, it.toByteArray(), isEnd = false) }
        connection.data(1, ByteArray(0)).nextAnswer().text shouldBe """{"bytes":300000,"crc32":"${crcOf(body)}"}""" + "\n"
        val seen = server.evidence()
        listOf(seen.arrived, seen.answeredOk, seen.bytesReceived, seen.answeredEarly) shouldContainExactly listOf(1, 1, 300_000, 0)
        seen.inFlight shouldBe 0
    }

    @Test
    fun `an upload that is reset is abandoned`() {
        val connection = server
            .connectHttpTwo()
            .request(1, "/sink", "POST", isEnd = false)
            .data(1, ByteArray(5), isEnd = false)
            .flush()
        server.evidenceWhere { it.bytesReceived == 5L }.inFlight shouldBe 1
        connection.reset(1).flush()
        val seen = server.evidenceWhere { it.abandoned == 1L }
        listOf(seen.arrived, seen.answered, seen.inFlight.toLong()) shouldContainExactly listOf(1, 0, 0)
    }

    @Test
    fun `a body is read to its end before the delay begins, and trailers are its end`() {
        val connection = server
            .connectHttpTwo()
            .request(1, "/delay?delay=0.001", "POST", isEnd = false)
            .data(1, ByteArray(9), isEnd = false)
            .flush()
        server.evidenceWhere { it.bytesReceived == 9L }.arrived shouldBe 0
        val trailers = RawHttp2.block(listOf("x-checksum" to "1"))
        connection.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS or RawHttp2.END_STREAM, 1, trailers)
        connection.nextAnswer().status shouldBe "200"
    }

    @Test
    fun `a body that is too long is answered before its end, and the rest is not wanted`() {
        val connection = server.connectHttpTwo()
        connection.request(1, "/delay", "POST", isEnd = false, "content-length" to "1048577")
        connection.nextAnswer().status shouldBe "413"
        connection.nextAnswer().reset shouldBe RawHttp2.NO_ERROR
        connection.request(3, "/health").nextAnswer().status shouldBe "200"
    }

    @Test
    fun `a client that asks before it sends a body is told to go on`() {
        val connection = server.connectHttpTwo().request(1, "/health", "POST", isEnd = false, "expect" to "100-continue")
        val head = generateSequence { connection.next() }.first { it.type == RawHttp2.HEADERS }
        head.flags and RawHttp2.END_STREAM shouldBe 0
        connection.data(1, ByteArray(2)).nextAnswer().text shouldBe "ok\n"
    }

    @Test
    fun `answers that are due together are all written`() {
        val connection = server.connectHttpTwo()
        repeat(2_000) { connection.request(2 * it + 1, "/delay?delay=1&a=$it") }
        connection.flush()
        List(2_000) { connection.nextAnswer() }.map { it.text }.toSet() shouldBe (0..<2_000).map { "delayed 1 s, a=$it\n" }.toSet()
        val seen = server.evidence()
        listOf(seen.arrived, seen.answeredOk, seen.answeredEarly) shouldContainExactly listOf(2_000, 2_000, 0)
        seen.connectionsByProtocol.getValue("h2c").mostAtOnce shouldBe seen.peakInFlight
    }

    private fun HttpClient.get(url: String): HttpResponse<String> =
        sendAsync(HttpRequest.newBuilder(URI(url)).build(), HttpResponse.BodyHandlers.ofString()).within()

    private fun crcOf(bytes: ByteArray): String = "%08x".format(CRC32().also { it.update(bytes) }.value)
}
