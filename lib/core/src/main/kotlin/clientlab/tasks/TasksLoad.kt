package clientlab.tasks

import java.net.URI
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicReference

/**
 * The results of the calls of all tasks as the client saw them.
 *
 * @property durationMs from just before the executor was made until it was closed after the last task.
 * @property latenciesMs of the calls that were answered rightly, from the call to the end of its body, ascending.
 * @property errors how often each kind of failure came.
 * @property example the first failure in full, for the reader.
 */
internal class TasksResult(
    val asked: Int,
    val durationMs: Double,
    val latenciesMs: DoubleArray,
    val errors: Map<String, Int>,
    val example: String?,
) {
    val failed: Int get() = errors.values.sum()
}

/**
 * The call of source 002: a stream opened by its address, read to its end as UTF-8 text.
 *
 * Below it is `HttpURLConnection`, which keeps five idle connections for one server (`http.maxConnections`) and closes the others, so
 * many calls at once open many connections. This default is kept, because the source kept it.
 */
internal fun fetch(address: URI): String = address.toURL().openStream().use { String(it.readAllBytes(), Charsets.UTF_8) }

/**
 * Has [executor] run [tasks] tasks of [calls] calls each to [address], and waits for all.
 *
 * An answer is right when it is a whole page. A call that fails is counted by kind and does not end the others, not even where memory ran
 * out.
 */
internal fun runTasks(executor: TaskExecutor, tasks: Int, calls: Int, address: URI): TasksResult {
    val took = DoubleArray(tasks * calls) { Double.NaN }
    val errors = ConcurrentHashMap<String, Int>()
    val example = AtomicReference<String>()
    val call = { number: Int ->
        val began = System.nanoTime()
        try {
            if (fetch(address).endsWith(PAGE_END)) {
                took[number] = (System.nanoTime() - began) / 1e6
            } else {
                errors.merge("not the page", 1, Int::plus)
            }
        } catch (e: Throwable) {
            example.compareAndSet(null, e.toString())
            errors.merge(e.javaClass.simpleName, 1, Int::plus)
        }
    }
    val began = System.nanoTime()
    executor.run(tasks) { task -> repeat(calls) { call(task * calls + it) } }
    val durationMs = (System.nanoTime() - began) / 1e6
    return TasksResult(
        asked = tasks * calls,
        durationMs = durationMs,
        latenciesMs = took.filterNot(Double::isNaN).toDoubleArray().apply { sort() },
        errors = errors.toSortedMap(),
        example = example.get() ?: errors.keys.firstOrNull(),
    )
}

/** The time of each of [calls] successive calls to [address] on this thread: the base latency, in milliseconds. */
internal fun oneAfterAnother(calls: Int, address: URI): DoubleArray =
    DoubleArray(calls) {
        val began = System.nanoTime()
        fetch(address)
        (System.nanoTime() - began) / 1e6
    }.apply { sort() }

/** The path of source 002's call: a page of 100 links, after [delayMs] milliseconds. */
internal fun crawlPath(delayMs: Long): String = "/v1/crawl/delay/$delayMs"

private const val PAGE_END = "</body></html>\n"
