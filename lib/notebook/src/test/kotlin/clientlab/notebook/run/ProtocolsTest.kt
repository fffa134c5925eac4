package clientlab.notebook.run

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.probe.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds

/** Protocols as a factor: one server for all of them, asked in each as the treatment says. */
class ProtocolsTest(
    @param:TempDir private val data: Path,
) {
    private fun asked(vararg protocols: Protocol, client: String = "jdk") =
        Experiment(
            "made",
            Burst(
                clients(client),
                inFlight = listOf(5),
                delay = 200.milliseconds,
                protocol = protocols.toList(),
                start = listOf(Start.Cold),
            ),
            forks = 1,
        )

    @Test
    fun `one run asks one server in every protocol, and the server's evidence says so`() =
        withDataIn(data) {
            asked(*Protocol.overTcp.toTypedArray()).run { }
            val trials = RunFolder.all("made").single().trials()
            trials.map { it.treatment[Factor.PROTOCOL] } shouldContainExactlyInAnyOrder Protocol.overTcp.map { it.label }
            trials.forEach { trial ->
                withClue("${trial.treatment}: ${trial.reasons}") {
                    trial.outcome shouldBe Outcome.Complete
                    trial.warnings.filter { "requests came as" in it }.shouldBeEmpty()
                    val protocol = Protocol.of(trial.treatment[Factor.PROTOCOL])
                    trial.evidence?.requestsByProtocol?.filterValues { it > 0 } shouldBe mapOf(protocol.wire to 5L)
                    ((trial.evidence?.tlsHandshakes ?: 0) > 0) shouldBe protocol.tls
                }
            }
        }

    @Test
    fun `what a client does not speak is refused before anything starts, and so is TLS of a server that has none`() {
        shouldThrow<LabException> { asked(Protocol.Http1, Protocol.Http2, client = "ktor-cio") }.message shouldBe
            "ktor-cio does not speak h2: it speaks http/1.1, https/1.1, so leave one of the two out."
        shouldThrow<LabException> { Preflight.checkRemote(asked(Protocol.Https1), ServerAddress("192.0.2.7", 80, 81)) }.message shouldBe
            "The delay server at 192.0.2.7 has no port for TLS, which https/1.1 needs: start it with --tls-port 0, or leave that out."
        Preflight.checkRemote(asked(Protocol.Http1), ServerAddress("192.0.2.7", 80, 81))
    }
}
