package clientlab.trial

import clientlab.probe.*
import java.util.concurrent.FutureTask
import kotlin.concurrent.thread

/**
 * Runs work on a thread with the highest priority on the machine, if possible: on Linux by the real-time policy `SCHED_FIFO`, which root
 * and holders of `CAP_SYS_NICE` may request, otherwise by a niceness of −20. On other systems the thread is an ordinary one.
 *
 * A niceness alone is not enough: a thread that wakes up still waits some milliseconds until the running one has had its slice. A thread
 * that never sleeps does not stop the others, because Linux keeps 5 % of each second for them (`kernel.sched_rt_runtime_us`). Threads that
 * it starts do not inherit `SCHED_FIFO` (`reset-on-fork`), but they inherit the niceness.
 */
internal object PriorityThread {
    fun <T> run(name: String, work: () -> T): T {
        val task = FutureTask(work)
        thread(isDaemon = true, name = name) {
            take()
            task.run()
        }
        return task.get()
    }

    private fun take(): Boolean =
        SystemThread.change("chrt", "--fifo", "--reset-on-fork", "--pid", "1") || SystemThread.change("renice", "-n", "-20", "-p")
}
