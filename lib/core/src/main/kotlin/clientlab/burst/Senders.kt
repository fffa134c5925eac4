package clientlab.burst

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExecutorCoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.ThreadFactory
import java.util.concurrent.TimeUnit
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * The threads of one [Dispatch] for one burst. [close] waits until they have ended, so that none counts as the client's.
 *
 * They belong to the caller, not to the client under test; their names show it.
 */
internal class Senders(dispatch: Dispatch) : AutoCloseable {
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

    private companion object {
        /** Probes leave out all threads with the harness's prefix. */
        private val threads: ThreadFactory =
            Thread
                .ofPlatform()
                .daemon()
                .name("lab-sender-", 0)
                .factory()
        private const val PATIENCE_SECONDS = 5L
    }
}
