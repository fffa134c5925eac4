package clientlab.notebook.run

import clientlab.*
import clientlab.child.*
import clientlab.notebook.fork.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.minutes

/**
 * An experiment in one network namespace against a delay server in another: what two machines are to each other, but for their clocks.
 * Skipped where this user may make no namespaces, and the second where the kernel holds no packets back.
 */
@Tag("long")
class TwoNetworksTest(
    @param:TempDir private val data: Path,
) {
    private val mark = ProcessHandle.current().pid()
    private val here = "lab-here-$mark"
    private val there = "lab-there-$mark"
    private val made = ArrayList<String>()

    @AfterEach
    fun `leave no namespace behind`() = made.forEach { run("ip", "netns", "delete", it) }

    @Test
    @Timeout(5, unit = TimeUnit.MINUTES)
    fun `an experiment is complete against a server in another network`() {
        val folder = runApart(oneWayMs = 0)
        folder.manifest.server["elsewhere"] shouldBe "http://$THERE:$CONTROL"
        val trial = folder.trials().single { !it.warmup }
        withClue(trial.reasons) { trial.outcome shouldBe Outcome.Complete }
        trial.warnings.joinToString() shouldContain "The server is elsewhere: when it saw a request is known here to within "
    }

    @Test
    @Timeout(5, unit = TimeUnit.MINUTES)
    fun `the way to a server is in a trial's latencies and in what the run says of it, and no fault of the trial`() {
        val folder = runApart(ONE_WAY_MS)
        folder.manifest.server
            .getValue("roundTripMicros")
            .toDouble() shouldBeGreaterThanOrEqual 2 * ONE_WAY_MS * 1e3
        val trial = folder.trials().single { !it.warmup }
        withClue(trial.reasons) { trial.outcome shouldBe Outcome.Complete }
        // There and back to open the connection, and there and back for the request.
        trial.metrics.getValue("latencyP50Ms") shouldBeGreaterThanOrEqual (DELAY_MS + 4 * ONE_WAY_MS).toDouble()
        // Three of the four ways are over when it arrives, by a clock that is read over the network.
        trial.metrics.getValue("arrivalP50Ms") shouldBeGreaterThanOrEqual (2 * ONE_WAY_MS).toDouble()
    }

    @Test
    @Timeout(5, unit = TimeUnit.MINUTES)
    fun `a campaign's shards against a server in another network are merged into one run`() {
        val folder = runApart(oneWayMs = 0, shards = 3)
        folder.manifest.server["elsewhere"] shouldBe "http://$THERE:$CONTROL"
        folder.manifest.shards.size shouldBe 3
        val trials = folder.trials().filter { !it.warmup }
        trials.map { it.round } shouldBe listOf(0, 1, 2)
        trials.forEach { withClue(it.reasons) { it.evidence.shouldNotBeNull().arrived shouldBe 20 } }
    }

    /**
     * The folder of a run in one namespace, or of what its [shards] were merged into, against a server in another, every packet held back for
     * so long on its way.
     */
    private fun runApart(oneWayMs: Int, shards: Int? = null): RunFolder {
        for (name in listOf(here, there)) {
            assumed("this system lets this user make no network namespaces", "ip", "netns", "add", name)
            made += name
        }
        val pair = arrayOf("type", "veth", "peer", "name", "lab1")
        assumed("this system has no pairs of virtual interfaces", "ip", "-n", here, "link", "add", "lab0", *pair)
        needed("ip", "-n", here, "link", "set", "lab1", "netns", there)
        for ((name, link, address) in listOf(Triple(here, "lab0", HERE), Triple(there, "lab1", THERE))) {
            needed("ip", "-n", name, "address", "add", "$address/30", "dev", link)
            needed("ip", "-n", name, "link", "set", link, "up")
            needed("ip", "-n", name, "link", "set", "lo", "up")
            val held = arrayOf("root", "netem", "delay", "${oneWayMs}ms")
            if (oneWayMs > 0) assumed("this kernel cannot hold packets back (netem)", "tc", "-n", name, "qdisc", "add", "dev", link, *held)
        }
        val options = ServerProcess.optionFiles.map { "@$it" }
        val server = listOf(TrialJvm.java.toString()) + options + listOf("-jar", ServerProcess.jar.toString(), "--parent-stdin") + SERVER
        ChildProcess(within(there, server)).use { child ->
            val ready = child.nextLine(1.minutes)
            withClue(child.lastWords()) { ready.shouldNotBeNull() }
            val asked = listOfNotNull("$data", "http://$THERE:$CONTROL/?token=$TOKEN", shards?.toString())
            ChildProcess(within(here, ownJvm(RemoteRun::class.java.name, *asked.toTypedArray()))).use { run ->
                val said = generateSequence { run.nextLine(3.minutes) }.toList()
                run.awaitEnd(1.minutes)
                withClue("$said ${run.lastWords()}") { run.exitCode shouldBe 0 }
            }
        }
        var folder: RunFolder? = null
        withDataIn(data) { folder = RunFolder.all("apart").single { it.manifest.experiment.shard == null } }
        return folder.shouldNotBeNull()
    }

    private fun within(namespace: String, command: List<String>) = listOf("ip", "netns", "exec", namespace) + command

    private fun assumed(otherwise: String, vararg command: String) {
        val (code, said) = run(*command)
        assumeTrue(code == 0, "$otherwise ($said), so no experiment was run between two networks")
    }

    private fun needed(vararg command: String) {
        val (code, said) = run(*command)
        check(code == 0) { "${command.joinToString(" ")}: $said" }
    }

    private fun run(vararg command: String): Pair<Int, String> =
        try {
            val process = ProcessBuilder(*command).redirectErrorStream(true).start()
            val said = process.inputReader().readText().trim()
            process.waitFor() to said
        } catch (e: IOException) {
            1 to "${e.message}"
        }

    private companion object {
        const val ONE_WAY_MS = 10
        const val DELAY_MS = 500
        const val HERE = "192.0.2.1"
        const val THERE = "192.0.2.2"
        const val CONTROL = 8081
        const val TOKEN = "between-two-networks"

        /** What a server that listens beyond loopback is started with. */
        val SERVER = listOf("--host", THERE, "--expose", "--token", TOKEN, "--port", "8080", "--control-port", "$CONTROL")
    }
}
