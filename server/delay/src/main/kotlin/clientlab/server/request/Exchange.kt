package clientlab.server.request

import clientlab.server.answer.*
import clientlab.server.evidence.*
import io.netty.buffer.ByteBuf
import io.netty.channel.ChannelFuture
import io.netty.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit

/**
 * The life of one request, from its head to its end; the same for every protocol.
 *
 * A protocol calls, in this order: [begin] when it has read the head, [take] for each piece of the body, [arrive] when it has read the
 * request to its end (or answers it earlier), and [give] when the answer is due. The exchange counts each step in the evidence, writes
 * the answer through its [writer], and ends once: answered in full, failed because the request asked for that, or abandoned because
 * [onClosed] came first. Not thread-safe: it belongs to the event loop of its connection.
 */
internal class Exchange(
    private val admission: Admission,
    private val writer: ResponseWriter,
    private val connection: ConnectionRecord,
    var protocol: Protocol,
    var answer: Answer,
    private val label: Long = NOT_WHOLE, // the number in a=<number>, which gives the request a row in the table
) {
    private val evidence = admission.evidence
    private var state = State.READING
    private var hasArrived = false
    private var isHeld = false
    private var arrivedAt = 0L
    private var row = RequestTable.NO_ROW
    private var upload: Upload? = null
    private var body: BodyStream? = null
    private var stall: ScheduledFuture<*>? = null
    private var purpose = Fault.NONE // why the request ends without its full answer, if it asked for that

    var dueAt: Long = 0L // when the answer may be written at the earliest
        private set
    var bodyBytes: Long = 0L // of the request, read so far
        private set
    var isLast: Boolean = false // the connection closes after this request
    val isReading: Boolean get() = state == State.READING
    val isWaiting: Boolean get() = state == State.WAITING // arrived, and not answered to the last byte
    val isWriting: Boolean get() = state == State.WRITTEN || body != null // the client takes time to read the answer
    val pauseNanos: Long get() = body?.pauseNanos ?: 0

    /** WRITTEN: the protocol has the whole answer and will report what became of it. */
    private enum class State { READING, WAITING, WRITTEN, OVER }

    /** The head has been read at [now]: begins an upload, or returns the answer that refuses the body unread. */
    fun begin(contentLength: Long, now: Long): Answer? = when {
        contentLength > admission.mostBodyBytes(answer) -> admission.tooLarge(answer)
        answer.content == Content.UploadReceipt && !beginUpload(now) -> admission.overloaded()
        else -> null
    }

    /** Counts a piece of the body, or returns the answer that refuses the body because it is too long. */
    fun take(piece: ByteBuf): Answer? {
        val bytes = piece.readableBytes()
        if (bytes == 0) return null
        bodyBytes += bytes
        evidence.counts.bytesReceived += bytes
        if (bodyBytes > admission.mostBodyBytes(answer)) return admission.tooLarge(answer)
        upload?.take(piece)
        return null
    }

    /** The request has been read to its end, or is answered by [refusal] without that. */
    fun arrive(now: Long, refusal: Answer? = null) {
        state = State.WAITING
        val isNew = !hasArrived
        if (isNew) count(now)
        val given = refusal ?: upload?.answer() ?: answer
        upload = null
        answer = (if (isNew && given.isDelayed) admission.refusal(now) else null) ?: given
        record(arrivedAt)
        if (answer.isDelayed) hold(now)
        dueAt = now + maxOf(answer.delayNanos, 0)
    }

    /** Gives the request its row in the table of requests at [now], unless it has one or has no number. */
    fun record(now: Long) {
        if (row != RequestTable.NO_ROW || label !in 0..Int.MAX_VALUE) return
        row = evidence.requests.arrived(label.toInt(), connection.number, now)
    }

    fun hold(now: Long) {
        if (isHeld) return
        isHeld = true
        evidence.held(now)
    }

    /** Keeps the answer back until [time], so that it does not overtake the one in front of it. */
    fun delayUntil(time: Long) {
        if (time - dueAt > 0) dueAt = time
    }

    fun give(): Unit = when {
        answer.behaviour.failsBefore -> fail()
        answer.isWhole -> giveWhole()
        else -> givePieces()
    }

    fun onWritable() {
        body?.run()
    }

    /** The stream or the connection has gone; [connectionPurpose] says why, if a request on the connection asked for that. */
    fun onClosed(connectionPurpose: Fault = Fault.NONE) {
        stall?.cancel(false)
        // What has been written to its end gets its own report, which may come later.
        if (state == State.WRITTEN || state == State.OVER || body?.isWrittenWhole == true) return
        body?.cancel()
        body = null
        if (purpose == Fault.NONE) purpose = connectionPurpose
        if (hasArrived) abandon(System.nanoTime()) else state = State.OVER
    }

    /** An upload takes long, so it counts as in flight from its head on; false if that would be one request too many. */
    private fun beginUpload(now: Long): Boolean {
        if (admission.isFull) return false
        upload = Upload()
        count(now)
        hold(now)
        return true
    }

    private fun count(now: Long) {
        hasArrived = true
        arrivedAt = now
        evidence.arrived(protocol, now)
        evidence.connections.arrived(connection, protocol)
    }

    private fun giveWhole() {
        val bytes = wholeBody(answer)
        state = State.WRITTEN
        settleWhen(writer.writeWhole(this, bytes), bytes.size)
    }

    private fun givePieces() {
        val whole = bodyOf(answer)
        val isHeadAll = writer.canEndWithHead && whole.length == 0L && !answer.behaviour.failsInside
        val head = writer.writeHead(this, whole.length, isHeadAll)
        if (isHeadAll) {
            state = State.WRITTEN
            return settleWhen(head, 0)
        }
        val begun = BodyStream(writer, head, whole, answer.behaviour, evidence) { written -> onBodyEnd(whole, written) }
        body = begun
        writer.onProgress(System.nanoTime())
        begun.run()
    }

    private fun onBodyEnd(whole: Body, written: ChannelFuture) {
        body = null
        val behaviour = answer.behaviour
        if (behaviour.failsInside && written.isSuccess) fail() else settle(written, 0, behaviour.bodyNanos(whole.length))
    }

    private fun fail() {
        purpose = answer.behaviour.fault
        if (purpose == Fault.STALL) {
            // The request stays in flight until its client goes, or the longest delay is over.
            stall = writer.executor.schedule({ writer.end(Fault.STALL) }, admission.longestNanos, TimeUnit.NANOSECONDS)
            return
        }
        abandon(System.nanoTime())
        writer.end(purpose)
    }

    /** Nearly always the bytes have left already; a client that does not read makes us wait. */
    private fun settleWhen(written: ChannelFuture, bytes: Int) {
        if (written.isDone) settle(written, bytes) else written.addListener { settle(written, bytes) }
    }

    private fun settle(written: ChannelFuture, bytes: Int, bodyNanos: Long = 0) {
        if (state == State.OVER) return
        val now = System.nanoTime()
        if (!written.isSuccess) {
            abandon(now)
            return writer.onWriteFailed()
        }
        end(now)
        evidence.sent(bytes)
        evidence.answered(answer, arrivedAt, dueAt, now, bodyNanos)
        evidence.requests.answered(row, now)
        if (!answer.behaviour.failsAfter) return writer.onAnswered(this)
        val fault = answer.behaviour.fault
        evidence.counts.behind[fault.ordinal]++
        writer.end(fault)
    }

    private fun abandon(now: Long) {
        end(now)
        evidence.abandoned(purpose)
    }

    private fun end(now: Long) {
        state = State.OVER
        upload = null
        if (isHeld) evidence.released(now)
        evidence.connections.ended(connection)
        writer.onOver(now)
    }
}
