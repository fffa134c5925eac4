package clientlab.workload

import clientlab.client.Payload
import clientlab.client.Reply
import clientlab.client.Request
import clientlab.client.Session
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicReference

/**
 * What a burst's requests came to, as the client saw it.
 *
 * @property durationMs from just before the first request was sent to the end of the last body.
 * @property latenciesMs of the requests that were answered with status 200, from send to the end of the body, ascending.
 * @property errors how often each kind of failure came: the exception's name, or the status.
 * @property example the first failure in full, for the reader.
 * @property protocols how often each protocol was told by the client.
 * @property beganNanos when the burst began, by `System.nanoTime()`.
 * @property askedNanos when each request was handed to the client, by its number; 0 where it was not.
 * @property readNanos when its body had been read, and it was known that the answer was right; 0 where that never came.
 */
public class BurstResult(
    public val requests: Int,
    public val durationMs: Double,
    public val latenciesMs: DoubleArray,
    public val errors: Map<String, Int>,
    public val example: String?,
    public val protocols: Map<String, Int>,
    public val beganNanos: Long = 0,
    public val askedNanos: LongArray = LongArray(requests),
    public val readNanos: LongArray = LongArray(requests),
) {
    public val failed: Int get() = errors.values.sum()
}

/**
 * Sends [requests] requests at once through [session] and waits for all.
 *
 * As in source 000 each is a coroutine on the calling thread, which therefore also reads the clock when its answer is handed over; or on
 * another [dispatch], as in source 004. A request that fails is counted by kind and does not end the others; an answer that was to be
 * decoded and was not has failed.
 */
public fun sendBurst(
    session: Session,
    requests: Int,
    payload: Payload = Payload.Text,
    dispatch: Dispatch = Dispatch.AsCaller,
    path: (Int) -> String,
): BurstResult {
    val asked = LongArray(requests)
    val read = LongArray(requests)
    val failures = ConcurrentHashMap<String, Int>()
    val protocols = ConcurrentHashMap<String, Int>()
    val example = AtomicReference<String?>()
    val began: Long
    val ended: Long
    Senders(dispatch).use { senders ->
        began = System.nanoTime()
        runBlocking {
            repeat(requests) { index ->
                launch(senders.context) {
                    val request = Request(path(index))
                    asked[index] = System.nanoTime()
                    val failure =
                        try {
                            val reply = session.send(request)
                            reply.protocol?.let { protocols.merge(it, 1, Int::plus) }
                            wrong(reply, payload)
                        } catch (e: Exception) {
                            example.compareAndSet(null, e.toString())
                            e.javaClass.simpleName
                        }
                    if (failure == null) read[index] = System.nanoTime() else failures.merge(failure, 1, Int::plus)
                }
            }
        }
        ended = System.nanoTime()
    }
    return BurstResult(
        requests = requests,
        durationMs = (ended - began) / 1e6,
        latenciesMs = (0 until requests)
            .filter { read[it] != 0L }
            .map { (read[it] - asked[it]) / 1e6 }
            .toDoubleArray()
            .apply { sort() },
        errors = failures.toSortedMap(),
        example = example.get() ?: failures.keys.firstOrNull(),
        protocols = protocols,
        beganNanos = began,
        askedNanos = asked,
        readNanos = read,
    )
}

private fun wrong(reply: Reply, payload: Payload): String? =
    when {
        reply.status != OK -> "status ${reply.status}"
        payload == Payload.Json && reply.decoded == null -> "not decoded"
        else -> null
    }

/** The path of source 000's request: answered after [delayMs] milliseconds, and numbered so that no two are the same. */
public fun delayPath(delayMs: Long, number: Int): String = "/delay?delay=${delayMs / 1000.0}&a=$number"

/** The path of source 004's request, answered with JSON. */
public fun datetimePath(delayMs: Long, number: Int): String = "/datetime?delay=${delayMs / 1000.0}&a=$number"

/** The path that answers with [payload]. */
public fun pathOf(payload: Payload, delayMs: Long, number: Int): String =
    if (payload == Payload.Json) datetimePath(delayMs, number) else delayPath(delayMs, number)

private const val OK = 200
