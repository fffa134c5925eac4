package clientlab.conduct.threads

import clientlab.client.*
import clientlab.conduct.scene.*
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/** A client whose answers need a thread of `Dispatchers.IO` waits for good, because each of them waits for an answer. */
internal val nested = Situation(
    "threads.nested",
    "Every thread of Dispatchers.IO waits in runBlocking for an answer. The server answers each request at once.",
) {
    val server = server {
        while (true) {
            receive()
            answer()
        }
    }
    val session = open(server, inFlight = IO_THREADS)
    val together = CountDownLatch(IO_THREADS)
    val onIo = CoroutineScope(SupervisorJob() + Dispatchers.IO)
    val blocked = List(IO_THREADS) { Blocked() }
    blocked.forEachIndexed { number, it ->
        onIo.launch {
            it.thread = Thread.currentThread()
            together.countDown()
            together.await(PATIENCE.inWholeMilliseconds, TimeUnit.MILLISECONDS)
            val answered = runCatching { runBlocking { session.send(Request("/$number")) } }.isSuccess
            it.thread = null
            it.answered.complete(answered)
        }
    }
    val answered = withTimeoutOrNull(PATIENCE * 2) { blocked.map { it.answered.await() } }
    // The next situation needs these threads.
    blocked.forEach { it.thread?.interrupt() }
    onIo.cancel()
    when {
        answered == null -> Observed("none is answered, and the threads wait on", concern = STUCK)
        answered.all { it } -> Observed("all are answered")
        else -> Observed("they fail at their time-out", concern = STUCK)
    }
}

private class Blocked {
    @Volatile var thread: Thread? = null
    val answered = CompletableDeferred<Boolean>()
}

/** As kotlinx.coroutines decides it. */
private val IO_THREADS: Int = System.getProperty("kotlinx.coroutines.io.parallelism")?.toInt()
    ?: maxOf(64, Runtime.getRuntime().availableProcessors())

private const val STUCK = "Answers need a thread of Dispatchers.IO, and each of them waits for an answer: nothing in the program goes on."
