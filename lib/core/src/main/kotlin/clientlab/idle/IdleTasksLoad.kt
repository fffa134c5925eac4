package clientlab.idle

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.launch
import java.util.concurrent.CountDownLatch
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.ThreadFactory
import java.util.concurrent.atomic.AtomicInteger

/**
 * Tasks of one mechanism that exist at the same time, until [close] lets them end. A waiting task holds nothing else: threads wait for a
 * latch, coroutines for a deferred value, above [stackDepth] frames. All threads are daemons. One thread calls [start] and [close]; any
 * thread may read the counts.
 */
internal class IdleTasksLoad(
    private val mechanism: Mechanism,
    private val state: TaskState = TaskState.Waiting,
    private val stackDepth: Int = 0,
) : AutoCloseable {
    private val started = ArrayList<Thread>()
    private val latch = CountDownLatch(1)
    private val deferred = CompletableDeferred<Unit>()
    private val scope = lazy { CoroutineScope(Dispatchers.Default + SupervisorJob()) }
    private val pool = lazy { newPool() }
    private val begunCount = AtomicInteger()
    private val endedCount = AtomicInteger()
    private var asked = 0

    @Volatile private var stopped = false

    @Volatile private var sink = 0L

    val begun: Int get() = begunCount.get()

    val ended: Int get() = endedCount.get()

    val possible: Int
        get() {
            val processors = Runtime.getRuntime().availableProcessors()
            return when {
                state == TaskState.Waiting || mechanism == Mechanism.Threads -> asked
                mechanism == Mechanism.Virtual -> minOf(asked, processors)
                else -> minOf(asked, maxOf(2, processors))
            }
        }

    /** Whether every task that can run has begun, and every thread of a waiting task waits. */
    val settled: Boolean
        get() = begun >= possible && (state == TaskState.Computing || started.all { it.state == Thread.State.WAITING })

    /** Starts [n] tasks. Throws the JVM's error if it cannot create more threads. */
    fun start(n: Int) {
        asked += n
        started.ensureCapacity(asked)
        repeat(n) {
            when (mechanism) {
                Mechanism.Threads -> start(PLATFORM.newThread(::task))
                Mechanism.Pool -> pool.value.execute(::task)
                Mechanism.Virtual -> start(Thread.ofVirtual().unstarted(::task))
                Mechanism.Coroutines -> scope.value.launch { suspendingTask() }
            }
        }
    }

    private fun start(thread: Thread) {
        started += thread
        thread.start()
    }

    override fun close() {
        stopped = true
        latch.countDown()
        deferred.complete(Unit)
        if (pool.isInitialized()) pool.value.shutdown()
    }

    private fun task() {
        sink = if (state == TaskState.Computing) compute() else waitBelow(stackDepth, 1, 2)
        endedCount.incrementAndGet()
    }

    private suspend fun suspendingTask() {
        sink = if (state == TaskState.Computing) compute() else suspendBelow(stackDepth, 1, 2)
        endedCount.incrementAndGet()
    }

    /** The code after the call keeps the frame and its locals alive while the task waits. */
    private fun waitBelow(depth: Int, a: Long, b: Long): Long {
        if (depth == 0) {
            begunCount.incrementAndGet()
            latch.await()
            return a
        }
        return waitBelow(depth - 1, b, a xor b) + a
    }

    private suspend fun suspendBelow(depth: Int, a: Long, b: Long): Long {
        if (depth == 0) {
            begunCount.incrementAndGet()
            deferred.await()
            return a
        }
        return suspendBelow(depth - 1, b, a xor b) + a
    }

    private fun compute(): Long {
        begunCount.incrementAndGet()
        var value = 1L
        while (!stopped) repeat(STEPS) { value = value * FACTOR + 1 }
        return value
    }

    private fun newPool(): ExecutorService {
        val threads = ThreadFactory { PLATFORM.newThread(it).also(started::add) }
        if (state == TaskState.Waiting) return Executors.newCachedThreadPool(threads)
        return Executors.newFixedThreadPool(maxOf(2, Runtime.getRuntime().availableProcessors()), threads)
    }

    private companion object {
        private val PLATFORM: ThreadFactory = Thread.ofPlatform().daemon().name("task-", 0).factory()
        private const val STEPS = 1_000

        /** D. Knuth's multiplier for 64-bit linear congruential sequences. */
        private const val FACTOR = 6_364_136_223_846_793_005
    }
}
