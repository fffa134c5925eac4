package clientlab.gatewayload

import clientlab.trial.*
import java.io.IOException
import java.net.ConnectException
import java.net.InetSocketAddress
import java.net.StandardSocketOptions
import java.nio.ByteBuffer
import java.nio.channels.SelectionKey
import java.nio.channels.Selector
import java.nio.channels.SocketChannel
import kotlin.time.Duration

/**
 * The results of an open loop's requests by their number; times are in nanoseconds since the first planned time.
 *
 * @property planned when each was to be sent; [sent] when it was, or -1; [done] when it was answered rightly, or -1.
 */
internal class LoadResult(
    val planned: LongArray,
    val sent: LongArray,
    val done: LongArray,
    val errors: Map<String, Int>,
    val connections: Int,
) {
    val requests: Int get() = planned.size
    val answered: Int get() = done.count { it >= 0 }

    /** Milliseconds from the planned time, ascending; a request without a right answer counts as [patience]: it took at least that long. */
    fun fromPlanned(patience: Duration): DoubleArray =
        DoubleArray(requests) { if (done[it] < 0) patience.inWholeMicroseconds / 1e3 else (done[it] - planned[it]) / 1e6 }.apply { sort() }

    /** Milliseconds since answered requests were sent, ascending. This way hides the wait before sending. */
    fun fromSent(): DoubleArray = msBetween(sent, done)

    /** Milliseconds between planned and sent, ascending, for the sent requests: the lateness of the generator. */
    fun lag(): DoubleArray = msBetween(planned, sent)
}

/**
 * Sends GET requests over HTTP/1.1 at planned times, whether or not earlier ones have been answered.
 *
 * One thread and one selector, on sockets of the JDK: a library's client would cost more than what is measured, and would wait where it
 * must not. A request takes an idle connection, or opens one. It has failed where no right answer came within the patience, counted from
 * its planned time (G. Tene, *How not to measure latency*: the wait for a slow server is part of the latency).
 *
 * @param plan nanoseconds since the start, ascending.
 * @param callers the most requests in progress at once.
 * @param alive asked now and then; when it returns false, the loop ends and counts every unanswered request as failed.
 * @param recorder is told how long after its planned time each right answer came.
 */
