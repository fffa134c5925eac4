package clientlab.clients

import clientlab.client.*
import io.kotest.assertions.withClue
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.abort
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.seconds

/** Streams that go on: a caller gets each event when the server sends it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StreamsTest {
    private lateinit var server: RealServer

    @BeforeAll
    fun start() {
        server = RealServer()
    }

    @AfterAll
    fun stop() = server.close()

    @ParameterizedTest(name = "{0} reads events as they come")
    @MethodSource("opened")
    fun events(id: String) = reads(id, Request("/events?$FIVE", large = true))

    @ParameterizedTest(name = "{0} reads messages of a WebSocket as they come", allowZeroInvocations = true)
    @MethodSource("withWebSockets")
    fun messages(id: String) = reads(id, Request("/socket?$FIVE", webSocket = true))

    @ParameterizedTest(name = "{0} closes a WebSocket that its caller has cancelled", allowZeroInvocations = true)
    @MethodSource("withWebSockets")
    fun cancelled(id: String) {
        afterCancelling(id) shouldBe 0
    }

    /** How many requests are in flight once the caller of a WebSocket has gone and the client had five seconds. */
    private fun afterCancelling(id: String): Int {
        val session = open(id, webSockets = true)
        val scope = CoroutineScope(Dispatchers.IO)
        val opened = CountDownLatch(1)
        val held = scope.launch { session.send(Request("/socket?every=10&events=2", webSocket = true, onRead = { opened.countDown() })) }
        // The server has one in flight before the client has opened it, and to cancel it then is another question.
        opened.await(SECONDS.toLong(), TimeUnit.SECONDS) shouldBe true
        server.evidence().int("inFlight") shouldBe 1
        held.cancel()
        val left = server.await(SECONDS) { it.int("inFlight") == 0 }.int("inFlight")
        // The server ends it ten seconds after it began, and the next test begins with none.
        server.await(2 * SECONDS) { it.int("inFlight") == 0 }
        session.close()
        return left
    }

    private fun reads(id: String, request: Request) {
        val pieces = ConcurrentLinkedQueue<Pair<Long, Int>>()
        open(id, request.webSocket).use { session ->
            try {
                runBlocking { withTimeout(PATIENCE) { session.send(request.copy(onRead = { pieces += System.nanoTime() to it })) } }
            } catch (unsupported: UnsupportedRequest) {
                abort<Unit>("$id: ${unsupported.message}")
            }
        }
        withClue(pieces) {
            pieces.sumOf { it.second } shouldBe 5 * BYTES
            // The first comes at once and the last 1.2 s later; what is read at the end alone has no time between.
            (pieces.last().first - pieces.first().first) / 1_000_000 shouldBeGreaterThanOrEqual 500
        }
    }

    private fun open(id: String, webSockets: Boolean): Session {
        val conditions = Conditions(server.baseUrl, inFlight = 2, webSockets = webSockets)
        return Catalogue().entries.single { it.info.id == id }.create().open(conditions)
    }

    private companion object {
        const val BYTES = 64
        const val FIVE = "every=0.3&events=5&size=$BYTES"
        const val SECONDS = 5
        val PATIENCE = 20.seconds

        @JvmStatic
        fun opened(): List<String> = TestedClients.opened

        @JvmStatic
        fun withWebSockets(): List<String> = TestedClients.opened.filter { info(it).webSockets }
    }
}
