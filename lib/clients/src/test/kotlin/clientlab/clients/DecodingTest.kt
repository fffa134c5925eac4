package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.server.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory
import java.net.URI
import java.time.OffsetDateTime
import java.util.concurrent.ConcurrentLinkedQueue

/** What source 004 needs of its clients beside a burst: they decode an answer, and report the events of a request. */
class DecodingTest {
    private val server = DelayServer()
    private val base = server.start().let { URI("http://${it.host}:${it.port}") }

    @AfterEach
    fun close() = server.close()

    @TestFactory
    fun `a client that reads JSON decodes the time that the server sent`(): List<DynamicTest> =
        Catalogue().entries.filter { it.info.id in TestedClients.ids && Payload.Json in it.info.payloads }.map { entry ->
            dynamicTest("${entry.info.id} decodes it") {
                entry.create().open(Conditions(base, 1, payload = Payload.Json)).use { session ->
                    val reply = runBlocking { session.send(Request("/datetime?delay=0&a=0")) }
                    reply.status shouldBe 200
                    reply.protocol shouldBe "http/1.1"
                    OffsetDateTime.parse(reply.decoded.shouldNotBeNull().datetime)
                }
            }
        }

    @TestFactory
    fun `a client over OkHttp reports when a call left its queue and when it had its connection`(): List<DynamicTest> =
        Catalogue().entries.filter { it.info.id in TELLING }.map { entry ->
            dynamicTest("${entry.info.id} reports both") {
                val told = ConcurrentLinkedQueue<Pair<String, RequestEvent>>()
                val events = RequestEvents { path, event, _ -> told += path to event }
                entry.create().open(Conditions(base, 1, events = events)).use { session ->
                    runBlocking { session.send(Request(PATH)) }
                }
                told.distinct() shouldContainExactly RequestEvent.entries.map { PATH to it }
            }
        }

    private companion object {
        const val PATH = "/delay?delay=0.01&a=7"
        val TELLING = setOf("okhttp", "okhttp@default", "okhttp@hosts", "ktor-okhttp@requests", "retrofit@pool")
    }
}
