package clientlab.client

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.ExecutorCoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import java.util.concurrent.Executors

/**
 * Blocks until [work] is done, as `runBlocking` does; for adapters, which are compiled against the newest coroutines and run with old ones.
 *
 * `runBlocking` has another name for who is compiled against a newer version, which older ones do not have. Core is compiled against 1.8.
 */
public fun <T> blocking(work: suspend CoroutineScope.() -> T): T = runBlocking(block = work)

/** The kind of thread that a blocking call is given, one thread a call. */
public enum class CallerThreads {
    Platform,
    Virtual,
}

/**
 * A session over a client that blocks: every [send] runs [call] on a thread of its own, so that the number of caller threads is the
 * number of calls in flight and nothing else limits them.
 *
 * [close] takes no further call and lets those under way end; override it, and call super, to close the client first.
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
