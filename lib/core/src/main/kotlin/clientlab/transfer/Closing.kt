package clientlab.transfer

import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.runBlocking
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * The sockets of [connections] connections at both ends, a second after they were closed. Each carries its bytes once and is idle when this
 * end or the other end closes it first. A second is much more than loopback needs, and much less than TIME_WAIT lasts.
 */
internal class Closing(private val operation: Operation, private val bytes: Long, private val connections: Int) {
    fun measure(api: IoApiEntry): TransferResult =
        TransferGround(operation, bytes, null).use { ground ->
            val sink = checkNotNull(ground.sink)
            val movers = ArrayList<Mover>(connections)
            try {
                val iterations =
                    Iterations.run<Long?>(connections, { wrongLength(bytes, it) }) {
                        val mover = api.open(ground.task).also { movers += it }
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
                val numbers =
                    buildMap {
                        tell(TransferMetrics.connectionsClosed, iterations.tookMs.size)
                        tell(CommonMetrics.closeMs, closeMs)
                        tell(TransferMetrics.socketsLeft, left?.left)
                        val counts = left?.counts().orEmpty()
                        TransferMetrics.list.forEach { tell(it, counts[it.name]) }
                    }
                TransferResult(numbers, listOfNotNull(iterations.broken) + against(open, left))
            } finally {
                movers.forEach { runCatching { it.close() } }
            }
        }

    private fun against(open: SocketStates?, left: SocketStates?): List<String> =
        listOfNotNull(
            "This system has no table of sockets to read (/proc/net/tcp).".takeIf { left == null },
            "Only ${open?.left} of $connections connections were seen open.".takeIf { open != null && open.left < connections },
        )

    /** Waits until this end has seen every close of the other end, so that the order of closing is certain. */
    private fun awaitNews(port: Int) {
        val until = TimeSource.Monotonic.markNow() + LATER
        while (until.hasNotPassedNow() && SocketStates.of(port)?.own?.any { it.state == "ESTABLISHED" } == true) Thread.onSpinWait()
    }
}

private val LATER = 1.seconds
