package clientlab.testing

import clientlab.*
import clientlab.probe.*
import java.io.IOException
import java.io.InputStream
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.LockSupport

/** What a [CrookedServer] does with a request: it answers after [share] of its delay and [lateMs] more, or [drops] the connection then. */
internal class Served(
    val share: Double = 1.0,
    val lateMs: Long = 0,
    val drops: Boolean = false,
)

/**
 * A server in this process that answers `/delay` as [serve] has it, and tells on the same port what it saw, bent by [tell].
 *
 * It has a thread a connection, of the harness by their names. As it comes it is honest, and answers a burst as the real server does.
 *
 * @param clock the clock that it tells times by; its delays it keeps by the real one.
 * @param toldClock what it says that clock is when it is asked.
 */
internal class CrookedServer(
    private val tell: (Evidence) -> Evidence = { it },
    private val clock: () -> Long = System::nanoTime,
    private val toldClock: () -> Long = clock,
    private val serve: (Int) -> Served = { Served() },
) : AutoCloseable {
    private val listener = ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())
    private val threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().name("lab-crooked-", 0).factory())
    private val sockets = ArrayList<Socket>()
    private val lock = Object()
    private var counts = Evidence()
    private var connectionsEver = 0
    private val rows = ArrayList<Array<Long?>>()
    private val overshoots = ArrayList<Double>()

    val address = ServerAddress("127.0.0.1", listener.localPort, listener.localPort)

    init {
        threads.execute {
            unlessClosed {
                while (true) {
                    val socket = listener.accept()
                    synchronized(lock) { sockets += socket }
                    threads.execute { unlessClosed { socket.use(::converse) } }
                }
            }
        }
    }

    private fun converse(socket: Socket) {
        val input = socket.getInputStream().buffered()
        var connection: Int? = null
        try {
            while (true) {
                val head = head(input) ?: return
                val target = head.first().split(' ')[1]
                if (target.startsWith("/evidence")) {
                    socket.answer(evidence(target))
                } else {
                    val number = connection ?: opened().also { connection = it }
                    val expectedLeftovers = head.any { it.equals("connection: close", ignoreCase = true) }
                    if (!delayed(socket, target, number) || expectedLeftovers) return
                }
            }
        } finally {
            if (connection != null) count { copy(connectionsOpen = connectionsOpen - 1) }
        }
    }

    /** False where the connection was dropped. */
    private fun delayed(socket: Socket, target: String, connection: Int): Boolean {
        val arrived = System.nanoTime()
        val number = target.substringAfter("a=").toInt()
        val delay = (target.substringAfter("delay=").substringBefore('&').toDouble() * TimeUnit.SECONDS.toNanos(1)).toLong()
        val row = arrayOf(number.toLong(), connection.toLong(), clock(), null)
        count {
            rows.add(row)
            val now = inFlight + 1
            copy(
                arrived = this.arrived + 1,
                inFlight = now,
                peakInFlight = maxOf(peakInFlight, now),
                requestsByProtocol = mapOf("http/1.1" to this.arrived + 1),
            )
        }
        val served = serve(number)
        val end = arrived + (delay * served.share).toLong() + TimeUnit.MILLISECONDS.toNanos(served.lateMs)
        while (System.nanoTime() < end) LockSupport.parkNanos(end - System.nanoTime())
        // Counted before the client can know, or it might ask for the evidence first.
        count {
            if (served.drops) {
                copy(inFlight = inFlight - 1, abandoned = abandoned + 1)
            } else {
                row[ANSWERED] = clock()
                val late = System.nanoTime() - arrived - delay
                overshoots += late / 1e6
                copy(
                    inFlight = inFlight - 1,
                    answered = answered + 1,
                    answeredOk = answeredOk + 1,
                    answeredEarly = answeredEarly + if (late < 0) 1 else 0,
                    overshootMs = Overshoot(p99 = overshoots.max(), max = overshoots.max()),
                )
            }
        }
        if (!served.drops) socket.answer("late")
        return !served.drops
    }

    private fun opened(): Int {
        count {
            val open = connectionsOpen + 1
            copy(connectionsOpened = connectionsOpened + 1, connectionsOpen = open, peakConnections = maxOf(peakConnections, open))
        }
        return synchronized(lock) { ++connectionsEver }
    }

    private fun evidence(target: String): String =
        when (target.substringBefore('?')) {
            "/evidence/reset" -> LabJson.encodeToString(reset())
            "/evidence/clock" -> """{"nanoTime":${toldClock()}}"""
            "/evidence/requests" -> LabJson.encodeToString(synchronized(lock) { SeenRequests(COLUMNS, rows.map { it.toList() }) })
            "/evidence/await" -> LabJson.encodeToString(await(target.number("inFlight"), target.number("timeoutMs")))
            else -> LabJson.encodeToString(tell(synchronized(lock) { counts }))
        }

    private fun String.number(name: String): Long = substringAfter("$name=").substringBefore('&').toLong()

    private fun await(inFlight: Long, timeoutMs: Long): Awaited =
        synchronized(lock) {
            val end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs)
            while (counts.inFlight < inFlight) {
                val left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())
                if (left <= 0) return Awaited(reached = false, inFlight = counts.inFlight, peak = counts.peakInFlight)
                lock.wait(left)
            }
            Awaited(reached = true, inFlight = counts.inFlight)
        }

    private fun reset(): Evidence =
        synchronized(lock) {
            rows.clear()
            overshoots.clear()
            counts.also {
                counts =
                    Evidence(
                        inFlight = it.inFlight,
                        peakInFlight = it.inFlight,
                        connectionsOpen = it.connectionsOpen,
                        peakConnections = it.connectionsOpen,
                    )
            }
        }

    private fun count(change: Evidence.() -> Evidence): Unit =
        synchronized(lock) {
            counts = counts.change()
            lock.notifyAll()
        }

    private fun head(input: InputStream): List<String>? {
        val lines = generateSequence { line(input) }.takeWhile { it.isNotEmpty() }.toList()
        return lines.ifEmpty { null }
    }

    private fun line(input: InputStream): String? {
        val line = StringBuilder()
        while (true) {
            val byte = input.read()
            if (byte < 0) return null
            if (byte == '\n'.code) return line.toString().removeSuffix("\r")
            line.append(byte.toChar())
        }
    }

    private fun Socket.answer(text: String): Unit =
        getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n$text".encodeToByteArray())

    private fun unlessClosed(work: () -> Unit): Unit =
        try {
            work()
        } catch (_: IOException) {
            // One end or the other has closed.
        }

    override fun close() {
        listener.close()
        synchronized(lock) { sockets.toList() }.forEach { it.close() }
        threads.shutdownNow()
    }

    private companion object {
        const val BACKLOG = 4096
        const val ANSWERED = 3
        val COLUMNS = listOf("a", "connection", "arrivedNanos", "answeredNanos")
    }
}
