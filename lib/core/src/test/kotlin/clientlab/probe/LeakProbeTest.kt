package clientlab.probe

import clientlab.*
import clientlab.testing.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

class LeakProbeTest {
    private val threads = RealThreads()
    private val server = threads.closing(RunningServer())
    private val probe = threads.closing(server.probe())
    private val threadProbe = ThreadProbe(ThreadOwners(emptyList())) { false }
    private val baseline = threadProbe.baseline()

    @AfterEach
    fun letGo() = threads.close()

    @Test
    fun `a thread that nobody declared is found by its name`() {
        threads.parked("left-1")
        look().undeclared shouldContainExactly listOf("left-1")
    }

    @Test
    fun `a thread that is declared is shown and not held against the client`() {
        threads.parked("timer-1")
        val leaks = look(Leftover("timer-\\d+", "it goes after a while"))
        leaks.threads shouldContainExactly listOf("timer-1")
        leaks.undeclared shouldBe emptyList()
    }

    @Test
    fun `more threads than are declared are too many`() {
        repeat(5) { threads.parked("timer-$it") }
        val leaks = look(Leftover("timer-\\d+", "it goes after a while", atMost = 3))
        leaks.threads.size shouldBe 5
        leaks.undeclared.size shouldBe 2
    }

    @Test
    fun `a declaration has to match the whole name`() {
        threads.parked("timer-1-other")
        look(Leftover("timer-\\d+", "another thread")).undeclared shouldContainExactly listOf("timer-1-other")
    }

    @Test
    fun `an open connection is found by the server's word`() {
        server.connect()
        look() shouldBe Leaks(connections = 1, undeclaredConnections = 1)
    }

    @Test
    fun `declared connections are shown, and one more is held against the client`() {
        server.connect()
        val declared = Leftover("timer", "keeps two idle connections", connections = 2)
        look(declared) shouldBe Leaks(connections = 1)
        repeat(2) { server.connect() }
        look(declared) shouldBe Leaks(connections = 3, undeclaredConnections = 1)
    }

    @Test
    fun `connections that were open before are nobody's`() {
        server.connect()
        server.connect()
        LeakProbe(
            threadProbe,
            ThreadOwners(emptyList()),
            probe,
            emptyList(),
        ).look(baseline, openBefore = 2, patience = Duration.ZERO) shouldBe
            Leaks()
    }

    @Test
    fun `threads of the JVM, of coroutines and of the harness are no client's`() {
        listOf("Common-Cleaner", "DefaultDispatcher-worker-99", "lab-parent", "ForkJoinPool.commonPool-worker-9").forEach(threads::parked)
        look() shouldBe Leaks()
    }

    @Test
    fun `a thread that goes while it is looked for is no leak`() {
        val going = threads.parked("going-1")
        val connection = server.connect()
        threads.start("lab-closer") {
            threads.released.countDown()
            going.join()
            connection.close()
        }
        // With this patience the test would not come to its end if the look waited for anything else.
        LeakProbe(threadProbe, ThreadOwners(emptyList()), probe, emptyList()).look(baseline, 0, 5.minutes) shouldBe Leaks()
    }

    private fun look(vararg declared: Leftover) =
        LeakProbe(threadProbe, ThreadOwners(emptyList()), probe, declared.toList()).look(baseline, 0, 30.milliseconds)
}
