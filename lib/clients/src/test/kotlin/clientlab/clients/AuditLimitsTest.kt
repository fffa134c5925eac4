package clientlab.clients

import clientlab.*
import clientlab.audit.*
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.MethodSource
import kotlin.time.Duration.Companion.seconds

/** The audit, which gets no limit from an adapter, against the limits that are known. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditLimitsTest {
    private lateinit var server: RealServer

    @BeforeAll
    fun start() {
        server = RealServer()
    }

    @AfterAll
    fun stop(): Unit = server.close()

    @Test
    fun `of OkHttp by default the audit finds five per host and sixty-four in all`() = limits("okhttp@default", 5.0, 64.0)

    @Tag("long")
    @ParameterizedTest(name = "{0}: {1} per host, {2} in all")
    @CsvSource(
        "ktor-okhttp@default, 5, 64",
        "retrofit@default, 5, 64",
        "ktor-cio@default, 100, 1000",
        "fuel@default, 64, 64",
        "ktor-apache@default, 1000, 1000",
        "ktor-apache5@default, 1000, 1000",
    )
    fun limits(id: String, toOneHost: Double, inAll: Double) {
        held(id, hosts = 1) shouldBe (toOneHost plusOrMinus toOneHost * SLACK)
        assumeTrue(server.hosts >= HOSTS, "This system has ${server.hosts} loopback addresses of the $HOSTS that this needs.")
        held(id, hosts = HOSTS) shouldBe (inAll plusOrMinus inAll * SLACK)
    }

    @Tag("long")
    @ParameterizedTest(name = "{0}: as many to one host as it declares")
    @MethodSource("declared")
    fun asDeclared(id: String) {
        val limit = info(id).limit!!.toDouble()
        held(id, hosts = 1) shouldBe (limit plusOrMinus limit * SLACK)
    }

    @Tag("long")
    @ParameterizedTest(name = "{0}: no limit up to two thousand")
    @MethodSource("opened")
    fun noLimit(id: String): Unit = held(id, hosts = 1).let { it shouldBe 2_000.0 }

    @Tag("long")
    @Test
    fun `the audit finds the time-outs that the documentation names`() {
        val okHttp = audited("okhttp@default", hosts = 1, waits = 20)
        okHttp.metrics["answerTimeoutMs"].shouldNotBeNull() shouldBe (10_000.0 plusOrMinus 500.0)
        okHttp.metrics["connectTimeoutMs"].shouldNotBeNull() shouldBe (10_000.0 plusOrMinus 500.0)
        val cio = audited("ktor-cio@default", hosts = 1, waits = 20)
        cio.metrics["waitTimeoutMs"].shouldNotBeNull() shouldBe (5_000.0 plusOrMinus 500.0)
        cio.metrics["answerTimeoutMs"].shouldNotBeNull() shouldBe (15_000.0 plusOrMinus 750.0)
    }

    private fun held(id: String, hosts: Int): Double = audited(id, hosts).metrics["heldInFlight"].shouldNotBeNull()

    private fun audited(id: String, hosts: Int, waits: Int = 0) =
        measured(Audit(listOf(info(id)), hosts = listOf(hosts), patience = waits.seconds), server).also {
            withClue("$id: ${it.reasons}") { (it.outcome == Outcome.Invalid) shouldBe false }
        }

    private companion object {
        const val SLACK = 0.05
        const val HOSTS = 20

        @JvmStatic
        fun opened(): List<String> = TestedClients.opened

        /** Without `@hosts`: each of its names is a host, so the test above checks what it holds in all. */
        @JvmStatic
        fun declared(): List<String> =
            Catalogue()
                .entries
                .map { it.info }
                .filter { it.limit != null && it.configuration != ClientInfo.OPENED && "@hosts" !in it.id }
                .map { it.id }
    }
}
