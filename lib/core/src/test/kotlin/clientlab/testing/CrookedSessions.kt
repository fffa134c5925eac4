package clientlab.testing

import clientlab.client.*
import java.io.InputStream
import java.net.Socket
import java.util.concurrent.ConcurrentLinkedQueue

/** A session that takes its connections from [idle] and gives them back there when it has done with them, as a pool that nobody closes. */
internal class PooledSession(
    private val conditions: Conditions,
    private val idle: ConcurrentLinkedQueue<Socket>,
) : BlockingSession(CallerThreads.Platform) {
    override fun call(request: Request): Reply {
        val socket = idle.poll() ?: Socket(conditions.baseUrl.host, conditions.baseUrl.port)
        socket.ask(request)
        return socket.getInputStream().reply().also { idle += socket }
    }
}

/** A session with one connection, on which requests follow one another without waiting for answers. */
internal class PipeliningSession(conditions: Conditions) : BlockingSession(CallerThreads.Platform) {
    private val socket = Socket(conditions.baseUrl.host, conditions.baseUrl.port)
    private val lock = Object()
    private var asked = 0
    private var answered = 0

    override fun call(request: Request): Reply =
        synchronized(lock) {
            socket.ask(request)
            val turn = asked++
            while (answered != turn) lock.wait()
            turn
        }.let {
            val reply = socket.getInputStream().reply()
            synchronized(lock) {
                answered++
                lock.notifyAll()
            }
            reply
        }

    override fun close() {
        socket.close()
        super.close()
    }
}

private fun Socket.ask(request: Request): Unit =
    getOutputStream().write("${request.method} ${request.path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encodeToByteArray())

/** Reads one answer byte by byte, for what follows it belongs to the next. */
private fun InputStream.reply(): Reply {
    val head = StringBuilder()
    while (!head.endsWith("\r\n\r\n")) head.append(read().also { check(it >= 0) { "closed without an answer" } }.toChar())
    val length = head
        .lines()
        .first { it.startsWith("content-length:", ignoreCase = true) }
        .substringAfter(':')
        .trim()
        .toInt()
    val bytes = readNBytes(length).size.toLong()
    return Reply(head.substring(head.indexOf(' ') + 1).substringBefore(' ').toInt(), bytes)
}
