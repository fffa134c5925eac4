package clientlab.notebook.run

import clientlab.*
import clientlab.closedloop.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.fork.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds

/** Whole runs whose client is some way from the server. */
class WiredRunTest(
    @param:TempDir private val data: Path,
) {
    private fun load(vararg protocol: Protocol) = ClosedLoop(
        clients("jdk"),
        inFlight = listOf(4),
        requests = 40,
        protocol = protocol.toList(),
        wire = listOf(Wire.direct, Wire(rtt = 60.milliseconds)),
    )

    @Test
    fun `a request of each protocol takes its round trip, and none without a wire`() =
        withDataIn(data) {
            Experiment("made", load(Protocol.Http1, Protocol.Https1), forks = 1).run { }
            val trials = RunFolder.all("made").single().trials().filterNot { it.warmup }
            withClue(trials.map { it.reasons }) { trials.map { it.outcome }.distinct() shouldBe listOf(Outcome.Complete) }
            val latencies = trials.groupBy({ it.treatment[Factor.WIRE] }) { it.metrics.getValue("latencyP50Ms") }
            latencies.getValue("60 ms").forEach { it shouldBeGreaterThanOrEqual 60.0 }
            latencies.getValue("60 ms").min() shouldBeGreaterThanOrEqual latencies.getValue("direct").max()
            trials.forEach { it.evidence.shouldNotBeNull().answeredOk shouldBe 40L }
        }

    @Test
    fun `a server elsewhere is refused, because there is a network to it already`() =
        withDataIn(data) {
            ServerProcess.start().use { server ->
                val url = "http://127.0.0.1:${server.address.controlPort}"
                shouldThrow<LabException> { Experiment("made", load(Protocol.Http1), forks = 1).run(url) { } }.message shouldStartWith
                    "The wire runs on this machine, before a delay server of the run's own"
            }
        }
}
