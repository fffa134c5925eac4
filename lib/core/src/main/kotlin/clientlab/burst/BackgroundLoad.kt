package clientlab.burst

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/** Other work in the JVM during a burst. */
@Serializable
public enum class BackgroundLoad(public val label: String) {
    /** Nothing. */
    @SerialName("none")
    None("none"),

    /** 150 × 64 tasks of 10 ms that each block a thread of `Dispatchers.IO`, as in source 000. */
    @SerialName("idle-io")
    IdleIo("idle-io"),

    ;

    override fun toString(): String = label
}

/**
 * The blocking tasks of [BackgroundLoad.IdleIo]: source 000's proof that parked threads of `Dispatchers.IO` can be used while requests
 * wait.
 *
 * Safe to use from two threads: one that starts the tasks and one that waits for them.
 */
public class IdleIoTasks(private val tasks: Int = TASKS) {
    private val begun = CountDownLatch(minOf(tasks, THREADS))
    private val job = Job()

    @Volatile private var startedNanos = 0L

    /** Starts all tasks, and returns when as many of them block as the dispatcher has threads. */
    public fun start() {
        startedNanos = System.nanoTime()
        val scope = CoroutineScope(Dispatchers.IO + job)
        repeat(tasks) {
            scope.launch {
                begun.countDown()
                Thread.sleep(TASK_MS)
            }
        }
        begun.await(PATIENCE_S, TimeUnit.SECONDS)
    }

    /** Waits for the last task. Returns the milliseconds since the first was started, or null if none was. */
    public fun await(): Double? {
        if (startedNanos == 0L) return null
        job.complete()
        runBlocking { job.join() }
        return (System.nanoTime() - startedNanos) / 1e6
    }

    public companion object {
        /** The threads of `Dispatchers.IO` by default. */
        public const val THREADS: Int = 64

        /** How many tasks source 000 starts. */
        public const val TASKS: Int = 150 * THREADS
        private const val TASK_MS = 10L
        private const val PATIENCE_S = 5L
    }
}
