package clientlab.client

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.runInterruptible
import java.util.concurrent.Executors

/**
 * Blocks until [work] is done, like `runBlocking`, whose symbol in newer coroutines old ones lack. Adapters are compiled against new
 * coroutines and may run with old ones, so they call this one; core is compiled against 1.8.
 */
public fun <T> blocking(work: suspend CoroutineScope.() -> T): T = runBlocking(block = work)

/** The kind of thread for blocking calls, one thread per call. */
public enum class CallerThreads {
    Platform,
    Virtual,
}

/**
 * A session over a blocking client. Every [send] runs [call] on a thread of its own, and nothing else limits the calls in flight. If the
 * caller cancels, that thread is interrupted, and [send] ends when the call does. After [close] no call is accepted, and calls in progress
 * may end. To close the client first, override it and call super.
 */
public abstract class BlockingSession(threads: CallerThreads) : Session {
    private val builder = if (threads == CallerThreads.Virtual) Thread.ofVirtual() else Thread.ofPlatform().daemon()
    private val dispatcher = Executors.newThreadPerTaskExecutor(builder.name(CALLER, 0).factory()).asCoroutineDispatcher()

    /** Sends [request] and blocks until the body of the answer is read. */
    protected abstract fun call(request: Request): Reply

    final override suspend fun send(request: Request): Reply = runInterruptible(dispatcher) { call(request) }

    override fun close(): Unit = dispatcher.close()

    public companion object {
        /** The prefix of the names of caller threads. */
        public const val CALLER: String = "caller-"
    }
}
