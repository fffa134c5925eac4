package clientlab.conduct

import clientlab.*
import clientlab.client.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainInOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotBeEmpty
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.io.File
import java.io.IOException
import kotlin.io.path.name
import kotlin.io.path.readSymbolicLink

/** Every situation, in this JVM, with a client that does one thing wrong at a time. */
class ConductTrialTest {
    @Test
    fun `a client that does nothing wrong raises no concern`() {
        val blameless = PlainClient(misconduct = null)
        val trial = trial(blameless, Conduct.groups)
        // A machine that stands still for a moment makes a time-out late; what a client does wrong it does again.
        var concerns = trial.concerns()
        repeat(2) {
            if (concerns.isNotEmpty()) concerns = trial(blameless, concerns.map { it.situation }).concerns()
        }
        concerns.shouldBeEmpty()
        trial.observations.map { it.situation } shouldContainExactly Conduct.stories.keys.toList()
        trial.outcome shouldBe Outcome.Complete
        trial.metrics.getValue("situations") shouldBe Conduct.stories.size.toDouble()
        trial.metrics.getValue("concerns") shouldBe trial.concerns().size.toDouble()
    }

    @TestFactory
    fun `each misconduct is named in its situation`(): List<DynamicTest> =
        Misconduct.entries.map { wrong ->
            dynamicTest("$wrong in ${wrong.situation}") {
                val observation = trial(PlainClient(wrong), listOf(wrong.situation)).observations.single()
                withClue(observation) { observation.concern.shouldNotBeEmpty() }
            }
        }

    @Test
    fun `what a client does not support is said, and is no concern`() {
        val refusing = client { throw IllegalArgumentException("Mine speaks another protocol.") }
        val observation = trial(refusing, listOf("idle.closed-get")).observations.single()
        observation.fact shouldBe "not supported: Mine speaks another protocol."
        observation.concern shouldBe ""
    }

    @Test
    fun `a client that has no answer where nothing goes wrong makes the trial invalid`() {
        val broken = client { Around(PlainSession(it, misconduct = null)) { _, _ -> throw IOException("no route") } }
        val trial = trial(broken, listOf("connections"))
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.single() shouldStartWith "The client has no answer even where nothing goes wrong"
    }

    @Test
    fun `a situation in which the process stands still is looked at three times, and the trial says so`() {
        var opened = 0
        val counting = client { conditions -> PlainSession(conditions, misconduct = null).also { opened++ } }
        val quiet = trial(counting, listOf("idle.closed-get"), mostPauseMs = Double.MAX_VALUE)
        quiet.metrics["spoilt"] shouldBe 0.0
        quiet.warnings.shouldBeEmpty()
        val once = opened
        opened = 0
        // No pause is below zero, so that each of them is too long.
        val halting = trial(counting, listOf("idle.closed-get"), mostPauseMs = -1.0)
        halting.metrics["spoilt"] shouldBe 1.0
        halting.warnings.single() shouldStartWith
            "This process stood still for more than -1 ms each of 3 times that it looked at idle.closed-get"
        halting.outcome shouldBe Outcome.Complete
        opened shouldBe once + 2
    }

    @Test
    fun `a pool that takes the last connection first keeps to the slow one, and a client without a pool does not`() {
        fun facts(client: Client) = trial(client, listOf("connections.slow-among", "connections.slow-first")).observations.map { it.fact }
        facts(PlainClient(misconduct = null)) shouldContainExactly List(2) { "sends all twenty over a slow connection" }
        facts(PlainClient(Misconduct.NeverReuses)) shouldContainExactly List(2) { "opens a connection for each of the twenty" }
    }

    @Test
    fun `the events of a situation say who did what, in the order of time`() {
        val observed = trial(PlainClient(Misconduct.RepeatsPost), listOf("idle.closed-on-post")).observations.single()
        observed.events.map { "${it.who} ${it.what}" } shouldContainInOrder listOf(
            "Caller asks GET /first",
            "Client opens connection 1",
            "Client sends GET /first on connection 1",
            "Server answers 200 on connection 1",
            "Caller asks POST /second",
            "Client sends POST /second on connection 1",
            "Server closes connection 1",
            "Client sends POST /second on connection 2",
        )
        observed.events.map { it.ms } shouldBe observed.events.map { it.ms }.sorted()
    }

    @Test
    fun `a session is left with no thread, socket or server behind`() {
        fun threads() = Thread.getAllStackTraces().keys.filter { it.name.startsWith("lab-scripted") || it.name.startsWith("lab-conduct") }
        trial(PlainClient(Misconduct.NoTimeout), listOf("timeouts", "cancellation"))
        eventually({ threads() }) { threads().isEmpty() }
    }

    @Tag("long")
    @Test
    fun `no situation leaves a thread, a port or a process behind, also where the client leaks`() {
        fun threads() = Thread.getAllStackTraces().keys.map { it.name }.filter { name -> OURS.any(name::startsWith) }

        fun left() = threads() + listening() + ProcessHandle.current().children().toList().map { "process ${it.pid()}" }
        val before = left()
        listOf(
            Misconduct.LeaksDescriptors,
            Misconduct.OutlivesClose,
            Misconduct.HoldsMain,
        ).forEach { trial(PlainClient(it), Conduct.groups) }
        eventually({ left() - before }) { (left() - before).isEmpty() }
    }

    /** The ports on which this process listens. */
    private fun listening(): List<String> {
        val own = File("/proc/self/fd").listFiles().orEmpty().mapNotNull { runCatching { it.toPath().readSymbolicLink().name }.getOrNull() }
        return listOf("tcp", "tcp6")
            .flatMap { File("/proc/self/net/$it").readLines().drop(1) }
            .map { it.trim().split(Regex(" +")) }
            .filter { it[STATE] == LISTENS && "socket:[${it[INODE]}]" in own }
            .map { "port ${it[ADDRESS].substringAfter(':')}" }
    }

    @Test
    fun `a name that is no situation is refused with those that are`() {
        shouldThrow<LabException> { Conduct(listOf(info("mine")), listOf("idel")) }.message shouldStartWith
            "There is no situation 'idel': name a group, which are timeouts, cancellation, "
        shouldThrow<LabException> { Conduct(emptyList()) }.message shouldStartWith "Somebody must be observed"
        Conduct(listOf(info("mine"))).treatments.map { it.client } shouldContain "mine"
    }

    private fun Trial.concerns() = observations.filter { it.concern.isNotEmpty() }

    private fun trial(client: Client, situations: List<String>, mostPauseMs: Double = 50.0): Trial {
        val conduct = Conduct(listOf(info("mine")), situations)
        val kept = ArrayList<Trial>()
        RunningServer().use { running ->
            running.probe().use { probe ->
                val spec = TrialSpec("made", 0, conduct, conduct.treatments.single(), running.address)
                ConductTrial(TrialScope(spec, probe, client) { kept += it }, conduct, mostPauseMs).run()
            }
        }
        return kept.single()
    }

    private companion object {
        val OURS = listOf("lab-scripted", "lab-conduct", "lab-closing")

        /** The columns of `/proc/net/tcp`, and its word for a socket that listens. */
        const val ADDRESS = 1
        const val STATE = 3
        const val INODE = 9
        const val LISTENS = "0A"
    }
}
