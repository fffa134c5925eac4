package clientlab.streams

import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicLongArray

/**
 * Streams through [session], at most [most] of them, each read by a coroutine on one thread. Nothing waits for them; the fork ends while
 * they are open. One thread opens and cancels.
 */
internal class StreamLoad(private val session: Session, most: Int) {
    private val thread = Executors.newSingleThreadExecutor { Thread(it, ThreadKind.CALLERS).apply { isDaemon = true } }
    private val scope = CoroutineScope(SupervisorJob() + thread.asCoroutineDispatcher())
    private val read = AtomicLongArray(most)
    private val jobs = ArrayList<Job>(most)

    /** Of the streams that nobody has cancelled. */
    val failures: Failures = Failures()

    /** How many streams are over that nobody has cancelled. */
    val ended: Int get() = failures.counts.values.sum()

    /** Opens [count] more streams. */
    fun open(count: Int, feed: Feed): Unit = repeat(count) {
        val number = jobs.size
        jobs += scope.launch { hold(feed.request(number) { bytes -> read.addAndGet(number, bytes.toLong()) }) }
    }

    /** Cancels the stream that was opened last. */
    fun cancelLast(): Unit = jobs.last().cancel()

    /** The bytes that the callers of the first [count] streams have read so far. */
    fun bytesRead(count: Int): Long = (0 until count).sumOf { read.get(it) }

    private suspend fun hold(request: Request) {
        val job = currentCoroutineContext().job
        try {
            failures.add(session.send(request).failure()?.takeUnless { request.webSocket } ?: "its end")
        } catch (e: Throwable) {
            // What a client throws when its caller cancels is up to the client.
            if (job.isCancelled) throw e
            failures.add(e)
        }
    }
}
