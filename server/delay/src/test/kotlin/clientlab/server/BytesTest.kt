package clientlab.server

import clientlab.server.answer.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.EnumSource
import org.junit.jupiter.params.provider.ValueSource
import java.util.zip.CRC32

@Timeout(120)
class BytesTest {
    @AutoClose
    private val server = RunningServer()

    @ParameterizedTest
    @ValueSource(ints = [0, 1, 65_535, 65_536, 65_537, 5_000_000])
    fun `as many bytes come as were asked for, with the checksum that the head announces`(length: Int) {
        val answer = server.getBytes("/bytes/$length")
        answer.body().size shouldBe length
        answer.headers().firstValue("x-crc32").get() shouldBe crcOf(answer.body())
        val seen = server.evidenceWhere { it.answered == 1L }
        listOf(seen.arrived, seen.answeredOk, seen.abandoned, seen.bytesSent) shouldContainExactly listOf(1, 1, 0, length.toLong())
        listOf(seen.peakInFlight, seen.inFlight) shouldContainExactly listOf(1, 0)
    }

    @ParameterizedTest
    @EnumSource(Transport::class, names = ["AUTO", "NIO"])
    fun `over any transport`(transport: Transport) {
        RunningServer(ServerSettings(transport = transport)).use { server ->
            val answer = server.getBytes("/bytes/20000001")
            answer.headers().firstValue("x-crc32").get() shouldBe crcOf(answer.body())
        }
    }

    @Test
    fun `every byte is as the block says`() {
        val body = server.getBytes("/bytes/200000").body()
        body.indices.all { body[it] == ((it % 65_536) + (it % 65_536) / 251).toByte() } shouldBe true
    }

    @Test
    fun `the checksum of two gibibytes is put together, not walked`() {
        val whole = CRC32()
        val block = ByteArray(65_536) { (it + it / 251).toByte() }
        repeat(1_000) { whole.update(block) }
        whole.update(block, 0, 77)
        BytePattern.crc32(65_536_077) shouldBe whole.value
        combineCrc32(BytePattern.crc32(1L shl 30), BytePattern.crc32(1L shl 30), 1L shl 30) shouldBe BytePattern.crc32(1L shl 31)
    }

    @Test
    fun `a client that does not read keeps the bytes in flight and not in memory`() {
        val connection = server.connect().sendRequest("/bytes/2147483648")
        connection.readLine() shouldBe "HTTP/1.1 200 OK"
        server.awaitInFlight(1)
        server.get("/health").body() shouldBe "ok\n"
        server.evidence().bytesSent shouldBeLessThan 64_000_000
        connection.close()
        server.evidenceWhere { it.abandoned == 1L }.inFlight shouldBe 0
    }

    @Test
    fun `a transfer is cut where that is asked for`() {
        val connection = server.connect().sendRequest("/bytes/200000?cut=100000")
        connection.readHead() shouldContain "content-length: 200000"
        connection.readToEnd().size shouldBe 100_000
        val seen = server.evidenceWhere { it.abandoned == 1L }
        listOf(seen.bytesSent, seen.answeredOk, seen.inFlight.toLong()) shouldContainExactly listOf(100_000, 0, 0)
        server.connect().sendRequest("/bytes/10?cut=0").run {
            readHead() shouldContain "content-length: 10"
            isAtEnd() shouldBe true
        }
    }

    @Test
    fun `one byte is altered where that is asked for, and the checksum is that of the others`() {
        val right = server.getBytes("/bytes/100001")
        val wrong = server.getBytes("/bytes/100001?flip=1")
        right.body().indices.filter { right.body()[it] != wrong.body()[it] } shouldContainExactly listOf(50_000)
        wrong.headers().firstValue("x-crc32").get() shouldBe crcOf(right.body())
    }

    @ParameterizedTest
    @CsvSource(
        "/bytes/, '/bytes/ cannot be sent: give a whole number of bytes from 0 to 2147483648'",
        "/bytes/2147483649, '/bytes/2147483649 cannot be sent'",
        "/bytes/10?cut=11, 'cut=11 cannot be: give a whole number of bytes from 0 to 10'",
        "/bytes/10?flip=2, 'flip=2 cannot be'",
        "/bytes/0?flip=1, 'flip=1 cannot be'",
    )
    fun `what cannot be sent is refused in one sentence`(path: String, sentence: String) {
        val answer = server.get(path)
        answer.statusCode() shouldBe 400
        answer.body() shouldStartWith sentence
    }

    @Test
    fun `pipelined transfers come one after the other`() {
        val connection = server.connect()
        val paths = listOf("/bytes/300000", "/health", "/bytes/0", "/bytes/1", "/delay?delay=0.01", "/bytes/65536")
        connection.send(paths.joinToString("") { "GET $it HTTP/1.1\r\nHost: localhost\r\n\r\n" })
        paths.map { connection.readAnswer().body.length } shouldContainExactly listOf(300_000, 3, 0, 1, 15, 65_536)
        server.evidenceWhere { it.answered == 6L }.inFlight shouldBe 0
    }

    @Test
    fun `a body is sunk, and its length and checksum told`() {
        val body = ByteArray(3_000_000) { (it * 7).toByte() }
        server.post("/sink?a=1", body).body() shouldBe """{"bytes":3000000,"crc32":"${crcOf(body)}"}""" + "\n"
        val seen = server.evidence()
        listOf(seen.arrived, seen.answeredOk, seen.bytesReceived) shouldContainExactly listOf(1, 1, 3_000_000)
        listOf(seen.peakInFlight, seen.inFlight) shouldContainExactly listOf(1, 0)
        seen.answeredEarly shouldBe 0
    }

    @Test
    fun `a body in chunks is sunk too, and in flight from its head on`() {
        val connection = server.connect().send("PUT /sink HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        server.awaitInFlight(1)
        connection.send("0\r\n\r\n").readAnswer().body shouldBe """{"bytes":5,"crc32":"${crcOf("hello".encodeToByteArray())}"}""" + "\n"
        server.evidence().inFlight shouldBe 0
    }

    @Test
    fun `an upload that breaks off is abandoned, and the server lives`() {
        val connection = server.connect().send("POST /sink HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhello")
        server.evidenceWhere { it.bytesReceived == 5L }.inFlight shouldBe 1
        connection.close()
        val seen = server.evidenceWhere { it.abandoned == 1L }
        listOf(seen.arrived, seen.answered, seen.inFlight.toLong()) shouldContainExactly listOf(1, 0, 0)
        server.post("/sink", ByteArray(0)).body() shouldBe """{"bytes":0,"crc32":"00000000"}""" + "\n"
    }

    @Test
    fun `more than two gibibytes are not sunk`() {
        val connection = server.connect().send("POST /sink HTTP/1.1\r\nHost: a\r\nContent-Length: 2147483649\r\n\r\n")
        connection.readAnswer().status shouldBe "HTTP/1.1 413 Request Entity Too Large"
        connection.isAtEnd() shouldBe true
        server.evidenceWhere { it.connectionsOpen == 0 }.inFlight shouldBe 0
    }

    private fun crcOf(bytes: ByteArray): String = "%08x".format(CRC32().also { it.update(bytes) }.value)
}
