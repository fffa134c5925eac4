package clientlab.burst

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/**
 * The blocking tasks of [BackgroundLoad.IdleIo]: source 000's proof that parked threads of `Dispatchers.IO` can be used while requests
 * wait. One thread may start them and another wait for them.
 */
internal class IdleIoTasks {
    private val begun = CountDownLatch(THREADS)
    private val job = Job()

    @Volatile private var startedNanos = 0L

    /** Starts all tasks, and returns when as many of them block as the dispatcher has threads. */
    fun start() {
        startedNanos = System.nanoTime()
        val scope = CoroutineScope(Dispatchers.IO + job)
        repeat(TASKS) {
            scope.launch {
                begun.countDown()
                Thread.sleep(TASK_MS)
            }
        }
        begun.await(PATIENCE_S, TimeUnit.SECONDS)
    }

    /** Waits for the last task. Returns the milliseconds since the first was started, or null if none was. */
    fun await(): Double? {
        if (startedNanos == 0L) return null
        job.complete()
        runBlocking { job.join() }
        return (System.nanoTime() - startedNanos) / 1e6
    }

    private companion object {
        private const val THREADS = 64

        private const val TASKS = 150 * THREADS
        private const val TASK_MS = 10L
        private const val PATIENCE_S = 5L
    }
}
