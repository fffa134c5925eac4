package clientlab.articles.http2

import clientlab.*
import clientlab.notebook.made.*

/** Every claim about handshakes of fast requests, against trials made by hand. */
class HandshakeClaimsTest : HeldToTrials(handshakeClaims) {
    private fun forks(client: String, protocol: Protocol, cpuMs: Double, connections: Double = 0.001): List<Trial> =
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
                metrics = mapOf("requestCpuMs" to cpuMs, "connectionsPerRequest" to connections, "steady" to 1.0),
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
}
