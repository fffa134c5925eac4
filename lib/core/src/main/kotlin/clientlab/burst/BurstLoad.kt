package clientlab.burst

import clientlab.*
import clientlab.client.*
import clientlab.trial.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExecutorCoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.ThreadFactory
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * Sends [requests] requests at once through [session] and waits for all. Each is a coroutine on the calling thread, as in source 000, so
 * this thread also reads the clock at each answer; or on another [dispatch], as in source 004. A failed request is counted by kind and does
 * not end the others.
 */
internal fun sendBurst(session: Session, requests: Int, payload: Payload, dispatch: Dispatch, path: (Int) -> String): BurstResult {
    val asked = LongArray(requests)
    val read = LongArray(requests)
    val failures = Failures()
    val began: Long
    val ended: Long
    Senders(dispatch).use { senders ->
        began = System.nanoTime()
        runBlocking {
            repeat(requests) { index ->
                launch(senders.context) {
                    val request = Request(path(index))
                    asked[index] = System.nanoTime()
                    if (failures.wentWell { wrong(session.send(request), payload) }) read[index] = System.nanoTime()
                }
            }
        }
        ended = System.nanoTime()
    }
    return BurstResult(
        requests = requests,
        durationMs = (ended - began) / 1e6,
        latenciesMs = ascending(DoubleArray(requests) { if (read[it] == 0L) Double.NaN else (read[it] - asked[it]) / 1e6 }),
        errors = failures.counts,
        example = failures.example,
        beganNanos = began,
        askedNanos = asked,
        readNanos = read,
    )
}

private fun wrong(reply: Reply, payload: Payload): String? =
    reply.failure() ?: "not decoded".takeIf { payload == Payload.Json && reply.decoded == null }

/**
 * The threads of one [Dispatch] for one burst. [close] waits until they have ended, so that none counts as the client's. They belong to the
 * caller, not to the client under test. Probes leave out all threads with the harness's prefix, which they have.
 */
private class Senders(dispatch: Dispatch) : AutoCloseable {
    private val number = AtomicInteger()
    private val threads = ThreadFactory { Thread(it, "lab-sender-${number.getAndIncrement()}").apply { isDaemon = true } }
    private val own: ExecutorService? =
        when (dispatch) {
            Dispatch.OneThread -> Executors.newSingleThreadExecutor(threads)
            Dispatch.CachedPool -> Executors.newCachedThreadPool(threads)
            Dispatch.AsCaller, Dispatch.Io, Dispatch.Default -> null
        }
    private val dispatcher: ExecutorCoroutineDispatcher? = own?.asCoroutineDispatcher()

    val context: CoroutineContext =
        when (dispatch) {
            Dispatch.AsCaller -> EmptyCoroutineContext
            Dispatch.Io -> Dispatchers.IO
            Dispatch.Default -> Dispatchers.Default
            Dispatch.OneThread, Dispatch.CachedPool -> checkNotNull(dispatcher)
        }

    override fun close() {
        dispatcher?.close()
        own?.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)
    }
}

private const val PATIENCE_SECONDS = 5L
