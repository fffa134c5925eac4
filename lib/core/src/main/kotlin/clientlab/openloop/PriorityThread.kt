package clientlab.openloop

import java.lang.ProcessBuilder.Redirect
import java.nio.file.Files
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import kotlin.io.path.Path

/**
 * Runs work on a thread with the highest priority on the machine, if possible: on Linux by the real-time policy `SCHED_FIFO`, which root
 * and holders of `CAP_SYS_NICE` may request, otherwise by a niceness of −20. On other systems the thread is an ordinary one, and nothing
 * fails.
 *
 * A niceness alone is not enough: a thread that wakes up waits all the same until the one that runs has had its slice, some milliseconds.
 * Linux keeps a share of each second, 5 % by default, for all other threads (`kernel.sched_rt_runtime_us`), so a thread that never sleeps
 * does not stop the others.
 *
 * Threads that this thread starts do not inherit `SCHED_FIFO` (`reset-on-fork`), but they inherit the niceness.
 */
internal object PriorityThread {
    /** The result of [work], or its exception; it runs on a thread with that [name]. */
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
