package clientlab.probe

import clientlab.testing.*
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger

class VirtualThreadsTest {
    private val threads = RealThreads()
    private val probe = ThreadProbe(ThreadOwners(emptyList())) { false }
    private val gate = CountDownLatch(1)

    /** Tests share a JVM, and threads of the one before may still be ending. */
    @BeforeEach
    fun alone() = eventually { VirtualThreads.count(probe.snapshot(probe.baseline()).platformIds).count == 0 }

    @AfterEach
    fun letGo() {
        gate.countDown()
        threads.close()
    }

    @Test
    fun `virtual threads are counted one by one, and no platform thread of the harness or of another with them`() {
        warm()
        repeat(3) { threads.parked("${ThreadOwners.HARNESS_PREFIX}$it") }
        val before = probe.snapshot(probe.baseline())
        // These come between the dump and the count, as a client's may.
        repeat(5) { threads.parked("late-$it") }
        start(300)
        VirtualThreads.count(before.platformIds).count shouldBe 300
    }

    @Test
    fun `virtual threads bring no platform threads but carriers`() {
        warm()
        val baseline = probe.baseline()
        start(300)
        val snapshot = probe.snapshot(baseline)
        snapshot.byOwner.filter { it.owner !in setOf("carrier threads", ThreadOwners.JVM) } shouldBe emptyList()
        snapshot.carriers shouldBeGreaterThanOrEqual 1
        VirtualThreads.count(snapshot.platformIds).count shouldBe 300
    }

    @Test
    fun `threads that have ended are counted no longer`() {
        start(300)
        gate.countDown()
        eventually { VirtualThreads.count(probe.snapshot(probe.baseline()).platformIds).count == 0 }
    }

    /** Half of them belong to an executor, and half to none. */
    private fun start(n: Int) {
        val there = AtomicInteger()
        val body = {
            there.incrementAndGet()
            gate.await()
        }
        val executor = Executors.newVirtualThreadPerTaskExecutor()
        repeat(n / 2) { executor.execute(body) }
        executor.shutdown()
        val own = List(n - n / 2) { Thread.startVirtualThread(body) }
        eventually { there.get() == n && own.all { it.state == Thread.State.WAITING } }
    }

    /** The first virtual thread starts the JVM's own helpers. */
    private fun warm() = Thread.startVirtualThread {}.join()
}
