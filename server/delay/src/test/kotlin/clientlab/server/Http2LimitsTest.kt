package clientlab.server

import clientlab.server.evidence.*
import clientlab.server.http2.*
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.util.concurrent.CompletableFuture
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds

/** What a client of HTTP/2 may not do to the others, and what it may take its time for. */
@Timeout(120)
class Http2LimitsTest {
    @AutoClose
    private val server = RunningServer()

    @Test
    fun `a rapid reset ends its connection, and whoever behaves has his answers meanwhile`() {
        val seen = besideTheWellBehaved {
            val connection = server.connectHttpTwo()
            repeat(5_000) { connection.request(2 * it + 1, "/delay?delay=60").reset(2 * it + 1) }
            connection.nextGoodbye() shouldBeIn CALM_OR_GONE
        }
        seen.connectionErrors shouldBe 1
        // The client's own settings are the first thing that counts; a stream whose reset was read late is not counted as rapid.
        seen.abandoned shouldBeInRange FloodGuard.MOST.toLong()..<5_000L
        seen.requestsByProtocol.getValue("h2c") shouldBe seen.abandoned + WELL_BEHAVED
    }

    @Test
    fun `to give up thousands of requests that have waited is no attack`() {
        val connection = server.connectHttpTwo()
        val streams = (0..<3_000).map { 2 * it + 1 }
        streams.forEach { connection.request(it, "/delay?delay=60") }
        connection.flush()
        server.awaitInFlight(streams.size)
        // When this has been answered, all the others have waited for as long.
        connection.request(7_001, "/delay?delay=0.02").nextAnswer().status shouldBe "200"
        streams.forEach { connection.reset(it) }
        connection.request(7_003, "/health").nextAnswer().text shouldBe "ok\n"
        val seen = server.evidence()
        listOf(seen.abandoned, seen.connectionErrors, seen.inFlight.toLong()) shouldContainExactly listOf(3_000, 0, 0)
    }

    @ParameterizedTest(name = "of {0} bytes each")
    @ValueSource(ints = [0, 1, 1_000, 16_384])
    fun `a flood of continuations ends its connection, and whoever behaves has his answers meanwhile`(size: Int) {
        val seen = besideTheWellBehaved {
            val connection = server.connectHttpTwo()
            val some = RawHttp2.block(listOf("x" to "y".repeat(900))).copyOf(size)
            connection.frame(
                RawHttp2.HEADERS,
                flags = RawHttp2.END_STREAM,
                stream = 1,
                payload = RawHttp2.block(listOf(":method" to "GET")),
            )
            repeat(if (size > 1) 200 else 20_000) { connection.frame(RawHttp2.CONTINUATION, stream = 1, payload = some) }
            connection.nextGoodbye() shouldBeIn CALM_OR_GONE + RawHttp2.PROTOCOL_ERROR
        }
        seen.connectionErrors shouldBe 1
        seen.requestsByProtocol.getValue("h2c") shouldBe WELL_BEHAVED
    }

    @ParameterizedTest(name = "frame type {0}")
    @ValueSource(ints = [RawHttp2.PING, RawHttp2.SETTINGS, RawHttp2.PRIORITY, 77])
    fun `a flood of frames that ask for no answer ends its connection, and whoever behaves has his answers meanwhile`(type: Int) {
        val payload = when (type) {
            RawHttp2.PING -> ByteArray(8)
            RawHttp2.PRIORITY -> RawHttp2.int(1) + byteArrayOf(5)
            else -> ByteArray(0)
        }
        val stream = if (type == RawHttp2.PRIORITY) 3 else 0
        val seen = besideTheWellBehaved {
            val connection = server.connectHttpTwo()
            repeat(10_000) { connection.frame(type, stream = stream, payload = payload) }
            connection.nextGoodbye() shouldBeIn CALM_OR_GONE
        }
        seen.connectionErrors shouldBe 1
    }

