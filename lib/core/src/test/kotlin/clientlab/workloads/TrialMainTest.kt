package clientlab.workloads

import clientlab.*
import clientlab.burst.*
import clientlab.probe.*
import clientlab.server.*
import clientlab.testing.*
import clientlab.trial.*
import clientlab.workloads.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** The trial JVM as a real child. */
class TrialMainTest {
    private val server = RunningServer()
    private val children = ArrayList<Process>()

    @AfterEach
    fun close() {
        children.forEach { it.destroyForcibly().waitFor() }
        server.close()
    }

    @Test
    fun `one line in, one line a trial out, and the end is a good one`() {
        val child = child(spec("test-socket", start = Start.Warm))
        val trials = child.trials()
        child.waitFor() shouldBe 0
        trials.map { it.warmup } shouldContainExactly listOf(true, false)
        trials.flatMap { it.reasons } shouldBe emptyList()
        trials.map { it.outcome } shouldContainExactly listOf(Outcome.Complete, Outcome.Complete)
        trials.last().metrics["threadsBlocked"] shouldBe 10.0
        // Told here and not in the tests' own JVM: its assertions switch on the debug mode of coroutines, which renames threads.
        trials.last().threads.single { it.state.blocked }.owner shouldBe "caller threads"
    }

    @Test
    fun `what a client prints comes between no lines`() {
        val child = child(spec("test-talker"))
        child.trials().single().outcome shouldBe Outcome.Complete
        child.waitFor() shouldBe 0
    }

    @Test
    fun `a trial over TLS trusts the server's certificate as any JVM trusts one, and leaves no file of it`(
        @TempDir temporary: Path,
    ) {
        RunningServer(ServerSettings(tlsPort = 0)).use { overTls ->
            for (protocol in listOf(Protocol.Https1, Protocol.Http2)) {
                val child = child(spec("test-jdk", protocol = protocol, address = overTls.address), "-Djava.io.tmpdir=$temporary")
                val trial = child.trials().single()
                child.waitFor() shouldBe 0
                trial.reasons shouldBe emptyList()
                trial.warnings shouldBe emptyList()
                trial.evidence
                    .shouldNotBeNull()
                    .requestsByProtocol
                    .filterValues { it > 0 } shouldBe mapOf(protocol.wire to 10L)
                temporary.listDirectoryEntries("client-lab-trust*") shouldBe emptyList()
            }
        }
    }

    @Test
    fun `a server without TLS is an invalid trial with a sentence, where the treatment asks for it`() {
        child(spec("test-jdk", protocol = Protocol.Http2)).trials().single().reasons shouldContainExactly
            listOf("The delay server has no port for TLS, which h2 needs: start it with --tls-port 0.")
    }

    @Test
    fun `an unknown client is an invalid trial with the known ones`() {
        val child = child(spec("test-unknown"))
        val trial = child.trials().single()
        child.waitFor() shouldBe 0
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons shouldContainExactly listOf("No client 'test-unknown' on this classpath; it has test-socket, test-jdk, test-talker.")
        trial.metrics shouldBe emptyMap()
    }

    @Test
    fun `a server that ends in mid-trial is an invalid trial with a sentence, and no number`() {
        val child = child(spec("test-socket", delay = 60.seconds))
        server.probe().use { it.await(10, 1.minutes).reached shouldBe true }
        server.stop()
        val trial = child.trials().single()
        child.waitFor() shouldBe 0
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons shouldContainExactly listOf("The delay server ended, or stopped answering, during the trial.")
        trial.metrics shouldBe emptyMap()
    }

    @Test
    fun `a server that was never there is an invalid trial with a sentence`() {
        server.stop()
        child(spec("test-socket")).trials().single().reasons shouldContainExactly
            listOf("The delay server ended, or stopped answering, during the trial.")
    }

    @Test
    fun `a child whose parent is gone in mid-trial ends by itself and gives its connections back`() {
        val child = child(spec("test-socket", delay = 60.seconds))
        server.probe().use { it.await(10, 1.minutes).reached shouldBe true }
        child.outputStream.close()
        child.waitFor() shouldNotBe 0
        child.trials() shouldBe emptyList()
        eventually { server.evidence().connectionsOpen == 0 }
    }

    private fun spec(
        client: String,
        delay: Duration = 1.seconds,
        start: Start = Start.Cold,
        protocol: Protocol = Protocol.Http1,
        address: ServerAddress = server.address,
    ): TrialSpec {
        val entry = TestCatalogue().entries.map { it.info }.find { it.id == client } ?: info(client)
        val burst = Burst(listOf(entry), listOf(10), delay, listOf(protocol), start = listOf(start))
        return TrialSpec("test", 1, burst, burst.treatments.single(), address)
    }

    private fun child(spec: TrialSpec, vararg jvmArgs: String): Process {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val child = ProcessBuilder(listOf(java, "-Xmx256m", *jvmArgs, "-cp", CLASSPATH, "clientlab.workloads.TrialMainKt"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
        children += child
        child.outputStream.write((ExperimentJson.encodeToString(spec) + "\n").encodeToByteArray())
        child.outputStream.flush()
        return child
    }

    private fun Process.trials(): List<Trial> = inputReader().lines().map { ExperimentJson.decodeFromString<Trial>(it) }.toList()

    private companion object {
        /** Surefire starts its JVM with a jar that only points to the classpath. */
        val CLASSPATH: String = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
    }
}
