package clientlab.articles.http2

import clientlab.*
import clientlab.closedloop.*
import clientlab.notebook.chart.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.of
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test

/** Every claim about handshakes of fast requests, and their figure, against trials made by hand. */
class HandshakeClaimsTest : HeldToTrials(handshakeClaims) {
    private fun forks(
        client: String,
        protocol: Protocol,
        cpuMs: Double,
        connections: Double = 0.001,
        steady: Boolean = true,
    ): List<Trial> =
        List(8) { round ->
            Trial(
                experiment = "handshakes",
                round = round,
                treatment = Treatment(
                    Factor.CLIENT to client,
                    Factor.IN_FLIGHT to 16,
                    Factor.TASKS to 10_000,
                    Factor.DELAY_MS to 0,
                    Factor.PROTOCOL to protocol.label,
                    Factor.START to "steady",
                ),
                warmup = false,
                outcome = Outcome.Complete,
                metrics = mapOf("requestCpuMs" to cpuMs, "connectionsPerRequest" to connections) + ("steady" to if (steady) 1.0 else 0.0),
            )
        }

    private fun both(client: String, plain: Double, secure: Double, connections: Double = 0.001) =
        forks(client, Protocol.Http1, plain, connections) + forks(client, Protocol.Https1, secure, connections)

    private val kept = both("okhttp", 0.1, 0.12) + both("jdk", 0.1, 0.13)

    override val cases: Map<String, Case> =
        mapOf(
            "http2.handshake" to
                Case(both("ktor-cio:3.6.1", 0.4, 1.5, connections = 1.0), both("ktor-cio:3.6.1", 0.4, 0.6, connections = 1.0)),
            "http2.kept" to Case(kept, both("okhttp", 0.1, 0.12) + both("jdk", 0.1, 0.3)),
            "http2.pipelining" to Case(
                forks("ktor-cio:3.6.1", Protocol.Http1, 0.4, 1.0) + forks("ktor-cio@pipelining:3.6.1", Protocol.Http1, 0.2),
                forks("ktor-cio:3.6.1", Protocol.Http1, 0.4, 1.0) + forks("ktor-cio@pipelining:3.6.1", Protocol.Http1, 0.4),
            ),
        )

    @Test
    fun `forks that were not steady have a panel of their own, and the headline speaks of steady ones alone`() {
        val restless = listOf(Protocol.Http1 to 1.0, Protocol.Https1 to 6.0).flatMap { (protocol, cpuMs) ->
            forks("ktor-cio:3.6.1", protocol, cpuMs, connections = 1.0, steady = false)
        }
        val chart = of<ClosedLoop>(*(restless + kept).toTypedArray()).handshakeChart()
        chart.title shouldBe
            "With TLS a request costs okhttp 1.20 times, jdk 1.30 times the processor time; ktor-cio:3.6.1 had too few steady forks"
        chart.facets.shouldNotBeNull().order shouldContainExactly listOf("steady forks", "forks that were not steady")
        chart.marks.filterIsInstance<Points>().first().data.size shouldBe 48
        chart.isEmpty shouldBe false
        chartRenderer().render(chart).svg shouldStartWith "<svg"
        of<ClosedLoop>(*kept.toTypedArray()).handshakeChart().facets.shouldBeNull()
        of<ClosedLoop>(*forks("jdk", Protocol.Http1, 1.0).toTypedArray()).handshakeChart().title shouldBe
            "No client here was measured with TLS and without it"
    }
}