    @Test
    fun `streams that are wrong over and over end their connection`() {
        val connection = server.connectHttpTwo()
        repeat(5_000) { connection.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS or RawHttp2.END_STREAM, 2 * it + 1) }
        connection.nextGoodbye() shouldBeIn CALM_OR_GONE
        val seen = server.evidenceWhere { it.connectionsOpen == 0 }
        listOf(seen.streamErrors, seen.connectionErrors, seen.arrived) shouldContainExactly listOf(FloodGuard.MOST.toLong(), 1, 0)
    }

    @Test
    fun `empty data over and over ends its connection`() {
        val connection = server.connectHttpTwo().request(1, "/sink", "POST", isEnd = false)
        repeat(5_000) { connection.data(1, ByteArray(0), isEnd = false) }
        connection.nextGoodbye() shouldBeIn CALM_OR_GONE
        server.evidenceWhere { it.connectionsOpen == 0 }.run { listOf(abandoned, inFlight.toLong()) shouldContainExactly listOf(1, 0) }
    }

    @Test
    fun `headers beyond their limit are refused`() {
        val connection = server.connectHttpTwo()
        connection
            .request(1, "/health", headers = arrayOf("x" to "x".repeat(12_000), "y" to "y".repeat(3_000)))
            .nextAnswer()
            .status shouldBe
            "200"
        val long = RawHttp2.block(listOf(":method" to "GET", ":scheme" to "http", ":path" to "/health", "x" to "x".repeat(30_000)))
        connection.frame(RawHttp2.HEADERS, RawHttp2.END_STREAM, 3, long.copyOf(16_000))
        connection.frame(RawHttp2.CONTINUATION, RawHttp2.END_HEADERS, 3, long.copyOfRange(16_000, long.size))
        val frames = generateSequence { connection.next() }.takeWhile { it.type != RawHttp2.GOAWAY && it.stream != 3 }.count()
        frames.toLong() shouldBeLessThan 10
        server.evidence().arrived shouldBe 1
    }

    @ParameterizedTest
    @ValueSource(
        strings = [
            "a frame before the settings", "a frame that is too large", "settings with half a setting",
            "data on no stream", "data on an idle stream",
            "a reset of an idle stream", "a window of nothing", "a continuation of nothing",
            "a header block that is none", "a ping on a stream",
            "an even stream", "a push", "a window that overflows",
        ],
    )
    fun `what breaks the protocol ends its connection, and the server lives`(what: String) {
        val connection = server.connectHttpTwo()
        when (what) {
            "a frame before the settings" -> server.connect().send(RawHttp2.PREFACE + PING_FRAME).readToEnd()
            "a frame that is too large" -> connection.frame(RawHttp2.DATA, payload = ByteArray(16_385))
            "settings with half a setting" -> connection.frame(RawHttp2.SETTINGS, payload = ByteArray(3))
            "data on no stream" -> connection.data(0, ByteArray(1))
            "data on an idle stream" -> connection.data(9, ByteArray(1))
            "a reset of an idle stream" -> connection.reset(9)
            "a window of nothing" -> connection.frame(RawHttp2.WINDOW_UPDATE, payload = ByteArray(4))
            "a continuation of nothing" -> connection.frame(RawHttp2.CONTINUATION, stream = 1, payload = ByteArray(3))
            "a header block that is none" -> connection.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, ByteArray(9) { -1 })
            "a ping on a stream" -> connection.frame(RawHttp2.PING, stream = 1, payload = ByteArray(8))
            "an even stream" -> connection.request(2, "/health")
            "a push" -> connection.frame(5, RawHttp2.END_HEADERS, 1, ByteArray(4))
            "a window that overflows" -> connection.frame(RawHttp2.WINDOW_UPDATE, payload = RawHttp2.int(Int.MAX_VALUE))
        }
        if (what != "a frame before the settings") connection.isAtEnd() shouldBe true
        val seen = server.evidenceWhere { it.connectionErrors == 1L }
        listOf(seen.arrived, seen.streamErrors) shouldContainExactly listOf(0, 0)
        server.get("/health").statusCode() shouldBe 200
    }

    @ParameterizedTest
    @ValueSource(strings = [":path", ":method", ":scheme"])
    fun `a request without what a request must have is reset, and the connection goes on`(name: String) {
        val fields = listOf(":method" to "GET", ":scheme" to "http", ":path" to "/health").filter { it.first != name }
        val connection = server.connectHttpTwo()
        connection.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS or RawHttp2.END_STREAM, 1, RawHttp2.block(fields))
        connection.nextAnswer().reset shouldBe RawHttp2.PROTOCOL_ERROR
        connection.request(3, "/health").nextAnswer().text shouldBe "ok\n"
        server.evidence().run { listOf(arrived, streamErrors, connectionErrors) shouldContainExactly listOf(1, 1, 0) }
    }

    @Test
    fun `200 connections of noise break nothing`() = noise(200)

    @Test
    @Tag("long")
    fun `10,000 connections of noise break nothing`() = noise(10_000)

    /** Right headers of frames, and anything in them; every other connection is cut at any place. */
    private fun noise(connections: Int) {
        val random = Random(42)
        val seen = besideTheWellBehaved {
            repeat(connections) {
                val connection = RawHttp2(server.port)
                repeat(20) {
                    connection.frame(random.nextInt(11), random.nextInt(256), random.nextInt(12), random.nextBytes(random.nextInt(40)))
                }
                connection.bytes(random.nextBytes(random.nextInt(30))).flush()
                if (random.nextBoolean()) connection.nextGoodbye()
                connection.close()
            }
        }
        seen.arrived shouldBe seen.answered + seen.abandoned
    }

    @Test
    fun `a request that is not sent to its end, and a connection that is not used, are given up`() {
        RunningServer(ServerSettings(headTimeout = 300.milliseconds, idleTimeout = 300.milliseconds)).use { server ->
            val connection = server.connectHttpTwo()
            connection.request(1, "/delay", "POST", isEnd = false).request(3, "/delay?delay=2.5").flush()
            connection.nextAnswer().run { listOf(stream, reset) shouldContainExactly listOf(1, RawHttp2.CANCEL) }
            // To wait for an answer is not idle.
            connection.nextAnswer().run { listOf(stream, status) shouldContainExactly listOf(3, "200") }
            connection.nextGoodbye() shouldBe RawHttp2.NO_ERROR
            val seen = server.evidenceWhere { it.connectionsOpen == 0 }
            listOf(seen.streamErrors, seen.connectionsTimedOut, seen.connectionErrors) shouldContainExactly listOf(1, 1, 0)
        }
    }

    @Test
    fun `an answer that is not read is given up`() {
        RunningServer(ServerSettings(idleTimeout = 300.milliseconds)).use { server ->
            val connection = server
                .connectHttpTwo(RawHttp2.setting(4, 0))
                .request(1, "/bytes/100")
                .request(3, "/health")
                .flush()
            val answers = List(2) { connection.nextAnswer() }
            answers.map { it.stream to it.reset }.toSet() shouldBe setOf(1 to RawHttp2.CANCEL, 3 to RawHttp2.CANCEL)
            server.evidence().run { listOf(arrived, abandoned, streamErrors) shouldContainExactly listOf(2, 2, 2) }
        }
    }

    /** Runs [attack] while two clients ask one thing after the other, and returns what was seen when all is over. */
    private fun besideTheWellBehaved(attack: () -> Unit): Evidence {
        val isOver = AtomicBoolean()
        val two = CompletableFuture.supplyAsync {
            val connection = server.connectHttpTwo()
            val rest = (0..<WELL_BEHAVED).map { connection.request((2 * it + 1).toInt(), "/delay?delay=0.01&a=$it").nextAnswer().text }
            connection.close()
            rest
        }
        val one = CompletableFuture.supplyAsync {
            val connection = server.connect()
            var asked = 0
            while (!isOver.get() || asked == 0) {
                connection.sendRequest("/delay?delay=0.001&a=$asked").readAnswer().body shouldBe "delayed 0.001 s, a=${asked++}\n"
            }
            connection.close()
        }
        try {
            attack()
        } finally {
            isOver.set(true)
        }
        two.within() shouldContainExactly (0..<WELL_BEHAVED).map { "delayed 0.01 s, a=$it\n" }
        one.within()
        val seen = server.evidenceWhere { it.connectionsOpen == 0 }
        seen.answeredEarly shouldBe 0
        seen.inFlight shouldBe 0
        return seen
    }

    private companion object {
        const val WELL_BEHAVED = 50L
        const val PING_FRAME = "\u0000\u0000\u0008\u0006\u0000\u0000\u0000\u0000\u000012345678"

        /** A server that closes while it is still being sent to may not be heard to the end of what it says. */
        val CALM_OR_GONE = listOf(RawHttp2.ENHANCE_YOUR_CALM, null)
    }
}
