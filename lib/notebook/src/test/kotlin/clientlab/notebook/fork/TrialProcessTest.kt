package clientlab.notebook.fork

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.run.*
import clientlab.probe.*
import clientlab.trial.*
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import kotlin.concurrent.thread
import kotlin.streams.toList
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class TrialProcessTest {
    private val server = ServerProcess.start()

    @AfterEach
    fun closeServer() = server.close()

    private fun spec(client: ClientInfo, delay: Duration): TrialSpec {
        val burst = Burst(listOf(client), inFlight = listOf(1), delay = delay, start = listOf(Start.Cold))
        return TrialSpec("made", 3, burst, burst.treatments.single(), server.address)
    }

    private val slow = spec(clients("urlconnection").single(), 50.seconds)

    private fun List<Trial>.shouldBeOneInvalid(): String {
        val trial = single()
        trial.outcome shouldBe Outcome.Invalid
        trial.warmup shouldBe false
        trial.round shouldBe 3
        trial.treatment shouldBe Treatment(
            Factor.CLIENT to checkNotNull(trial.treatment.client),
            Factor.PROTOCOL to "http/1.1",
            Factor.IN_FLIGHT to 1,
            Factor.DELAY_MS to trial.treatment.number(Factor.DELAY_MS),
            Factor.START to "cold",
        )
        trial.metrics.keys shouldBe setOf("trialMs")
        return trial.reasons.single()
    }

    private fun forks() = ProcessHandle
        .current()
        .children()
        .filter { it.isAlive && it.pid() != server.pid }
        .toList()

    @Test
    fun `a fork that cannot load its main is an invalid trial with its last words`() {
        TrialProcess(emptyList(), emptyList()).run(slow, 5.minutes).shouldBeOneInvalid() shouldStartWith
            "The fork ended with code 1 before it had measured: Error: Could not find or load main class clientlab.workloads.TrialMainKt"
    }

    @Test
    fun `a fork with options that no JVM knows is an invalid trial with its last words`() {
        TrialProcess(TrialJvm.classpath(), listOf("-XX:+NoSuchOption")).run(slow, 5.minutes).shouldBeOneInvalid() shouldStartWith
            "The fork ended with code 1 before it had measured: Error: Could not create the Java Virtual Machine."
    }

    @Test
    fun `a fork that ends in the midst of its line is an invalid trial`() {
        // What follows the name of a main is no option any more, so this main runs in the fork's place.
        val torn = ownJvm(TornRun::class.java.name, "137").drop(1)
        TrialProcess(emptyList(), torn).run(slow, 5.minutes).shouldBeOneInvalid() shouldStartWith
            "The fork ended with code 137 before it had measured"
    }

    @Test
    fun `a client that the fork does not have is an invalid trial that names those it has`() {
        val spec = spec(ClientInfo("nobody", "Nobody", "a:b", "none"), 1.seconds)
        TrialProcess(TrialJvm.classpath(), TrialJvm.options).run(spec, 5.minutes).shouldBeOneInvalid() shouldStartWith
            "No client 'nobody' on this classpath; it has retrofit, "
    }

    @Test
    fun `a trial that overruns its deadline is ended, and invalid for that reason`() {
        TrialProcess(TrialJvm.classpath(), TrialJvm.options).run(slow, 2.seconds).shouldBeOneInvalid() shouldBe
            "The trial had not ended after 2s and was ended."
        forks().shouldBeEmpty()
    }

    @Test
    fun `an interrupt in mid-trial is rethrown, and the fork is gone`() {
        var thrown: Throwable? = null
        val runner =
            thread {
                thrown = runCatching { TrialProcess(TrialJvm.classpath(), TrialJvm.options).run(slow, 5.minutes) }.exceptionOrNull()
            }
        ServerProbe(server.address).use { it.await(1, 2.minutes).reached shouldBe true }
        val fork = forks().single()
        runner.interrupt()
        runner.join()
        thrown.shouldNotBeNull().shouldBeInstanceOf<InterruptedException>()
        fork.isAlive shouldBe false
    }
}
