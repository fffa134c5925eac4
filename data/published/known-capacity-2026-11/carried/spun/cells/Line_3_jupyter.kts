
import java.io.BufferedInputStream
import java.lang.management.ManagementFactory
import java.net.Socket
import java.net.URI
import java.util.concurrent.ConcurrentLinkedDeque
import java.util.concurrent.Executors
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.withContext

/** A connection that is kept: one request at a time, by HTTP/1.1. */
class PlainConnection(private val server: URI) : AutoCloseable {
    private val socket = Socket(server.host, server.port).apply { tcpNoDelay = true }
    private val input = BufferedInputStream(socket.getInputStream())

    fun ask(path: String): Reply {
        socket.getOutputStream().write("GET $path HTTP/1.1\r\nHost: ${server.authority}\r\n\r\n".toByteArray())
        val status = line().split(' ')[1].toInt()
        var length = 0
        generateSequence { line().takeIf { it.isNotEmpty() } }.forEach { header ->
            if (header.startsWith("content-length:", ignoreCase = true)) length = header.substringAfter(':').trim().toInt()
        }
        return Reply(status, input.readNBytes(length).size.toLong())
    }

    private fun line(): String = buildString {
        while (true) when (val byte = input.read()) {
            '\n'.code -> return@buildString
            '\r'.code -> Unit
            -1 -> error("The server has closed the connection.")
            else -> append(byte.toChar())
        }
    }

    override fun close() = socket.close()
}

/** A client on plain sockets. Each answer is worked on for [nanos] of its thread's processor time. */
class KnownSession(private val conditions: Conditions, private val nanos: Long) : Session {
    private val clock = ManagementFactory.getThreadMXBean()
    private val calls = Executors.newFixedThreadPool(200).asCoroutineDispatcher()
    private val kept = ConcurrentLinkedDeque<PlainConnection>()

    override suspend fun send(request: Request): Reply = withContext(calls) {
        val connection = kept.pollFirst() ?: PlainConnection(conditions.baseUrl)
        val reply = connection.ask(request.path)
        kept.addFirst(connection)
        val end = clock.currentThreadCpuTime + nanos
        while (clock.currentThreadCpuTime < end) Thread.onSpinWait()
        reply
    }

    override fun close() {
        calls.close()
        kept.forEach { it.close() }
    }
}

val plain = ownClient("plain") { conditions -> KnownSession(conditions, 100_000) }
val spun = ownClient("spun") { conditions -> KnownSession(conditions, 200_000) }
