package clientlab.server.request

import clientlab.server.answer.Body
import clientlab.server.answer.BytePattern
import clientlab.server.answer.ResponseBehaviour
import io.netty.channel.ChannelFuture
import io.netty.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit

/**
 * Writes the body of one answer behind its [head], as fast as its [writer] takes it and its [behaviour] lets it, and holds none of it.
 *
 * It goes on whenever the writer can be written to: whoever owns that calls [run] then, and [cancel] when it has gone.
 * [onWritten] is told of every piece that has left, [onEnd] once: of the last piece that is to be given, or of the first that failed.
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

    /** How long nothing may be written even with a reader who takes everything. */
    val pauseNanos: Long = behaviour.bodyDelayNanos + behaviour.pace.nanosFor(1, body.length)

    /** Every byte of a whole body has been written; they need not have left. */
    val isWrittenWhole: Boolean get() = sent == stopAt && sent > 0 && !behaviour.failsInside

    override fun run() {
        // A write that empties the connection's buffer says so at once, in the midst of this very loop.
        if (isRunning || hasEnded) return
        isRunning = true
        timer?.cancel(false)
        timer = null
        var pieces = PIECES_A_TURN
        while (pieces > 0 && writer.isWritable) {
            val size = due()
            if (size == 0) break
            writePiece(size)
            pieces--
        }
        isRunning = false
        when {
            hasEnded -> Unit

            // One fast reader must not keep the loop from everyone else.
            pieces == 0 -> writer.executor.execute(this)

            // What has been written ends it, or whoever reads it makes room.
            (sent == stopAt && sent > 0) || !writer.isWritable -> Unit

            else -> goOnWhenDue()
        }
    }

    fun cancel() {
        hasEnded = true
        timer?.cancel(false)
        timer = null
    }

    /** How many bytes may be written now, at most a piece; 0 for none. */
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
        const val PIECES_A_TURN = 32

        /** A slow body comes in pieces of so long, if a byte does not take longer: finer ones would cost more than they show. */
        const val STEP_NANOS = 10_000_000L
    }
}
