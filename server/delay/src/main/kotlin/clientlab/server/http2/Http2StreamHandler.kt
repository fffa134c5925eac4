package clientlab.server.http2

import clientlab.server.answer.Answer
import clientlab.server.answer.Body
import clientlab.server.answer.Content
import clientlab.server.answer.Fault
import clientlab.server.answer.bodyOf
import clientlab.server.answer.wholeBody
import clientlab.server.evidence.RequestTable
import clientlab.server.request.BodyStream
import clientlab.server.request.ResponseWriter
import clientlab.server.request.Upload
import clientlab.server.request.queryNumber
import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelFuture
import io.netty.handler.codec.http2.Http2Error
import io.netty.handler.codec.http2.Http2Stream
import io.netty.util.concurrent.EventExecutor
import io.netty.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit

/**
 * One request over HTTP/2 with the answer it is to have; its own timer's task, and the writer of its own body.
 *
 * Unlike in HTTP/1 it waits for none but itself, so each is due after its own delay. What ends it ends it once: its answer in full,
 * a reset by either side, or the end of its connection.
 *
 * @property begunAt when its head had been read, in `System.nanoTime()`.
 */
internal class Http2StreamHandler(
    private val connection: Http2Handler,
    private val stream: Http2Stream,
    private var answer: Answer,
    private val target: String,
) : Runnable,
    ResponseWriter {
    private val port = connection.port
    private val evidence = port.evidence
    val begunAt: Long = System.nanoTime()
    private var arrivedAt = begunAt
    private var dueAt = begunAt
    private var row = RequestTable.NO_ROW
    private var bodyBytes = 0L
    private var upload: Upload? = null
    private var body: BodyStream? = null
    private var timer: ScheduledFuture<*>? = null
    private var purpose = Fault.NONE
    private var state = State.READING

    /** When the last of the answer was written, or a piece of it taken. */
    private var touchedAt = begunAt

    /** Counted as arrived, and as in flight. */
    private var hasArrived = false
    private var isHeld = false
    private var isReadToEnd = false

    private enum class State {
        READING,
        WAITING,

        /** The last of the answer has been given to the codec, which tells what became of it. */
        WRITTEN,
        OVER,
    }

    override val isWritable: Boolean get() = connection.encoder().flowController().isWritable(stream)

    override val executor: EventExecutor get() = connection.context.executor()

    /** [asksToGoOn] before it sends its body. */
    fun begin(contentLength: Long, asksToGoOn: Boolean, isEnd: Boolean) {
        isReadToEnd = isEnd
        val label = queryNumber(target, "a")
        if (label in 0..Int.MAX_VALUE) row = evidence.requests.arrived(label.toInt(), connection.seen.number, begunAt)
        if (contentLength > port.mostBodyBytes(answer)) return arrive(port.tooLarge(answer))
        if (answer.content == Content.UploadReceipt && !beginUpload()) return arrive(port.overloaded())
        if (isEnd) return onEnd()
        if (asksToGoOn) connection.head(stream, Http2HeadEncoder.CONTINUE, isEnd = false)
    }

    fun onData(data: ByteBuf) {
        val bytes = data.readableBytes()
        if (state != State.READING || bytes == 0) return
        bodyBytes += bytes
        evidence.received(bytes)
        if (bodyBytes > port.mostBodyBytes(answer)) return arrive(port.tooLarge(answer))
        upload?.take(data)
    }

    /** The request has been read to its end. */
    fun onEnd() {
        isReadToEnd = true
        if (state == State.READING) arrive(upload?.answer() ?: answer)
    }

    /** An upload takes long, so it is in flight from its head on; false where that would be one too many. */
    private fun beginUpload(): Boolean {
        if (evidence.inFlight >= port.maxInFlight) return false
        upload = Upload(begunAt)
        count(begunAt)
        hold(begunAt)
        return true
    }

    private fun count(now: Long) {
        hasArrived = true
        evidence.arrived(connection.protocol, now)
        evidence.connections.arrived(connection.seen, connection.protocol)
    }

    private fun hold(now: Long) {
        isHeld = true
        evidence.held(now)
    }

    private fun arrive(answer: Answer) {
        val now = System.nanoTime()
        state = State.WAITING
        val wasCounted = hasArrived
        if (!wasCounted) {
            arrivedAt = now
            count(now)
        }
        val refusal = if (!wasCounted && answer.isDelayed) port.refusal(now) else null
        this.answer = refusal ?: answer
        if (!wasCounted && this.answer.isDelayed) hold(now)
        dueAt = now + maxOf(this.answer.delayNanos, 0)
        run()
    }

    /** Answers when that is due. A timer that fires a hair early is simply set again. */
    override fun run() {
        timer = null
        if (state != State.WAITING) return
        val left = dueAt - System.nanoTime()
        if (left > 0) timer = executor.schedule(this, left, TimeUnit.NANOSECONDS) else write()
    }

    private fun write() {
        when {
            answer.behaviour.failsBefore -> fail()
            answer.isWhole -> writeWhole(wholeBody(answer))
            else -> writePieces(bodyOf(answer))
        }
    }

    /** To be reset behind an answer in full, a stream must not have ended with it. */
    private val endsStream: Boolean get() = !(answer.behaviour.failsAfter && answer.behaviour.fault == Fault.RESET)

    private fun writeWhole(bytes: ByteArray) {
        state = State.WRITTEN
        touchedAt = System.nanoTime()
        val isHeadAll = bytes.isEmpty()
        val head = connection.head(stream, port.heads.of(answer, bytes.size.toLong()), isHeadAll && endsStream)
        val last = if (isHeadAll) head else connection.data(stream, Unpooled.wrappedBuffer(bytes), endsStream)
        last.addListener { settle(last, bytes.size) }
    }

    private fun writePieces(whole: Body) {
        val isHeadAll = whole.length == 0L && !answer.behaviour.failsInside
        val head = connection.head(stream, port.heads.of(answer, whole.length), isHeadAll && endsStream)
        if (isHeadAll) {
            state = State.WRITTEN
            head.addListener { settle(head, 0) }
            return
        }
        val begun = BodyStream(this, head, whole, answer.behaviour, ::sentPiece) { written -> onBodyEnd(whole, written) }
        body = begun
        touchedAt = System.nanoTime()
        begun.run()
    }

    private fun sentPiece(bytes: Int) {
        touchedAt = System.nanoTime()
        evidence.sent(bytes)
    }

    override fun write(piece: ByteBuf, isEnd: Boolean): ChannelFuture {
        if (isEnd) state = State.WRITTEN
        return connection.data(stream, piece, isEnd && endsStream)
    }

    /** There is room again for what is written piece by piece. */
    fun onWritable() {
        body?.run()
    }

    private fun onBodyEnd(whole: Body, written: ChannelFuture) {
        body = null
        if (answer.behaviour.failsInside && written.isSuccess) fail() else settle(written, 0, answer.behaviour.bodyNanos(whole.length))
    }

    /** Does to a request that is not answered in full what it asked for. */
    private fun fail() {
        purpose = answer.behaviour.fault
        when (purpose) {
            // In flight until somebody ends it.
            Fault.STALL -> timer = executor.schedule({ reset(Http2Error.CANCEL) }, port.routes.longestNanos, TimeUnit.NANOSECONDS)

            Fault.RESET -> reset(Http2Error.INTERNAL_ERROR)

            else -> connection.end(purpose)
        }
    }

    /** Ends it where its client takes too long to send the request, or to read the answer. */
    fun resetIfOverdue(now: Long) {
        val left = when {
            state == State.READING -> begunAt + port.patienceNanos(bodyBytes) - now
            state == State.WRITTEN || body != null -> touchedAt + port.idleNanos + (body?.pauseNanos ?: 0) - now
            else -> return
        }
        if (left > 0) return
        evidence.streamFailed()
        reset(Http2Error.CANCEL)
    }

    private fun reset(error: Http2Error) = connection.reset(stream, error)

    private fun settle(written: ChannelFuture, sentBytes: Int, bodyNanos: Long = 0) {
        if (state == State.OVER) return
        val now = System.nanoTime()
        if (!written.isSuccess) {
            abandon(now)
            return reset(Http2Error.INTERNAL_ERROR)
        }
        finish(now)
        evidence.sent(sentBytes)
        evidence.answered(answer, arrivedAt, dueAt, now, bodyNanos)
        evidence.requests.answered(row, now)
        val behaviour = answer.behaviour
        when {
            behaviour.failsAfter && behaviour.fault == Fault.RESET -> reset(Http2Error.INTERNAL_ERROR)

            behaviour.failsAfter -> connection.end(behaviour.fault)

            behaviour.closes -> connection.leave()

            // The rest of a request that was answered before its end need not be sent: RFC 9113, 8.1.
            !isReadToEnd -> reset(Http2Error.NO_ERROR)
        }
        if (behaviour.failsAfter) evidence.endedBehind(behaviour.fault)
    }

    /** The stream has ended, by whatever it was. */
    fun onClosed() {
        timer?.cancel(false)
        timer = null
        // What has been given to the codec to its end has an end of its own, which may come later.
        if (state == State.WRITTEN || state == State.OVER) return
        body?.cancel()
        body = null
        if (hasArrived) abandon(System.nanoTime()) else state = State.OVER
    }

    private fun abandon(now: Long) {
        finish(now)
        evidence.abandoned(if (purpose == Fault.NONE) connection.purpose else purpose)
    }

    private fun finish(now: Long) {
        state = State.OVER
        upload = null
        if (isHeld) evidence.released(now)
        evidence.connections.ended(connection.seen)
        connection.stirred(now)
    }
}
