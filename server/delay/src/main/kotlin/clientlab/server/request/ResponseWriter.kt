package clientlab.server.request

import clientlab.server.answer.*
import clientlab.server.evidence.*
import io.netty.buffer.ByteBuf
import io.netty.channel.ChannelFuture
import io.netty.util.concurrent.EventExecutor
import io.netty.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit
import java.util.zip.CRC32

/** Writes the answers of [Exchange]s as one protocol has it: to a connection of HTTP/1, or to one stream of HTTP/2. */
internal interface ResponseWriter {
    val executor: EventExecutor
    val isWritable: Boolean // a piece may be written now; the writer calls Exchange.onWritable when it may again
    val canEndWithHead: Boolean // an answer without a body ends with its head, so that nothing has to be written after it

    /** Writes the head and the whole [body] at once; the result says when they have left. */
    fun writeWhole(exchange: Exchange, body: ByteArray): ChannelFuture

    /** Writes the head of an answer whose body of [length] bytes follows in pieces, or which ends with the head if [isAll]. */
    fun writeHead(exchange: Exchange, length: Long, isAll: Boolean): ChannelFuture

    /** Writes [piece], which is the end of a whole body if [isEnd]; the result says when it has left. */
    fun write(piece: ByteBuf, isEnd: Boolean): ChannelFuture

    fun onProgress(now: Long)

    fun onOver(now: Long) // answered or not

    /** The whole answer has left, and the request asked for no fault after it. */
    fun onAnswered(exchange: Exchange)

    fun onWriteFailed() = Unit // in HTTP/1 the connection has gone

    /** Closes or resets, because the request asked for [fault], or has stalled long enough. */
    fun end(fault: Fault)
}

/**
 * Writes the body of one answer behind its [head], as fast as its [writer] takes it and its [behaviour] allows; keeps no bytes. [run] goes
 * on whenever the writer can take more. [onEnd] is called once, for the last piece that has to be given, or the first that failed.
 */
internal class BodyStream(
    private val writer: ResponseWriter,
    private val head: ChannelFuture,
    private val body: Body,
    private val behaviour: ResponseBehaviour,
    private val evidence: ServerEvidence,
    private val onEnd: (ChannelFuture) -> Unit,
) : Runnable {
    private val stopAt = behaviour.given(body.length)
    private val beginsAt = System.nanoTime() + behaviour.bodyDelayNanos
    private var sent = 0L
    private var timer: ScheduledFuture<*>? = null
    private var isRunning = false
    private var hasEnded = false

    /** How long no byte may be written, although the reader takes everything. */
    val pauseNanos: Long = behaviour.bodyDelayNanos + behaviour.pace.pauseNanos(body.length)

    /** Every byte of a whole body has been written, but need not have left. */
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
        // The last write ends it, or the reader makes room and the owner calls again.
        val goesOnByItself = (sent == stopAt && sent > 0) || !writer.isWritable
        if (hasEnded) return
        // One fast reader must not keep the event loop from the other connections.
        if (pieces == 0) {
            writer.executor.execute(this)
        } else if (!goesOnByItself) {
            goOnWhenDue()
        }
    }

    fun cancel() {
        hasEnded = true
        timer?.cancel(false)
        timer = null
    }

    private fun due(): Int {
        val elapsed = if (behaviour.isSlow) System.nanoTime() - beginsAt else 0
        val allowed = when {
            !behaviour.isSlow -> stopAt
            elapsed < 0 -> 0
            else -> minOf(stopAt, behaviour.pace.bytesBy(elapsed, body.length))
        }
        return minOf(allowed - sent, BytePattern.BYTES.toLong()).toInt()
    }

    private fun goOnWhenDue() {
        val pace = behaviour.pace
        val next = minOf(stopAt, maxOf(sent + 1, pace.bytesBy(pace.nanosFor(sent, body.length) + STEP_NANOS, body.length)))
        val left = beginsAt + pace.nanosFor(next, body.length) - System.nanoTime()
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
            if (written.isSuccess) {
                writer.onProgress(System.nanoTime())
                evidence.sent(size)
            }
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
        const val STEP_NANOS = 10_000_000L // a slow body comes in pieces of this time, unless one byte takes longer
    }
}

/** Counts the bytes of an uploaded body and computes their checksum; keeps none of them. */
internal class Upload {
    private val crc = CRC32()
    private var bytes = 0L

    fun take(content: ByteBuf) {
        bytes += content.readableBytes()
        crc.update(content.nioBuffer())
    }

    fun answer(): Answer = Answer(200, """{"bytes":$bytes,"crc32":"${crcText(crc.value)}"}""", delayNanos = 0, Content.Json)
}
