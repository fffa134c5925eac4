package clientlab.probe

import clientlab.*
import clientlab.testing.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.util.concurrent.Executors
import java.util.concurrent.locks.LockSupport

class ThreadProbeTest {
    private val threads = RealThreads()
    private val probe = ThreadProbe(ThreadOwners(listOf(ThreadOwner("mine-.*", "mine")))) { false }

    @AfterEach
    fun letGo() = threads.close()

    @Test
    fun `threads that were not there at the baseline are new, by owner and by what they do`() {
        threads.busy("mine-before")
        val baseline = probe.baseline()
        repeat(3) { threads.busy("mine-busy-$it") }
        repeat(2) { threads.parked("mine-parked-$it") }
        eventually({ mine(baseline) }) { mine(baseline) == mapOf(ThreadState.Running to 3, ThreadState.Waiting to 2) }
    }

    @Test
    fun `a worker that was idle at the baseline and is busy now is new, and the idle ones are not`() {
        val pool = threads.closing(Executors.newFixedThreadPool(8, threads.factory("mine-worker")))
        repeat(8) { pool.submit {}.get() }
        eventually { threads.threads.size == 8 && threads.threads.all { it.state == Thread.State.WAITING } }
        eventually { probe.baseline().idle.count { it.name == "mine-worker" } == 8 }
        val baseline = probe.baseline()
        mine(baseline) shouldBe emptyMap()
        repeat(3) { pool.execute { threads.released.await() } }
        eventually({ mine(baseline) }) { mine(baseline) == mapOf(ThreadState.Waiting to 3) }
    }

    @Test
    fun `a thread that was busy at the baseline and is idle now is not new`() {
        val pool = threads.closing(Executors.newFixedThreadPool(1, threads.factory("mine-worker")))
        val task = pool.submit { threads.released.await() }
        eventually { mine(EMPTY) == mapOf(ThreadState.Waiting to 1) }
        val baseline = probe.baseline()
        threads.released.countDown()
        task.get()
        eventually { mine(EMPTY) == mapOf(ThreadState.ParkedIdle to 1) }
        mine(baseline) shouldBe emptyMap()
    }

    @Test
    fun `threads of the harness are in no count`() {
        val baseline = probe.baseline()
        val before = probe.snapshot(baseline)
        repeat(40) { threads.busy("${ThreadOwners.HARNESS_PREFIX}$it") }
        val after = probe.snapshot(baseline)
        // Threads of the JVM come and go beside the test, but not forty of them.
        after.live - before.live shouldBeLessThan 20
        after.new shouldBeLessThan 20
        after.source000.all - before.source000.all shouldBeLessThan 20
        after.source000.active - before.source000.active shouldBeLessThan 20
        after.byOwner.map { it.owner } shouldNotContain ThreadOwners.HARNESS
        probe.newNames(baseline).filter { it.startsWith(ThreadOwners.HARNESS_PREFIX) } shouldBe emptyList()
        probe.baseline().live.count { it.name.startsWith(ThreadOwners.HARNESS_PREFIX) } shouldBe 0
    }

    @Test
    fun `a thread that was parked at the baseline counts as active and new by the rule of source 000, and as unparked only when it is`() {
        val parked = List(MANY) { threads.parked("mine-parked-$it") }
        eventually { parked.all { parkedByTopFrame(it.stackTrace) } }
        val baseline = probe.baseline()
        val counts = probe.snapshot(baseline).source000
        counts.activeNew shouldBeGreaterThanOrEqual MANY
        counts.activeUnparkedNew shouldBeLessThan MANY
        counts.active - counts.activeUnparked shouldBeGreaterThanOrEqual MANY
        probe.snapshot(baseline).new shouldBeLessThan MANY
    }

    @Test
    fun `a thread that was unparked at the baseline is new by no rule`() {
        repeat(MANY) { threads.start("mine-asleep-$it") { Thread.sleep(600_000) } }
        eventually { mine(EMPTY) == mapOf(ThreadState.Waiting to MANY) }
        val counts = probe.snapshot(probe.baseline()).source000
        counts.activeUnparked shouldBeGreaterThanOrEqual MANY
        counts.activeNew shouldBeLessThan MANY
        counts.activeUnparkedNew shouldBeLessThan MANY
    }

    @Test
    fun `a thread that was parked and is not counts as unparked and new`() {
        val gate = Object()
        var open = false
        repeat(MANY) {
            threads.start("mine-$it") {
                while (!open) LockSupport.park()
                synchronized(gate) { gate.wait() }
            }
        }
        eventually { threads.threads.all { parkedByTopFrame(it.stackTrace) } }
        val baseline = probe.baseline()
        open = true
        threads.threads.forEach(LockSupport::unpark)
        eventually { probe.snapshot(baseline).source000.activeUnparkedNew >= MANY }
    }

    @Test
    fun `an interrupted thread is not active by the rule of source 000`() {
        repeat(MANY) {
            threads.start("mine-$it") {
                Thread.currentThread().interrupt()
                var turns = 0L
                while (threads.spinning) turns++
            }
        }
        eventually { threads.threads.all { it.isInterrupted } }
        val counts = probe.snapshot(EMPTY).source000
        counts.all - counts.active shouldBeGreaterThanOrEqual MANY
    }

    @Test
    fun `names of threads that came since the baseline are told while they live`() {
        val baseline = probe.baseline()
        val thread = threads.parked("mine-a")
        threads.parked("mine-b")
        newNames(baseline) shouldContainExactly listOf("mine-a", "mine-b")
        thread.interrupt()
        thread.join()
        newNames(baseline) shouldContainExactly listOf("mine-b")
    }

    private fun newNames(baseline: ThreadBaseline) = probe.newNames(baseline).filter { it.startsWith("mine-") }

    private fun mine(baseline: ThreadBaseline): Map<ThreadState, Int> =
        probe.snapshot(baseline).byOwner.filter { it.owner == "mine" }.associate { it.state to it.count }

    private companion object {
        const val MANY = 30
        val EMPTY = ThreadBaseline(emptySet(), emptySet(), emptySet())
    }
}
