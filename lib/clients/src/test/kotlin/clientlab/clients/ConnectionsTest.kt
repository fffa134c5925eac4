package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.closedloop.*
import clientlab.openloop.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** How many connections real clients open for many fast calls, with and without TLS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectionsTest {
    private lateinit var server: RealServer

    @BeforeAll
    fun start() {
        server = RealServer(listOf("--tls-port", "0"))
    }

    @AfterAll
    fun stop(): Unit = server.close()

    @ParameterizedTest(name = "{0} keeps its connections in {1}, and opens hardly one after the warm-up")
    @CsvSource("jdk,Http1", "jdk,Https1", "okhttp,Http1", "okhttp,Https1", "retrofit,Http1", "ktor-okhttp,Http1")
    fun keepsConnections(id: String, protocol: Protocol) {
        val trial = fast(id, protocol)
        trial.number("connectionsPerRequest").shouldBeBetween(0.0, 0.05, 0.0)
        trial.number("tlsHandshakes") shouldBe if (protocol.tls) trial.number("connectionsOpened") else 0.0
    }

    @ParameterizedTest(name = "Ktor CIO has a connection for each request in {0}, and over TLS a handshake too")
    @CsvSource("Http1", "Https1")
    fun opensAConnectionForEachRequest(protocol: Protocol) {
        val trial = fast("ktor-cio", protocol)
        trial.number("connectionsPerRequest") shouldBe 1.0
        trial.number("tlsHandshakes") shouldBe if (protocol.tls) REQUESTS.toDouble() else 0.0
    }

    @Test
    fun `with its pool of five OkHttp opens connections again, and with the pool opened it does not`() {
        val five = fast("okhttp@pool-of-five", Protocol.Http1, IN_FLIGHT * 2)
        val opened = fast("okhttp", Protocol.Http1, IN_FLIGHT * 2)
        println("pool of five: ${five.number("connectionsOpened")}, opened: ${opened.number("connectionsOpened")}")
        (five.number("connectionsOpened") > opened.number("connectionsOpened")) shouldBe true
    }

    @Test
    fun `planned calls go over TLS too`() {
        val load = OpenLoop(
            listOf(info("jdk")),
            rate = listOf(50),
            seconds = 1,
            delay = 1.milliseconds,
            warmUp = 1.seconds,
            protocol = listOf(Protocol.Https1),
        )
        val trial = measured(load, server)
        trial.treatment[Factor.PROTOCOL] shouldBe "https/1.1"
        trial.metrics["answeredShare"] shouldBe 1.0
        trial.number("tlsHandshakes") shouldBe trial.number("connectionsOpened")
    }

    /** KTOR-7009. If this fails after an update of Ktor, the client works: see [ClientInfo.since]. */
    @Test
    fun `before 3_6_0 Ktor CIO with pipelining closes each connection before its answer`() {
        val info = info("ktor-cio@pipelining")
        TestedClients.ids.filter { it == info.id }.shouldBeEmpty()
        server.reset()
        val client = Catalogue().entries.single { it.info.id == info.id }.create()
        var answers = 0
        client.open(Conditions(server.baseUrl, 1)).use { session ->
            repeat(TRIED) { number ->
                val request = Request("/delay?delay=0.1&a=$number")
                val reply = runBlocking { withTimeoutOrNull(2.seconds) { runCatching { session.send(request) }.getOrNull() } }
                if (reply?.status == 200) answers++
            }
        }
        val evidence = server.evidence()
        withClue("answers of $TRIED: $evidence") { answers shouldBeLessThan TRIED }
        withClue("connections: $evidence") { evidence.int("connectionsOpened") shouldBe evidence.int("arrived") }
    }

    @Test
    fun `a client that does not speak TLS in HTTP 2 is refused in the sentence of bursts`() {
        val sentence = "ktor-cio does not speak h2: it speaks http/1.1, https/1.1, so leave one of the two out."
        val http2 = listOf(Protocol.Http2)
        shouldThrow<LabException> { ClosedLoop(listOf(info("ktor-cio")), protocol = http2) }.message shouldBe sentence
        shouldThrow<LabException> { OpenLoop(listOf(info("ktor-cio")), protocol = http2) }.message shouldBe sentence
    }

    private fun fast(id: String, protocol: Protocol, inFlight: Int = IN_FLIGHT): Trial {
        val trial = measured(ClosedLoop(listOf(info(id)), listOf(inFlight), REQUESTS, protocol = listOf(protocol)), server)
        withClue("$id $protocol: ${trial.reasons}") { trial.outcome shouldBe Outcome.Complete }
        trial.treatment[Factor.PROTOCOL] shouldBe protocol.label.takeIf { protocol != Protocol.Http1 }
        return trial
    }

    private fun Trial.number(metric: String): Double = withClue("$metric of $treatment") { metrics[metric].shouldNotBeNull() }

    private companion object {
        const val REQUESTS = 1_000
        const val IN_FLIGHT = 16
        const val TRIED = 6
    }
}
