package clientlab.ioapi

import kotlinx.coroutines.suspendCancellableCoroutine
import java.nio.channels.CancelledKeyException
import java.nio.channels.SelectableChannel
import java.nio.channels.SelectionKey
import java.nio.channels.Selector
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.concurrent.thread
import kotlin.coroutines.Continuation
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException

/** One selector and its thread for all connections of this JVM: coroutines wait here, and no other thread does. Safe for concurrent use. */
internal object SelectorLoop {
    private val selector = Selector.open()
    private val asked = ConcurrentLinkedQueue<Waiting>()

    init {
        thread(isDaemon = true, name = "own-selector", block = ::loop)
    }

    /** Suspends until [channel] is ready for [interest]; at most one coroutine per channel waits at a time. */
    suspend fun await(channel: SelectableChannel, interest: Int): Unit =
        suspendCancellableCoroutine { continuation ->
            asked += Waiting(channel, interest, continuation)
            selector.wakeup()
        }

    /** Lets the selector look again and free closed channels. */
    fun wakeup() {
        selector.wakeup()
    }

    private fun loop() {
        while (true) {
            selector.select { ready ->
                // The selector ignores the channel until a coroutine waits for it again.
                ready.interestOps(0)
                ready.takeWaiting()?.resume(Unit)
            }
            selector.keys().filter { !it.isValid }.forEach { it.takeWaiting()?.resumeWithException(CancelledKeyException()) }
            while (true) register(asked.poll() ?: break)
        }
    }

    private fun register(waiting: Waiting) {
        try {
            waiting.channel.register(selector, waiting.interest, waiting.continuation)
        } catch (e: Exception) {
            waiting.continuation.resumeWithException(e)
        }
    }

    @Suppress("UNCHECKED_CAST")
    private fun SelectionKey.takeWaiting() = attach(null) as Continuation<Unit>?

    private class Waiting(val channel: SelectableChannel, val interest: Int, val continuation: Continuation<Unit>)
}
