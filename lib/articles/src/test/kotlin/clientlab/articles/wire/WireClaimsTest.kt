package clientlab.articles.wire

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.of
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

/** Every claim about round trips, and their figure and table, against trials made by hand. */
class WireClaimsTest : HeldToTrials(wireClaims) {
    /** Forks without a network and at 150 ms, where the first request takes [first] round trips and the next one [next]. */
    private fun forks(client: String, protocol: Protocol, first: Double, next: Double = 1.0): List<Trial> =
        listOf("direct" to 0, "150 ms" to 150).flatMap { (wire, rtt) ->
            List(8) { round ->
                Trial(
                    experiment = "wires",
                    round = round,
                    treatment = Treatment(
                        Factor.CLIENT to client,
                        Factor.PROTOCOL to protocol.label,
                        Factor.IN_FLIGHT to 1,
                        Factor.DELAY_MS to 0,
                        Factor.WIRE to wire,
                        Factor.START to "warm",
                    ),
                    warmup = false,
                    outcome = Outcome.Complete,
                    metrics = mapOf("durationMs" to 3.0 + rtt * first, "durationAgainMs" to 1.0 + rtt * next),
                )
            }
        }

    private fun loads(protocol: Protocol, wire: String, metrics: Map<String, Double>): List<Trial> {
        val treatment = Treatment(Factor.CLIENT to "spring-webclient", Factor.PROTOCOL to protocol.label, Factor.WIRE to wire)
        return forks("spring-webclient", protocol, first = 1.0).take(8).map { it.copy(treatment = treatment, metrics = metrics) }
    }

    private fun loss(p99: Double): List<Trial> = listOf("40 ms" to 45.0, "40 ms, loss 2 %" to p99).flatMap { (wire, slow) ->
        loads(Protocol.Http3, wire, mapOf("latencyP50Ms" to 42.0, "latencyP99Ms" to slow))
    }

    private fun cost(newer: Double): List<Trial> = listOf(Protocol.Http2 to 0.1, Protocol.Http3 to newer).flatMap { (protocol, cost) ->
        loads(protocol, "direct", mapOf("requestCpuMs" to cost))
    }

    private fun case(protocol: Protocol, right: Double, next: Double = 1.0, wrong: Double = right, wrongNext: Double = next): Case {
        val good = forks("okhttp", protocol, right, next)
        return Case(good + forks("jdk", protocol, right, next), good + forks("jdk", protocol, wrong, wrongNext))
    }

    override val cases: Map<String, Case> = mapOf(
        "wire.http" to case(Protocol.Http1, 2.0, wrong = 2.2),
        "wire.https" to case(Protocol.Https1, 3.0, wrong = 4.0),
        "wire.http2" to case(Protocol.Http2, 3.0, wrong = 4.0),
        "wire.kept" to case(Protocol.Https1, 3.0, wrongNext = 3.0),
        "wire.kept-http2" to case(Protocol.Http2, 3.0, wrongNext = 2.0),
        "wire.http3" to case(Protocol.Http3, 2.0, wrong = 3.0),
        "wire.kept-http3" to case(Protocol.Http3, 2.0, wrongNext = 2.0),
        "wire.loss" to Case(loss(p99 = 130.0), loss(p99 = 60.0)),
        "wire.http3-cost" to Case(cost(newer = 0.2), cost(newer = 0.12)),
    )

    private val trials = listOf(
        forks("okhttp", Protocol.Http1, 2.0),
        forks("ktor-cio", Protocol.Http1, 2.04, next = 2.0),
        forks("fuel", Protocol.Http1, 1.02),
    ).flatten().toTypedArray()

    @Test
    fun `the figure counts round trips, and names who connects again`() {
        val chart = of<Burst>(*trials).roundTripChart()
        chart.title shouldBe "A first request takes 2 round trips over http/1.1 (fuel 1); ktor-cio connects again each time"
        chart.facets.shouldNotBeNull().order shouldContainExactly listOf("first request, http/1.1", "next request, http/1.1")
        chartRenderer().render(chart).svg shouldStartWith "<svg"
        of<Burst>(*trials).roundTripChart(rttMs = 40).title shouldBe "No session here sent two requests over a network"
    }

    @Test
    fun `the table has a column for each round-trip time`() {
        val table = of<Burst>(*trials).wireTable()
        table.columnNames() shouldContainExactly listOf("client", "protocol", "request", "at 0 ms", "at 150 ms", "origin")
        table.rows().map { it["request"] } shouldContainExactly List(3) { listOf("first", "next") }.flatten()
    }
}
