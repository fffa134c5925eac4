package clientlab.clients

import clientlab.client.*
import clientlab.server.*
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory
import java.net.URI
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.DurationUnit
import kotlin.time.measureTimedValue

/** Ktor's engines have time-outs of their own, and some of them none for a whole call: the deadline sets it for all of them. */
class DeadlineTest {
    private val server = DelayServer()
    private val base = server.start().let { URI("http://${it.host}:${it.port}") }

    @AfterEach
    fun close() = server.close()

    @TestFactory
    fun `an engine of Ktor ends a call at the deadline, although its time-outs are longer`(): List<DynamicTest> =
        Catalogue().entries.filter { it.info.id in ENGINES }.map { entry ->
            dynamicTest("${entry.info.id} ends it") {
                entry.create().open(Conditions(base, 1, deadline = 300.milliseconds)).use { session ->
                    val (answer, took) = measureTimedValue {
                        runBlocking { runCatching { session.send(Request("/delay?delay=3&a=deadline")) } }
                    }
                    answer.isFailure shouldBe true
                    took.toDouble(DurationUnit.SECONDS).shouldBeBetween(0.29, 2.5, 0.0)
                }
            }
        }

    @TestFactory
    fun `without one it waits for the answer`(): List<DynamicTest> =
        Catalogue().entries.filter { it.info.id in ENGINES }.map { entry ->
            dynamicTest("${entry.info.id} waits") {
                entry.create().open(Conditions(base, 1)).use { session ->
                    runBlocking { session.send(Request("/delay?delay=0.5&a=deadline")) }.status shouldBe 200
                }
            }
        }

    private companion object {
        val ENGINES = setOf("ktor-cio", "ktor-okhttp", "ktor-java", "ktor-apache", "ktor-apache5")
    }
}
