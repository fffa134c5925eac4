package clientlab.tasks

import clientlab.trial.*
import java.net.URI

/**
 * The call of source 002: a stream opened by its address, read to its end as UTF-8 text. Below it is `HttpURLConnection`, which keeps five
 * idle connections for one server (`http.maxConnections`) and closes the others, so many calls at once open many connections. This default
 * is kept, because the source kept it.
 */
private fun fetch(address: URI): String = address.toURL().openStream().use { String(it.readAllBytes(), Charsets.UTF_8) }

/**
 * Has [executor] run [tasks] tasks of [calls] calls each to [address], and waits until it is closed after the last task. An answer is right
 * when it is a whole page, and then [answered] is told how many nanoseconds it took. A call that fails is counted by kind and does not end
 * the others, not even where memory ran out.
 */
internal fun runTasks(executor: TaskExecutor, tasks: Int, calls: Int, address: URI, answered: (Long) -> Unit = {}): BurstResult {
    val took = DoubleArray(tasks * calls) { Double.NaN }
    val failures = Failures()
    val call = { number: Int ->
        val began = System.nanoTime()
        try {
            if (fetch(address).endsWith(PAGE_END)) {
                val nanos = System.nanoTime() - began
                took[number] = nanos / 1e6
                answered(nanos)
            } else {
                failures.add("not the page")
            }
        } catch (e: Throwable) {
            failures.add(e)
        }
    }
    val began = System.nanoTime()
    executor.run(tasks) { task -> repeat(calls) { call(task * calls + it) } }
    val durationMs = (System.nanoTime() - began) / 1e6
    return BurstResult(tasks * calls, durationMs, ascending(took), failures.counts, failures.example)
}

/** The time of each of [calls] successive calls to [address] on this thread: the base latency, in milliseconds, ascending. */
internal fun oneAfterAnother(calls: Int, address: URI): DoubleArray =
    DoubleArray(calls) {
        val began = System.nanoTime()
        fetch(address)
        (System.nanoTime() - began) / 1e6
    }.apply { sort() }

private const val PAGE_END = "</body></html>\n"
