package clientlab.tasks

import clientlab.*
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.Semaphore

/**
 * An executor of tasks: a level of the factor `executor`.
 *
 * @property limit the most tasks that it runs at once, or null without a limit.
 * @property run makes the executor, submits every task (by its number, from 0), and returns when all are done and it has been closed.
 */
internal class TaskExecutor private constructor(val limit: Int?, val run: (tasks: Int, task: (Int) -> Unit) -> Unit) {
    companion object {
        /** The executor [id]; `processors` in it is as many as this JVM may use, which is what source 002 gives its pool. */
        fun named(id: String): TaskExecutor {
            if (id == VIRTUAL) return TaskExecutor(null) { n, task -> submitting(perTask(), n, task) }
            if (id == "coroutines-io") return TaskExecutor(IO_LIMIT) { n, task -> launching(Dispatchers.IO, n, task) }
            if (id == "coroutines-virtual") {
                return TaskExecutor(null) { n, task -> perTask().asCoroutineDispatcher().use { launching(it, n, task) } }
            }
            val limited = id.startsWith(LIMITED)
            if (!limited && !id.startsWith(POOL)) throw unknown(id)
            val limit = sizeOf(id, id.removePrefix(if (limited) LIMITED else POOL))
            if (limited) return TaskExecutor(limit) { n, task -> behindSemaphore(limit, n, task) }
            return TaskExecutor(limit) { n, task -> submitting(Executors.newFixedThreadPool(limit), n, task) }
        }

        private fun perTask(): ExecutorService = Executors.newVirtualThreadPerTaskExecutor()

        private fun submitting(executor: ExecutorService, tasks: Int, task: (Int) -> Unit) =
            executor.use { repeat(tasks) { number -> it.submit { task(number) } } }

        /** A task holds its permit until its end, as it would hold a pool's thread. */
        private fun behindSemaphore(limit: Int, tasks: Int, task: (Int) -> Unit) {
            val permits = Semaphore(limit)
            submitting(perTask(), tasks) { number ->
                permits.acquire()
                try {
                    task(number)
                } finally {
                    permits.release()
                }
            }
        }

        private fun launching(dispatcher: CoroutineDispatcher, tasks: Int, task: (Int) -> Unit) =
            runBlocking { repeat(tasks) { number -> launch(dispatcher) { task(number) } } }

        private fun sizeOf(id: String, size: String): Int {
            if (size == "processors") return Runtime.getRuntime().availableProcessors()
            val limit = size.toIntOrNull() ?: throw unknown(id)
            refuseUnless(limit in 1..MOST) { "$id is impossible: an executor of a fixed size runs 1 to $MOST tasks at once." }
            return limit
        }

        private fun unknown(id: String) =
            LabException(
                "There is no executor '$id': use \"$VIRTUAL\", \"${POOL}8\", \"${LIMITED}8\" (any number, or processors), " +
                    "\"coroutines-io\" or \"coroutines-virtual\".",
            )

        private const val VIRTUAL = "virtual"
        private const val POOL = "pool-"
        private const val LIMITED = "virtual-limited-"
        private const val MOST = 10_000

        /** The default limit of `Dispatchers.IO`: 64, or the number of processors if that is larger. */
        private val IO_LIMIT: Int get() = maxOf(64, Runtime.getRuntime().availableProcessors())
    }
}
