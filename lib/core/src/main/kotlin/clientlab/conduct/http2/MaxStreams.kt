package clientlab.conduct.http2

import clientlab.conduct.scene.*
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Duration.Companion.milliseconds

internal val maxStreams =
    Situation("http2.max-streams", "The server allows two streams at once on a connection. The caller sends ten requests at once.") {
        val waiting = LinkedBlockingQueue<() -> Unit>()
        val warm = AtomicBoolean()
        val server = http2(streams = 2) {
            while (true) {
                val stream = receive()
                // The first request of all lets the client learn what is allowed.
                if (warm.compareAndSet(false, true)) answer(stream) else waiting += { answer(stream) }
            }
        }
        val session = openHttp2(server)
        session.ask("/first")
        val calls = List(10) { session.start("/$it") }
        pause(LET_ASK)
        // Of a new connection the client does not know yet what is allowed.
        val together = server.requests.drop(1).count { (connection, _) -> connection == 1 }
        answerUntilOver(waiting, calls)
        val endings = calls.map { it.end() }
        when {
            together > 2 -> Observed(
                "opens more streams than are allowed",
                concern = "RFC 9113, 5.1.2: the server may refuse what is too much.",
            )

            endings.any { it.pending } -> Observed("some requests wait on", concern = "Callers wait for a stream that they never get.")

            endings.any { it.failed } -> Observed("some requests fail", concern = "What is too much fails instead of waiting for a stream.")

            server.connections > 1 -> Observed("opens more connections")

            else -> Observed("lets the others wait")
        }
    }

/** Answers one after the other, so that each makes room for another request. */
private fun answerUntilOver(waiting: LinkedBlockingQueue<() -> Unit>, calls: List<Call>) {
    val until = System.nanoTime() + PATIENCE.inWholeNanoseconds
    while (calls.any { !it.over } && System.nanoTime() < until) waiting.poll(LOOK_MS, TimeUnit.MILLISECONDS)?.let { runCatching(it) }
}

private val LET_ASK = 150.milliseconds
private const val LOOK_MS = 10L
