package clientlab.transfer

import clientlab.probe.SocketStates
import kotlinx.coroutines.runBlocking
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * What is left of [connections] connections a second after they were closed, at both ends.
 *
 * Each carries its bytes once and is idle when it is closed, by this end first or by the other. A second is far more than loopback needs,
 * and far less than TIME_WAIT lasts.
 */
internal class Closing(
    private val operation: Operation,
    private val bytes: Long,
    private val connections: Int,
) {
    fun measure(means: IoApiEntry): TransferResult =
        TransferGround(operation, bytes, null).use { ground ->
            val sink = checkNotNull(ground.sink)
            val movers = ArrayList<Mover>(connections)
            try {
                val course =
                    Iterations.run<Long?>(connections, { wrongLength(bytes, it) }) {
                        val mover = means.open(ground.task)
                        movers += mover
                        runBlocking { mover.move(Tally()) }.let { it.receipt?.bytes to it.tookNanos }
                    }
                val open = SocketStates.of(sink.address.port)
                if (operation == Operation.PeerClose) {
                    sink.leave()
                    awaitNews(sink.address.port)
                }
                val closing = System.nanoTime()
                movers.forEach { it.close() }
                val closeMs = (System.nanoTime() - closing) / 1e6
                movers.clear()
                Thread.sleep(LATER.inWholeMilliseconds)
                val left = SocketStates.of(sink.address.port)
                val states = left?.let { it.counts() + ("socketsLeft" to it.left.toDouble()) }.orEmpty()
                TransferResult(
                    metrics = mapOf("connectionsClosed" to course.tookMs.size.toDouble(), "closeMs" to closeMs) + states,
                    reasons =
                        listOfNotNull(
                            course.broken,
                            "This system has no table of sockets to read (/proc/net/tcp).".takeIf { left == null },
                            "Only ${open?.left} of $connections connections were seen open.".takeIf {
                                open != null &&
                                    open.left < connections
                            },
                        ),
                )
            } finally {
                movers.forEach { runCatching { it.close() } }
            }
        }

    /** Until this end knows of every close at the other one, so that it is known who was first. */
    private fun awaitNews(port: Int) {
        val began = TimeSource.Monotonic.markNow()
        while (SocketStates
                .of(port)
                ?.own
                .orEmpty()
                .any { it.state == "ESTABLISHED" } && began.elapsedNow() < LATER
        ) {
            Thread.onSpinWait()
        }
    }

    private companion object {
        private val LATER = 1.seconds
    }
}