internal class LoadGenerator(
    private val address: InetSocketAddress,
    private val plan: LongArray,
    private val patience: Duration,
    private val callers: Int = Int.MAX_VALUE,
    private val alive: () -> Boolean = { true },
    private val recorder: SeriesRecorder? = null,
    private val path: (Int) -> String,
) {
    private val sent = LongArray(plan.size) { -1 }
    private val done = LongArray(plan.size) { -1 }
    private val finished = BooleanArray(plan.size)
    private val under = arrayOfNulls<Line>(plan.size)
    private val errors = LinkedHashMap<String, Int>()
    private val idle = ArrayDeque<Line>()
    private val selector = Selector.open()
    private var connections = 0
    private var next = 0
    private var oldest = 0
    private var underWay = 0
    private var began = 0L

    /** Runs the whole plan on the calling thread. */
    fun run(): LoadResult {
        began = System.nanoTime()
        var looks = 0
        try {
            while (oldest < plan.size) {
                sendDue()
                giveUp()
                if (++looks % LOOKS == 0 && !alive()) break
                selector.select(waitMs())
                val keys = selector.selectedKeys()
                keys.forEach(::ready)
                keys.clear()
            }
            for (number in oldest until plan.size) if (!finished[number]) fail(number, "the gateway had ended")
        } finally {
            selector.keys().forEach { it.channel().close() }
            selector.close()
        }
        return LoadResult(plan, sent, done, errors, connections)
    }

    private fun now() = System.nanoTime() - began

    private fun sendDue() {
        while (next < plan.size && underWay < callers && plan[next] <= now()) {
            val number = next++
            if (finished[number]) continue
            underWay++
            sent[number] = now()
            try {
                val line = idle.removeLastOrNull() ?: open()
                under[number] = line
                line.send(number)
            } catch (e: IOException) {
                fail(number, kind(e))
            }
        }
    }

    /** In the order of the plan, because the request that was planned first gives up first. */
    private fun giveUp() {
        val now = now()
        while (oldest < plan.size && (finished[oldest] || now > plan[oldest] + patience.inWholeNanoseconds)) {
            if (!finished[oldest]) fail(oldest, if (sent[oldest] < 0) "never sent" else "no answer within $patience")
            oldest++
        }
        next = maxOf(next, oldest)
    }

    private fun waitMs(): Long {
        if (oldest >= plan.size) return 1
        val sending = if (next < plan.size && underWay < callers) plan[next] else Long.MAX_VALUE
        val until = minOf(sending, plan[oldest] + patience.inWholeNanoseconds) - now()
        return (until / 1_000_000).coerceIn(1, LONGEST_MS)
    }

    private fun open(): Line {
        val channel = SocketChannel.open()
        channel.configureBlocking(false)
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true)
        val line = Line(channel)
        connections++
        try {
            if (channel.connect(address)) line.connected = true
            line.key = channel.register(selector, if (line.connected) SelectionKey.OP_READ else SelectionKey.OP_CONNECT, line)
        } catch (e: IOException) {
            channel.close()
            throw e
        }
        return line
    }

    private fun ready(key: SelectionKey) {
        val line = key.attachment() as Line
        try {
            if (key.isValid && key.isConnectable) line.connect()
            if (key.isValid && key.isReadable) line.read()
        } catch (e: IOException) {
            line.drop(kind(e))
        }
    }

    private fun fail(number: Int, kind: String) {
        finished[number] = true
        errors.merge(kind, 1, Int::plus)
        if (sent[number] >= 0) underWay--
        under[number]?.close()
        under[number] = null
    }

    private fun succeed(number: Int) {
        finished[number] = true
        done[number] = now()
        recorder?.answered(done[number] - plan[number])
        underWay--
        under[number] = null
    }

    /** One connection and its current request. */
    private inner class Line(private val channel: SocketChannel) {
        lateinit var key: SelectionKey
        var connected = false
        private var number = -1
        private var waiting: ByteBuffer? = null
        private val answer = ByteBuffer.allocate(ANSWER_BYTES)

        fun send(number: Int) {
            this.number = number
            answer.clear()
            val request = "GET ${path(number)} HTTP/1.1\r\nHost: ${address.hostString}\r\n\r\n"
            waiting = ByteBuffer.wrap(request.toByteArray(Charsets.US_ASCII))
            if (connected) write()
        }

        fun connect() {
            channel.finishConnect()
            connected = true
            key.interestOps(SelectionKey.OP_READ)
            write()
        }

        /** A request is shorter than any socket's buffer, so one write sends all of it. */
        private fun write() {
            val bytes = waiting ?: return
            channel.write(bytes)
            if (bytes.hasRemaining()) throw IOException("The socket took half a request.")
            waiting = null
        }

        fun read() {
            if (channel.read(answer) < 0) return drop("connection closed")
            val text = String(answer.array(), 0, answer.position(), Charsets.ISO_8859_1)
            val head = text.indexOf("\r\n\r\n")
            if (head < 0) return
            val header = LENGTH.find(text.substring(0, head)) ?: return drop("answer without a length")
            val length = header.groupValues[1].toInt()
            if (text.length < head + HEAD_END + length) {
                if (!answer.hasRemaining()) drop("answer too long")
                return
            }
            val mine = number
            if (mine < 0) return drop("answer to no request")
            number = -1
            val status = text.substringAfter(' ').substringBefore(' ')
            under[mine] = null
            if (status == "200") succeed(mine) else fail(mine, "status $status: ${text.substring(head + HEAD_END).take(KIND_CHARS)}")
            idle.addLast(this)
        }

        /** The connection has ended, so its request has failed. */
        fun drop(kind: String) {
            val mine = number
            number = -1
            close()
            idle.remove(this)
            if (mine >= 0 && !finished[mine]) {
                under[mine] = null
                fail(mine, kind)
            }
        }

        fun close() {
            number = -1
            channel.close()
        }
    }

    private companion object {
        private fun kind(e: IOException) = if (e is ConnectException) "connection refused" else "connection closed"

        private val LENGTH = Regex("(?i)\r\ncontent-length: *(\\d+)")
        private const val HEAD_END = 4
        private const val ANSWER_BYTES = 2048
        private const val KIND_CHARS = 80
        private const val LONGEST_MS = 50L
        private const val LOOKS = 16
    }
}
