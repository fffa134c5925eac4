package clientlab.conduct.scene

import clientlab.*
import java.io.BufferedInputStream
import java.io.IOException
import java.io.InterruptedIOException
import java.net.Socket
import javax.net.ssl.SSLSocket
import kotlin.time.Duration

/** A request as the server read it. */
internal class Received(val method: String, val target: String, val headers: List<String>, val bodyBytes: Long)

/**
 * The server's end of one connection, for the script of a situation. Its functions block. They throw an [IOException] once the client has
 * ended the connection. That ends the script.
 *
 * @property number the number of the connection, from 1.
 * @param usual the body of an answer that has no other.
 */
internal class Connection(
    val number: Int,
    private val socket: Socket,
    private val events: Events,
    private val usual: String,
    val note: (Seen.What) -> Unit,
) {
    private val input = BufferedInputStream(socket.getInputStream())
    private val output = socket.getOutputStream()
    private var endSeen = false
    private var closed = false
    private val acceptedMs = System.currentTimeMillis()

    /** Whether TLS goes on with what an earlier connection agreed upon: its session is older than this connection. */
    val resumes: Boolean get() = (socket as? SSLSocket)?.session?.let { acceptedMs - it.creationTime > CLOCK_MS } == true

    /** The next request, read to the end of its body; throws if the client ends the connection instead. */
    fun receive(): Received {
        val head = head()
        val length = head.header("content-length")?.toLong()
        if (head.header("expect") != null) send("HTTP/1.1 100 Continue\r\n\r\n")
        val bytes = when {
            length != null -> skip(length)
            head.header("transfer-encoding") != null -> skipChunks()
            else -> 0
        }
        val (method, target) = head.first().split(' ')
        return Received(method, target, head.drop(1), bytes).also { note(Seen.What.Request(it)) }
    }

    /** The next [count] bytes; throws if the client ends the connection before. */
    fun receive(count: Int): ByteArray {
        val bytes = ByteArray(count)
        var read = 0
        while (read < count) {
            val more = unlessEnded { input.read(bytes, read, count - read) }
            if (more < 0) throw IOException("the client ended the connection")
            read += more
        }
        return bytes
    }

    /** The next request without its body, which is not read. */
    fun receiveHead(): Received {
        val head = head()
        val (method, target) = head.first().split(' ')
        return Received(method, target, head.drop(1), 0).also { note(Seen.What.Request(it)) }
    }

    /** Answers with [status], [headers] and [body], and leaves the connection open. */
    fun answer(status: Int = 200, body: String = usual, vararg headers: String) {
        val type = if (body.startsWith('{') || body.startsWith('[')) listOf("Content-Type: application/json") else emptyList()
        val lines = listOf("HTTP/1.1 $status Made", "Content-Length: ${body.encodeToByteArray().size}") + type + headers
        did("answers $status")
        write((lines.joinToString("\r\n", postfix = "\r\n\r\n") + body).encodeToByteArray())
    }

    /** Answers with a body of so many [bytes]. */
    fun answerLarge(bytes: Long) {
        did("sends a body of ${bytes shr MIB} MiB")
        write("HTTP/1.1 200 Made\r\nContent-Length: $bytes\r\n\r\n".encodeToByteArray())
        val chunk = ByteArray(LARGE_CHUNK)
        repeat((bytes / LARGE_CHUNK).toInt()) { write(chunk) }
    }

    fun send(text: String): Unit = send(text.encodeToByteArray())

    fun send(bytes: ByteArray) {
        did(if (bytes.size == 1) "sends a byte" else "sends ${bytes.size} bytes")
        write(bytes)
    }

    fun write(bytes: ByteArray): Unit = unlessReset {
        output.write(bytes)
        output.flush()
    }

    /** The server did [what]. */
    fun did(what: String) = events.note(Event.Who.Server, "$what on connection $number")

    fun pause(length: Duration): Unit =
        try {
            Thread.sleep(length.inWholeMilliseconds)
        } catch (_: InterruptedException) {
            throw InterruptedIOException("the situation is over")
        }

    /** Reads until the client ends the connection. */
    fun awaitEnd() {
        val chunk = ByteArray(CHUNK)
        while (read(chunk) >= 0) Unit
    }

    /** Ends the connection in order. */
    fun close() {
        closed = true
        events.note(Event.Who.Server, "closes connection $number")
        // Without this the system resets a connection that has unread bytes.
        runCatching { socket.shutdownOutput() }
        runCatching { while (input.available() > 0 && input.read() >= 0) Unit }
        socket.close()
    }

    /** Ends the connection with a reset. */
    fun reset() {
        closed = true
        events.note(Event.Who.Server, "resets connection $number")
        socket.setSoLinger(true, 0)
        socket.close()
    }

    private fun head(): List<String> {
        val lines = generateSequence { line() }.takeWhile { it.isNotEmpty() }.toList()
        if (lines.isEmpty() || lines.first().count { it == ' ' } != 2) throw IOException("no request")
        return lines
    }

    private fun line(): String {
        val line = StringBuilder()
        while (true) {
            val byte = read()
            if (byte < 0) throw IOException("the client ended the connection")
            if (byte == '\n'.code) return line.toString().removeSuffix("\r")
            line.append(byte.toChar())
        }
    }

    private fun skip(length: Long): Long {
        val chunk = ByteArray(CHUNK)
        var left = length
        while (left > 0) {
            val read = read(chunk, minOf(left, chunk.size.toLong()).toInt())
            if (read < 0) throw IOException("the client ended the connection within a body")
            left -= read
        }
        return length
    }

    private fun skipChunks(): Long {
        var bytes = 0L
        while (true) {
            val length = line().substringBefore(';').trim().toLong(radix = 16)
            bytes += skip(length)
            line()
            if (length == 0L) return bytes
        }
    }

    private fun read(): Int = unlessEnded { input.read() }

    private fun read(chunk: ByteArray, most: Int = chunk.size): Int = unlessEnded { input.read(chunk, 0, most) }

    /** Notes an end that comes from the client, the first time. */
    private fun unlessEnded(read: () -> Int): Int {
        val got = unlessReset(read)
        if (got < 0) ended("closes")
        return got
    }

    private fun <T> unlessReset(use: () -> T): T =
        try {
            use()
        } catch (e: IOException) {
            ended("resets")
            throw e
        }

    private fun ended(how: String) {
        if (endSeen || closed) return
        endSeen = true
        note(Seen.What.End(how))
    }

    private fun List<String>.header(name: String): String? =
        firstOrNull { it.startsWith("$name:", ignoreCase = true) }?.substringAfter(':')?.trim()

    private companion object {
        const val CHUNK = 8192
        const val CLOCK_MS = 20
        const val MIB = 20
        const val LARGE_CHUNK = 1 shl 16
    }
}
