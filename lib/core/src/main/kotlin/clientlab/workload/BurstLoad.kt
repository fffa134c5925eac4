package clientlab.workload

import clientlab.client.Request
import clientlab.client.Session
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * What a burst's requests came to, as the client saw it.
 *
 * @property durationMs from just before the first request was sent to the end of the last body.
 * @property latenciesMs of the requests that were answered with status 200, from send to the end of the body, ascending.
 * @property errors how often each kind of failure came: the exception's name, or the status.
 * @property example the first failure in full, for the reader.
 * @property protocols how often each protocol was told by the client.
 */
public class BurstResult(
    public val requests: Int,
    public val durationMs: Double,
    public val latenciesMs: DoubleArray,
    public val errors: Map<String, Int>,
    public val example: String?,
    public val protocols: Map<String, Int>,
) {
    public val failed: Int get() = errors.values.sum()
}

/**
 * Sends [requests] requests at once through [session] and waits for all.
 *
 * As in source 000 each is a coroutine on the calling thread, which therefore also reads the clock when its answer is handed over. A
 * request that fails is counted by kind and does not end the others.
 */
public fun sendBurst(session: Session, requests: Int, path: (Int) -> String): BurstResult {
    val took = DoubleArray(requests) { Double.NaN }
    val failures = LinkedHashMap<String, Int>()
    val protocols = LinkedHashMap<String, Int>()
    var example: String? = null
    val began = System.nanoTime()
    runBlocking {
        repeat(requests) { index ->
            launch {
                val request = Request(path(index))
                val sent = System.nanoTime()
                val failure =
                    try {
                        val reply = session.send(request)
                        reply.protocol?.let { protocols.merge(it, 1, Int::plus) }
                        if (reply.status == OK) null else "status ${reply.status}"
                    } catch (e: Exception) {
                        if (example == null) example = e.toString()
                        e.javaClass.simpleName
                    }
                if (failure == null) took[index] = (System.nanoTime() - sent) / 1e6 else failures.merge(failure, 1, Int::plus)
            }
        }
    }
    val durationMs = (System.nanoTime() - began) / 1e6
    return BurstResult(
        requests = requests,
        durationMs = durationMs,
        latenciesMs = took.filterNot(Double::isNaN).toDoubleArray().apply { sort() },
        errors = failures,
        example = example ?: failures.keys.firstOrNull(),
        protocols = protocols,
    )
}

/** The path of source 000's request: answered after [delayMs] milliseconds, and numbered so that no two are the same. */
public fun delayPath(delayMs: Long, number: Int): String = "/delay?delay=${delayMs / 1000.0}&a=$number"

private const val OK = 200
