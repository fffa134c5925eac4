package clientlab.client

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.ExecutorCoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import java.util.concurrent.Executors

/**
 * Blocks until [work] is done, like `runBlocking`. Adapters use it, because they are compiled against the newest coroutines and may run
 * with old ones.
 *
 * Code that is compiled against newer coroutines calls a symbol for `runBlocking` that 1.8 lacks. Core is compiled against 1.8.
 */
public fun <T> blocking(work: suspend CoroutineScope.() -> T): T = runBlocking(block = work)

/** The kind of thread for blocking calls, one thread per call. */
public enum class CallerThreads {
    Platform,
    Virtual,
}

/**
 * A session over a blocking client. Every [send] runs [call] on a separate thread, so there are as many caller threads as calls in flight,
 * and nothing else limits them.
 *
 * After [close] no call is accepted, and calls in progress may end. To close the client first, override it and call super.
 */
public abstract class BlockingSession(threads: CallerThreads) : Session {
    private val dispatcher: ExecutorCoroutineDispatcher =
        Executors
            .newThreadPerTaskExecutor(
                when (threads) {
                    CallerThreads.Platform -> {
                        Thread
                            .ofPlatform()
                            .name(CALLER, 0)
                            .daemon()
                            .factory()
                    }

                    CallerThreads.Virtual -> {
                        Thread.ofVirtual().name(CALLER, 0).factory()
                    }
                },
            ).asCoroutineDispatcher()

    /** Sends [request] and blocks until the body of the answer is read. */
    protected abstract fun call(request: Request): Reply

    final override suspend fun send(request: Request): Reply = withContext(dispatcher) { call(request) }

    override fun close(): Unit = dispatcher.close()

    public companion object {
        /** The prefix of the names of caller threads. */
        public const val CALLER: String = "caller-"
    }
}
