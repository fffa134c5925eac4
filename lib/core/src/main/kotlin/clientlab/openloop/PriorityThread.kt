package clientlab.openloop

import java.lang.ProcessBuilder.Redirect
import java.nio.file.Files
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import kotlin.io.path.Path

/**
 * Work on a thread that the system runs before all others of the machine, where it may: on Linux by the real-time policy `SCHED_FIFO`, which
 * root and holders of `CAP_SYS_NICE` may ask for, and else by a niceness of −20. Elsewhere the thread is one like any other, and nothing
 * fails.
 *
 * A niceness alone is not enough: a thread that wakes up waits all the same until the one that runs has had its slice, some milliseconds.
 * Linux keeps a share of each second, 5 % as it comes, for all others (`kernel.sched_rt_runtime_us`), so that a thread that never sleeps
 * stops nobody for good.
 *
 * Threads that are started from this one are ordinary ones under the first (`reset-on-fork`) and inherit the second.
 */
internal object PriorityThread {
    /** What [work] returns or throws, done in a thread of that [name]. */
    fun <T> run(name: String, work: () -> T): T {
        val task =
            FutureTask {
                take()
                work()
            }
        Thread(task, name).apply { isDaemon = true }.start()
        return task.get()
    }

    private fun take() {
        val thread = runCatching { Files.readSymbolicLink(Path("/proc/thread-self")).fileName.toString() }.getOrNull() ?: return
        done("chrt", "--fifo", "--reset-on-fork", "--pid", "1", thread) || done("renice", "-n", "-20", "-p", thread)
    }

    private fun done(vararg command: String): Boolean =
        runCatching {
            val process = ProcessBuilder(*command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start()
            process.waitFor(PATIENCE_S, TimeUnit.SECONDS) && process.exitValue() == 0
        }.getOrDefault(false)

    private const val PATIENCE_S = 2L
}
