package clientlab.server.request

import clientlab.server.answer.*
import io.netty.channel.ChannelFuture
import io.netty.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit

/**
 * Writes the body of one answer behind its [head], as fast as its [writer] takes it and its [behaviour] allows; keeps no bytes.
 *
 * The owner calls [run] whenever the writer can take more, and [cancel] when the writer has gone. [onWritten] is called for every piece
 * that has left; [onEnd] is called once, for the last piece that has to be given, or the first that failed.
 */
internal class BodyStream(
    private val writer: ResponseWriter,
    private val head: ChannelFuture,
    private val body: Body,
    private val behaviour: ResponseBehaviour,
    private val onWritten: (Int) -> Unit,
    private val onEnd: (ChannelFuture) -> Unit,
) : Runnable {
    private val stopAt = behaviour.given(body.length)
    private val beginsAt = System.nanoTime() + behaviour.bodyDelayNanos
    private var sent = 0L
    private var timer: ScheduledFuture<*>? = null
    private var isRunning = false
    private var hasEnded = false

    /** How long no byte may be written, although the reader takes everything. */
    val pauseNanos: Long = behaviour.bodyDelayNanos + behaviour.pace.nanosFor(1, body.length)

    /** Every byte of a whole body has been written; they need not have left. */
    val isWrittenWhole: Boolean get() = sent == stopAt && sent > 0 && !behaviour.failsInside

    override fun run() {
        // A write that empties the connection's buffer calls this method again, from within the loop below.
        if (isRunning || hasEnded) return
        isRunning = true
        timer?.cancel(false)
        timer = null
        var pieces = PIECES_PER_TURN
        while (pieces > 0 && writer.isWritable) {
            val size = due()
            if (size == 0) break
            writePiece(size)
            pieces--
        }
        isRunning = false
        when {
            hasEnded -> Unit

            // One fast reader must not keep the event loop from the other connections.
            pieces == 0 -> writer.executor.execute(this)

            // The last write ends it, or the reader makes room and the owner calls again.
            (sent == stopAt && sent > 0) || !writer.isWritable -> Unit

            else -> goOnWhenDue()
        }
    }

    fun cancel() {
        hasEnded = true
        timer?.cancel(false)
        timer = null
    }

    /** How many bytes may be written now, at most one piece. */
    private fun due(): Int {
        val allowed = if (behaviour.isSlow) {
            val elapsed = System.nanoTime() - beginsAt
            if (elapsed < 0) 0 else minOf(stopAt, behaviour.pace.bytesBy(elapsed, body.length))
        } else {
            stopAt
        }
        return minOf(allowed - sent, BytePattern.BYTES.toLong()).toInt()
    }

    private fun goOnWhenDue() {
        val next =
            minOf(stopAt, maxOf(sent + 1, behaviour.pace.bytesBy(behaviour.pace.nanosFor(sent, body.length) + STEP_NANOS, body.length)))
        val left = beginsAt + behaviour.pace.nanosFor(next, body.length) - System.nanoTime()
        when {
            left > 0 -> timer = writer.executor.schedule(this, left, TimeUnit.NANOSECONDS)
            stopAt == 0L -> head.addListener { end(head) }
            else -> writer.executor.execute(this)
        }
    }

    private fun writePiece(most: Int) {
        val piece = body.piece(sent, most)
        val size = piece.readableBytes()
        sent += size
        val isLast = sent == stopAt
        writer.write(piece, isLast && !behaviour.failsInside).addListener { written ->
            if (written.isSuccess) onWritten(size)
            if (isLast || !written.isSuccess) end(written as ChannelFuture)
        }
    }

    private fun end(written: ChannelFuture) {
        if (hasEnded) return
        cancel()
        onEnd(written)
    }

    private companion object {
        const val PIECES_PER_TURN = 32

        /** A slow body comes in pieces of this time, unless one byte takes longer; finer pieces would cost more than they show. */
        const val STEP_NANOS = 10_000_000L
    }
}
