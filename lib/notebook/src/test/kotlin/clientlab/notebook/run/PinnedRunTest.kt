package clientlab.notebook.run

import clientlab.*
import clientlab.closedloop.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.fork.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.openloop.*
import clientlab.probe.*
import clientlab.trial.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.locks.LockSupport
import kotlin.concurrent.thread
import kotlin.streams.toList
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** Whole runs whose client has one processor for itself, looked at from outside in `/proc`. */
class PinnedRunTest(
    @param:TempDir private val data: Path,
) {
    private val allowed = AllowedProcessors.of()
    private val clients = allowed.takeLast(1)
    private val rest = allowed.dropLast(1)

    @BeforeEach
    fun twoProcessors() = assumeTrue(allowed.size >= 2 && Pinning.works(), "this needs two processors and taskset")

    private fun closed() =
        ClosedLoop(clients("urlconnection"), inFlight = listOf(4), requests = 400, delay = 2.milliseconds, processors = listOf(1))

    /**
     * The harness's own threads leave the client's processors, unlike the one that calls the client. The JVM's reaper waits for the `taskset`
     * of a harness thread, and starts on whichever processors that thread has by then.
     */
    private fun isHarness(thread: SeenThread) =
        (thread.name.startsWith("lab-") && thread.name != "lab-callers") || thread.name.startsWith("process reaper")

    private fun Set<SeenThread>.shouldAllHave(processors: List<Int>) {
        shouldNotBeEmpty()
        filter { it.allowed != processors } shouldBe emptyList()
    }

    private fun server() = children("delay-server.jar").single()

    /** The children of this process whose command line, which may be long, has [what]. */
    private fun children(what: String): List<Long> = ProcessHandle
        .current()
        .children()
        .map { it.pid() }
        .filter { pid -> SystemFiles.here.text("proc/$pid/cmdline")?.contains(what) == true }
        .toList()

    /** What was seen of the fork's threads, and of the server's threads while a fork was there. */
    private inner class Watch {
        val fork: MutableSet<SeenThread> = ConcurrentHashMap.newKeySet()
        val server: MutableSet<SeenThread> = ConcurrentHashMap.newKeySet()

        fun during(run: () -> Unit) {
            val runner = Thread.currentThread()
            val done = AtomicBoolean()
            val watching = thread {
                while (!done.get() && runner.isAlive) {
                    look()
                    LockSupport.parkNanos(2_000_000)
                }
            }
            try {
                run()
            } finally {
                done.set(true)
                watching.join()
            }
        }

        private fun look() {
            val pid = children("TrialMainKt").firstOrNull { isJava(it) } ?: return
            fork += threadsOf(pid)
            val seen = children("delay-server.jar").flatMap(::threadsOf)
            if (isJava(pid)) server += seen
        }

        /** It is `taskset` before it is `java`. */
        private fun isJava(pid: Long) = SystemFiles.here.text("proc/$pid/comm")?.trim() == "java"
    }

    @Test
    fun `the fork has one processor, the server has the others, and it has all again between two trials`() =
        withDataIn(data) {
            val watch = Watch()
            val between = ArrayList<List<Int>>()
            watch.during {
                Experiment("made", closed(), forks = 2).run {
                    if (it.now != null &&
                        it.done == 1
                    ) {
                        between += threadsOf(server()).map(SeenThread::allowed)
                    }
                }
            }
            watch.fork.filterNot(::isHarness).toSet().shouldAllHave(clients)
            watch.server.shouldAllHave(rest)
            between.distinct() shouldContainExactly listOf(allowed)
            val folder = RunFolder.all("made").single()
            val trials = folder.trials()
            withClue(trials.map { it.reasons }) { trials.map { it.outcome } shouldBe List(2) { Outcome.Complete } }
            trials.map { it.treatment.processors } shouldBe listOf(1, 1)
            folder.manifest.notes.first() shouldStartWith "With processors = 1 the trial JVM ran on ${clients.single()}; "
        }

    @Test
    fun `the generator's thread leaves the client's processor, and the callers' thread stays`() =
        withDataIn(data) {
            val load = OpenLoop(
                clients("urlconnection"),
                rate = listOf(50),
                seconds = 1,
                warmUp = 1.seconds,
                processors = listOf(1),
            )
            val watch = Watch()
            watch.during { Experiment("made", load, forks = 1).run { } }

            fun seen(name: String) = watch.fork.filter { it.name == name }.map { it.allowed }
            seen("lab-generator") shouldContain rest
            seen("lab-callers") shouldContainExactly listOf(clients)
            // It has every thread's processors as it starts, until it has moved itself.
            watch.fork.filterNot(::isHarness).toSet().shouldAllHave(clients)
            watch.server.shouldAllHave(rest)
            val reasons = RunFolder.all("made").single().trials().shouldNotBeEmpty().flatMap { it.reasons }
            reasons.filter { "asked for" in it } shouldBe emptyList()
        }

    @Test
    fun `a fork that was not pinned is an invalid trial that says what it had`() {
        ServerProcess.start().use { server ->
            val spec = TrialSpec("made", 0, closed(), closed().treatments.single(), server.address)
            val trial = TrialProcess(TrialJvm.classpath(), TrialJvm.options).run(spec, 5.minutes).single()
            trial.outcome shouldBe Outcome.Invalid
            trial.reasons shouldContain "The trial asked for 1 processor and the JVM had ${allowed.size} (${allowed.joinToString(",")})."
            trial.reasons shouldContain "The trial asked for 1 processor and the harness had none of its own."
        }
    }

    @Test
    fun `a server on this machine that the run did not start is refused`() =
        withDataIn(data) {
            ServerProcess.start().use { server ->
                val url = "http://127.0.0.1:${server.address.controlPort}"
                shouldThrow<LabException> { Experiment("made", closed(), forks = 1).run(url) { } }.message.shouldNotBeNull() shouldStartWith
                    "The delay server at 127.0.0.1 runs on this machine and is not this run's own"
            }
        }
}
