package clientlab.trial

import clientlab.probe.*
import java.util.concurrent.Callable
import java.util.concurrent.Executors

/**
 * Runs work, one piece after another, on one thread of the harness with the highest priority on the machine, if possible: on Linux by the real-time policy `SCHED_FIFO`, which root
 * and holders of `CAP_SYS_NICE` may request, otherwise by a niceness of −20. On other systems the thread is an ordinary one.
 *
 * A niceness alone is not enough: a thread that wakes up still waits some milliseconds until the running one has had its slice. A thread
 * that never sleeps does not stop the others, because Linux keeps 5 % of each second for them (`kernel.sched_rt_runtime_us`). Threads that
 * it starts do not inherit `SCHED_FIFO` (`reset-on-fork`), but they inherit the niceness.
 *
 * The thread never ends, because [ThreadTimes] reads the time of living threads: what one took that came and went counts as the client's.
 */
internal object PriorityThread {
    private val thread =
        Executors.newSingleThreadExecutor { task ->
            val first = Runnable {
                take()
                HarnessProcessors.take()
                task.run()
            }
            Thread(first, "${ThreadOwners.HARNESS_PREFIX}generator").apply { isDaemon = true }
        }

    fun <T> run(work: () -> T): T = thread.submit(Callable(work)).get()

    private fun take(): Boolean =
        SystemThread.change("chrt", "--fifo", "--reset-on-fork", "--pid", "1") || SystemThread.change("renice", "-n", "-20", "-p")
}
