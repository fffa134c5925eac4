package clientlab.articles.http2

import clientlab.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.frame
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

/** Every claim about protocols, and its figure, against trials made by hand. */
class ProtocolClaimsTest : HeldToTrials(protocolClaims) {
    private fun forks(
        protocol: String,
        connections: Double = 200.0,
        threads: Double = 200.0,
        cpu: Double = 1.0,
        client: String = "okhttp",
        peak: Double = 200.0,
    ): List<Trial> =
        List(6) { round ->
            Trial(
                experiment = "made",
                round = round,
                treatment =
                    Treatment(Factor.CLIENT to client, Factor.PROTOCOL to protocol, Factor.IN_FLIGHT to 200, Factor.DELAY_MS to 1_000),
                warmup = false,
                outcome = Outcome.Complete,
                metrics = mapOf(
                    "connectionsOpened" to connections + UNUSED,
                    "connectionsPerRequest" to connections / 200,
                    "threadsBlocked" to threads,
                    "cpuSeconds" to cpu,
                    "inFlightPeak" to peak,
                ),
            )
        }

    private fun pooling(connections: Double, peak: Double) =
        listOf("okhttp", "ktor-okhttp", "jetty").flatMap { forks("h2", connections, client = it, peak = peak) }

    override val cases: Map<String, Case> =
        mapOf(
            "http2.connections" to Case(forks("h2", connections = 1.0), forks("h2", connections = 200.0)),
            "http2.threads" to Case(forks("h2", threads = 200.0), forks("h2", threads = 2.0)),
            "http2.tls" to Case(forks("http/1.1") + forks("https/1.1", cpu = 3.0), forks("http/1.1") + forks("https/1.1", cpu = 1.2)),
            "http2.cheaper" to Case(forks("https/1.1", cpu = 3.0) + forks("h2"), forks("https/1.1") + forks("h2", cpu = 2.0)),
            "http2.streams" to Case(pooling(2.0, 200.0), pooling(1.0, 100.0)),
        )

    @Test
    fun `the figure has a panel a protocol, and says how many, or from how many to how many`() {
        val chart = frame(*(forks("http/1.1") + forks("h2", connections = 1.0)).toTypedArray()).protocolChart("connectionsUsed")
        chart.title shouldBe "200 requests at once use 200 connections in http/1.1, 1 in h2"
        chart.facets?.order shouldBe listOf("http/1.1", "h2")
        shouldThrow<LabException> { frame(*forks("h2").toTypedArray()).protocolChart("dealyMs") }.message shouldContain "connectionsOpened"
    }

    private companion object {
        /** Connections that a client opens and sends nothing over: no claim may count them. */
        const val UNUSED = 20.0
    }
}
