package clientlab.gatewayload

import clientlab.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.net.InetSocketAddress
import java.net.ServerSocket
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** The generator of planned requests, against the real delay server. */
class LoadGeneratorTest {
    private val server = RunningServer()
    private val address = InetSocketAddress(server.address.host, server.address.port)
    private val plan = Schedule.arrivals(rate = 100, length = 1.seconds, seed = null)

    @AfterEach
    fun close() = server.close()

    @Test
    fun `requests are sent when they are planned, whether or not those before have been answered`() {
        val result = LoadGenerator(address, plan, 30.seconds) { delayPath(500, it) }.run()
        result.errors shouldBe emptyMap()
        result.answered shouldBe 100
        result.fromPlanned(30.seconds).first() shouldBeGreaterThanOrEqual 500.0
        result.planned.indices.forEach { result.sent[it] - result.planned[it] shouldBeNotBelow 0 }
        server.evidence().peakInFlight.toInt() shouldBeGreaterThan 1
        server.evidence().arrived shouldBe 100
    }

    @Test
    fun `an idle connection is used again`() {
        val result = LoadGenerator(address, Schedule.arrivals(10, 1.seconds, null), 30.seconds) { delayPath(0, it) }.run()
        result.answered shouldBe 10
        server.evidence().connectionsOpened.toInt() shouldBe result.connections
    }

    @Test
    fun `callers that wait for their answers hide what waits for them, and the planned time shows it`() {
        val result = LoadGenerator(address, plan, 60.seconds, callers = 10) { delayPath(200, it) }.run()
        result.answered shouldBe 100
        server.evidence().peakInFlight shouldBe 10
        result.fromPlanned(60.seconds).last() shouldBeGreaterThan result.fromSent().first() + 500
        result.lag().last() shouldBeGreaterThan 500.0
    }

    @Test
    fun `who is not answered in time gives up, and counts as long as was waited`() {
        val result = LoadGenerator(address, Schedule.arrivals(10, 1.seconds, null), 300.milliseconds) { delayPath(60_000, it) }.run()
        result.answered shouldBe 0
        result.errors.values.sum() shouldBe 10
        result.errors.keys shouldBe setOf("no answer within 300ms")
        result.fromPlanned(300.milliseconds).toSet() shouldBe setOf(300.0)
    }

    @Test
    fun `a status other than 200 and a refused connection are failures by kind`() {
        val wrong = LoadGenerator(address, longArrayOf(0), 30.seconds) { "/nonsense" }.run()
        wrong.errors.keys.single().startsWith("status 404") shouldBe true
        val nobody = ServerSocket(0).use { InetSocketAddress("127.0.0.1", it.localPort) }
        LoadGenerator(nobody, longArrayOf(0, 1), 30.seconds) { "/" }.run().errors shouldBe mapOf("connection refused" to 2)
    }

    @Test
    fun `where the server has ended, what is left fails at once`() {
        var looks = 0
        val result = LoadGenerator(address, plan, 30.seconds, alive = { ++looks < 2 }) { delayPath(60_000, it) }.run()
        result.answered shouldBe 0
        result.errors.values.sum() shouldBe 100
    }

    @Test
    fun `random arrivals are as many, in order, and the same for the same seed`() {
        val random = Schedule.arrivals(100, 1.seconds, 7)
        random.size shouldBe plan.size
        random.toList().shouldBeSorted()
        random.toList() shouldBe Schedule.arrivals(100, 1.seconds, 7).toList()
        plan[1] - plan[0] shouldBe 10_000_000
    }

    private infix fun Long.shouldBeNotBelow(least: Long) = (this >= least) shouldBe true
}
