package clientlab.burst

import clientlab.*
import clientlab.client.*
import clientlab.trial.*
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicReference

/**
 * Sends [requests] requests at once through [session] and waits for all.
 *
 * Each is a coroutine on the calling thread, as in source 000, so this thread also reads the clock at each answer; or on another
 * [dispatch], as in source 004. A failed request is counted by kind and does not end the others. An answer that could not be decoded has
 * failed.
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
    return resultOf(asked, read, began, ended, failures.toSortedMap(), example.get() ?: failures.keys.firstOrNull(), protocols)
}

private fun resultOf(
    asked: LongArray,
    read: LongArray,
    began: Long,
    ended: Long,
    failures: Map<String, Int>,
    example: String?,
    protocols: Map<String, Int>,
): BurstResult =
    BurstResult(
        requests = asked.size,
        durationMs = (ended - began) / 1e6,
        latenciesMs =
            asked.indices
                .filter { read[it] != 0L }
                .map { (read[it] - asked[it]) / 1e6 }
                .toDoubleArray()
                .apply { sort() },
        errors = failures,
        example = example,
        protocols = protocols,
        beganNanos = began,
        askedNanos = asked,
        readNanos = read,
    )

private fun wrong(reply: Reply, payload: Payload): String? =
    when {
        reply.status != OK -> "status ${reply.status}"
        payload == Payload.Json && reply.decoded == null -> "not decoded"
        else -> null
    }

private const val OK = 200
