package clientlab.audit

import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.net.URI
import java.nio.channels.SocketChannel

/**
 * A listening socket of this process that takes no more connections: its accept queue is full, and no thread accepts.
 *
 * Linux then does not answer the SYN of a further connection, so a client that connects waits until it gives up; other systems may refuse
 * it at once. It is what an overloaded server looks like from outside.
 */
internal class FullQueue : AutoCloseable {
    private val socket = ServerSocket(0, 1, InetAddress.getLoopbackAddress())
    private val fillers = ArrayList<SocketChannel>()
    val url: URI = URI("http://${socket.inetAddress.hostAddress}:${socket.localPort}")

    /** Whether a connection was seen to wait. Otherwise nothing can be said about a time-out. */
    val isFull: Boolean = (1..MOST).any { !connects() }

    private fun connects(): Boolean {
        val channel = SocketChannel.open().apply { configureBlocking(false) }
        fillers += channel
        channel.connect(InetSocketAddress(socket.inetAddress, socket.localPort))
        val until = System.nanoTime() + WAIT_NANOS
        while (System.nanoTime() < until) {
            if (channel.finishConnect()) return true
            Thread.onSpinWait()
        }
        return false
    }

    override fun close() {
        fillers.forEach { it.close() }
        socket.close()
    }

    private companion object {
        private const val MOST = 8
        private const val WAIT_NANOS = 100_000_000L
    }
}
