package clientlab.outage

import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLongArray
import kotlin.time.Duration.Companion.milliseconds

/**
 * So many callers, [number], with a stream each through [session], on one thread. One whose stream ends opens it again, until [close].
 */
internal class StreamCallers(private val session: Session, private val number: Int) : AutoCloseable {
    private val thread = Executors.newSingleThreadExecutor { Thread(it, ThreadKind.CALLERS).apply { isDaemon = true } }
    private val scope = CoroutineScope(SupervisorJob() + thread.asCoroutineDispatcher())
    private val reads = First(number)
    private val ends = First(number)
    private val backs = First(number)
    private val asked = AtomicInteger()

    @Volatile private var silentSince = 0L

    @Volatile private var overSince = 0L

    /** How the streams ended, each one. */
    val failures: Failures = Failures()

    /** How often a stream was opened. */
    val opened: Int get() = asked.get()

    /** How many callers have read an event. */
    val reading: Int get() = reads.count

    /** Callers whose stream has ended since the silence began: how long after that, in ms. */
    val noticedMs: DoubleArray get() = ends.msSince(silentSince)

    /** Callers that have read an event since the silence is over: how long after that, in ms. */
    val backMs: DoubleArray get() = backs.msSince(overSince)

    fun open(): Unit = repeat(number) { caller ->
        scope.launch {
            while (isActive) {
                asked.incrementAndGet()
                stream(caller)
                if (silentSince != 0L) ends.happened(caller)
                delay(AGAIN)
            }
        }
    }

    fun silenceBegins() {
        silentSince = System.nanoTime()
    }

    fun silenceIsOver() {
        overSince = System.nanoTime()
    }

    /** Opens no stream any more. Nothing waits for those that are open. */
    override fun close(): Unit = scope.cancel()

    private suspend fun stream(caller: Int) {
        val request = Request("/events?every=1&size=$EVENT_BYTES&a=$caller", large = true, onRead = { read(caller) })
        try {
            failures.add(session.send(request).failure() ?: "its end")
        } catch (e: Throwable) {
            failures.add(e)
        }
    }

    private fun read(caller: Int) = if (overSince != 0L) backs.happened(caller) else reads.happened(caller)

    /** When something happened to each caller for the first time. Any thread may tell. */
    private class First(private val callers: Int) {
        private val nanos = AtomicLongArray(callers)

        val count: Int get() = (0 until callers).count { nanos.get(it) != 0L }

        fun happened(caller: Int) {
            nanos.compareAndSet(caller, 0, System.nanoTime())
        }

        /** How many ms after [from] it happened, ascending, one for each caller that it happened to. */
        fun msSince(from: Long): DoubleArray =
            (0 until callers).map(nanos::get).filter { it != 0L }.map { (it - from) / 1e6 }.sorted().toDoubleArray()
    }

    private companion object {
        const val EVENT_BYTES = 64
        val AGAIN = 100.milliseconds
    }
}
