package clientlab.junit

import clientlab.client.*
import clientlab.probe.*
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import java.util.concurrent.Executors

/** So many calls of a [session] at once, each a coroutine on one thread of the harness. */
internal class CallsUnderWay(private val session: Session, calls: Int) : AutoCloseable {
    private val dispatcher =
        Executors
            .newSingleThreadExecutor {
                Thread(
                    it,
                    "${ThreadOwners.HARNESS_PREFIX}calls",
                ).apply { isDaemon = true }
            }.asCoroutineDispatcher()
    private val all = SupervisorJob().apply {
        // A dispatcher that closes earlier hands the calls that are cancelled to `Dispatchers.IO`, whose threads the next assertion counts.
        invokeOnCompletion { dispatcher.close() }
    }
    private val scope = CoroutineScope(all + dispatcher)
    private val ends: List<Deferred<Throwable?>> = List(calls) {
        scope.async {
            try {
                session.send(Request("/"))
                null
            } catch (failure: Exception) {
                failure
            }
        }
    }

    /** Whether all have ended. */
    val over: Boolean get() = ends.all { it.isCompleted }

    /** Waits for all, and returns what went wrong. */
    fun failures(): List<Throwable> = runBlocking { ends.awaitAll().filterNotNull() }

    override fun close(): Unit = all.cancel()
}
