package clientlab.testing

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.ThreadFactory

/** Threads that a test has started, and how they are let go again. */
internal class RealThreads : AutoCloseable {
    private val started = ConcurrentLinkedQueue<Thread>()
    private val atEnd = ArrayList<AutoCloseable>()

    @Volatile var spinning = true
        private set
    val released = CountDownLatch(1)

    /** A daemon thread that runs [body]; what an interrupt does to it at the end of the test is nobody's business. */
    fun start(name: String = "real-thread", body: () -> Unit): Thread =
        Thread
            .ofPlatform()
            .daemon()
            .name(name)
            .start {
                try {
                    body()
                } catch (_: Exception) {
                    // Let go.
                }
            }.also { started += it }

    /** A thread that is on the processor until the end of the test. */
    fun busy(name: String = "busy-thread"): Thread =
        start(name) {
            var turns = 0L
            while (spinning) turns++
        }

    /** A thread that is parked until the end of the test. */
    fun parked(name: String = "parked-thread"): Thread = start(name) { released.await() }

    /** A factory for pools, whose threads the test can ask for by [threads]. */
    fun factory(name: String) = ThreadFactory { task ->
        Thread.ofPlatform().daemon().name(name).unstarted(task).also { started += it }
    }

    val threads: List<Thread> get() = started.toList()

    fun <T : AutoCloseable> closing(what: T): T = what.also { atEnd += it }

    override fun close() {
        spinning = false
        released.countDown()
        atEnd.asReversed().forEach { it.close() }
        started.forEach { it.interrupt() }
        started.forEach { it.join() }
    }
}
