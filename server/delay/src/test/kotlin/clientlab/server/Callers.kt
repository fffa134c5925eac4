package clientlab.server

import clientlab.server.evidence.*
import java.net.InetSocketAddress
import java.net.StandardSocketOptions
import java.nio.ByteBuffer
import java.nio.channels.SelectionKey
import java.nio.channels.Selector
import java.nio.channels.SocketChannel

/**
 * Thousands of connections that ask for delays, driven by one thread and one selector; a client library would cost more than what is
 * measured. Each has one request under way at most.
 */
class Callers(private val port: Int) : AutoCloseable {
    private val selector = Selector.open()
    private val open = HashSet<Caller>()

    var sent: Long = 0
        private set
    var answered: Long = 0
        private set
    var opened: Long = 0
        private set

    /** How many requests were left before they had their answer. */
    var left: Long = 0
        private set

    /** How many answers came sooner than was asked for, by this end's clock. */
    var early: Long = 0
        private set

    fun open(): Caller {
        val channel = SocketChannel.open(InetSocketAddress("127.0.0.1", port))
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true)
        channel.configureBlocking(false)
        val caller = Caller(channel)
        channel.register(selector, SelectionKey.OP_READ, caller)
        open += caller
        opened++
        return caller
    }

    fun ask(caller: Caller, delayMillis: Long) {
        check(!caller.isWaiting) { "This connection has a request under way." }
        val request = "GET /delay?delay=${delayMillis / 1000.0} HTTP/1.1\r\nHost: localhost\r\n\r\n".encodeToByteArray()
        caller.delayNanos = delayMillis * 1_000_000
        caller.askedAt = System.nanoTime()
        caller.isWaiting = true
        val written = caller.channel.write(ByteBuffer.wrap(request))
        check(written == request.size) { "A socket took $written of ${request.size} bytes." }
        sent++
    }

    /** Closes it, be its answer still to come. */
    fun leave(caller: Caller) {
        if (caller.isWaiting) left++
        open -= caller
        caller.channel.close()
    }

    /** Waits for answers at most so long, and tells [onAnswer] of each whole one. */
    fun poll(millis: Long, onAnswer: (Caller) -> Unit) {
        val action = { key: SelectionKey ->
            val caller = key.attachment() as Caller
            // One may have been left by what another's answer brought about.
            if (key.isValid && caller.read()) {
                val now = System.nanoTime()
                if (now - caller.askedAt < caller.delayNanos) early++
                caller.isWaiting = false
                answered++
                onAnswer(caller)
            }
        }
        if (millis > 0) selector.select(action, millis) else selector.selectNow(action)
    }

    /** Closes all connections, and counts what was under way as left. */
    override fun close() {
        open.toList().forEach(::leave)
        if (selector.isOpen) selector.close()
    }
}

/** One connection. */
class Caller(val channel: SocketChannel) {
    var askedAt = 0L
    var delayNanos = 0L
    var isWaiting = false
    private val buffer = ByteBuffer.allocate(1_024)

    /** Whether the answer is there to its end; fails where it is no 200, or the connection ends. */
    fun read(): Boolean {
        check(channel.read(buffer) >= 0) { "The server closed a connection that has a request under way." }
        val text = String(buffer.array(), 0, buffer.position(), Charsets.ISO_8859_1)
        val head = text.indexOf("\r\n\r\n")
        if (head < 0) return false
        check(text.startsWith("HTTP/1.1 200 ")) { "The server answered: $text" }
        val length = LENGTH.find(text)!!.groupValues[1].toInt()
        if (text.length < head + 4 + length) return false
        buffer.clear()
        return true
    }

    private companion object {
        val LENGTH = Regex("content-length: (\\d+)", RegexOption.IGNORE_CASE)
    }
}
