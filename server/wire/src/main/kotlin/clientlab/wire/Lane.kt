package clientlab.wire

import io.netty.buffer.ByteBuf
import io.netty.channel.EventLoop
import io.netty.util.concurrent.ScheduledFuture
import java.util.SplittableRandom
import java.util.concurrent.TimeUnit

/**
 * One direction of a connection: bytes, and then the end of the stream, wait here until they are due, and leave in their order.
 *
 * Not thread-safe: for the event loop of its connection. [deliver] sends bytes on; null is the end of the stream. What waits takes memory, so
 * no more should be read while there is no room; [roomChanged] is called when [hasRoom] changes.
 */
internal class Lane(
    private val loop: EventLoop,
    private val random: SplittableRandom,
    private val wire: () -> Wire,
    private val roomChanged: () -> Unit,
    private val deliver: (ByteBuf?) -> Unit,
) {
    private class Piece(val bytes: ByteBuf?, val due: Long)

    private val waiting = ArrayDeque<Piece>()
    private var waitingBytes = 0L
    private var lineFreeAt = System.nanoTime()
    private var lastDue = lineFreeAt
    private var timer: ScheduledFuture<*>? = null

    var hasRoom: Boolean = true
        private set

    /** Takes [bytes], or null for the end of the stream, which enter the network [later] than now. */
    fun enter(bytes: ByteBuf?, later: Long = 0) {
        val wire = wire()
        val size = bytes?.readableBytes() ?: 0
        val start = latest(System.nanoTime() + later, lineFreeAt)
        lineFreeAt = start + wire.sendNanos(size)
        lastDue = latest(lastDue, lineFreeAt + wire.oneWayNanos(random))
        waiting += Piece(bytes, lastDue)
        waitingBytes += size
        if (waitingBytes > MOST_WAITING) room(false)
        move()
    }

    /** Sends on what is due, and comes back when the next piece is. */
    fun move() {
        timer?.cancel(false)
        timer = null
        while (!wire().paused) {
            val next = waiting.firstOrNull() ?: break
            val left = next.due - System.nanoTime()
            if (left > 0) {
                timer = loop.schedule(Runnable { move() }, left, TimeUnit.NANOSECONDS)
                break
            }
            waiting.removeFirst()
            waitingBytes -= next.bytes?.readableBytes() ?: 0
            deliver(next.bytes)
        }
        if (waitingBytes < MOST_WAITING / 2) room(true)
    }

    /** Throws away what waits. */
    fun clear() {
        timer?.cancel(false)
        timer = null
        waiting.forEach { it.bytes?.release() }
        waiting.clear()
        waitingBytes = 0
    }

    private fun room(now: Boolean) {
        if (now == hasRoom) return
        hasRoom = now
        roomChanged()
    }

    /** The later of two readings of the clock, which may have any sign. */
    private fun latest(one: Long, other: Long) = if (one - other > 0) one else other

    private companion object {
        /** Of one direction: what a fast line with a long round trip holds. */
        const val MOST_WAITING = 8L shl 20
    }
}
